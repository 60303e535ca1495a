import type { Violation } from "../../errors.ts";

/**
 * What an author is told about a template directory. Errors stop an import, warnings do not, and notes say what to know
 * where all is right. Paths name the file, and
 * in template.json the member as well: `images/icon.png`, `template.json#/fields/0/key` (RFC 6901).
 */
export type Findings = {
  readonly errors: readonly Violation[];
  readonly warnings: readonly Violation[];
  readonly notes: readonly Violation[];
  fault(path: string, message: string): void;
  warn(path: string, message: string): void;
  note(path: string, message: string): void;
  /** Whether there is an error about this path already: what follows from it need not be told. */
  isFaulty(path: string): boolean;
};

export function createFindings(): Findings {
  const errors: Violation[] = [];
  const warnings: Violation[] = [];
  const notes: Violation[] = [];
  return {
    errors,
    warnings,
    notes,
    fault: (path, message) => {
      errors.push({ path, message });
    },
    warn: (path, message) => {
      warnings.push({ path, message });
    },
    note: (path, message) => {
      notes.push({ path, message });
    },
    isFaulty: (path) => errors.some((error) => error.path === path),
  };
}

/** The path of a member of template.json, given as a JSON pointer; that of the whole document for «». */
export function memberPath(pointer: string): string {
  return pointer === "" ? "template.json" : `template.json#${pointer}`;
}

/** A JSON pointer one step longer. */
export function pointerTo(parent: string, step: string | number): string {
  return `${parent}/${String(step).replaceAll("~", "~0").replaceAll("/", "~1")}`;
}
