import { PasswrightError } from "../errors.ts";

/**
 * ok: as it should be. warning: it works, and somebody should look after it. failed: something is wrong, or will lose or
 * refuse work. unknown: the check could not be made. skipped: it was not asked for.
 */
export const findingStatuses = ["ok", "warning", "failed", "unknown", "skipped"] as const;
export type FindingStatus = (typeof findingStatuses)[number];

/** What may be done about a finding without asking: it loses nothing, and doing it twice does no more. */
export type Fix = {
  /** What it does, as the audit log names it. */
  does: string;
  /** Answers what came of it, as a sentence. */
  apply(): Promise<string>;
};

export type Finding = {
  status: FindingStatus;
  message: string;
  /** What to do; of all that is not well there is something. */
  remedy: string | null;
  fix?: Fix;
};

/** One thing that is looked at. `Needs` is what it takes; `ports.ts` has all of it. */
export type Check<Needs> = {
  /** Stable: scripts look for it. */
  name: string;
  /** A clause about what must be so, for the documentation. */
  expects: string;
  /** `online`: it connects to others than Redis. `deep`: it looks at everything that there is. */
  only?: "online" | "deep";
  /** What `--fix` does about it, for the documentation. */
  fixes?: string;
  look(needs: Needs): Promise<Finding[]>;
};

export function ok(message: string): Finding {
  return { status: "ok", message, remedy: null };
}

export function warning(message: string, remedy: string, fix?: Fix): Finding {
  return { status: "warning", message, remedy, ...(fix !== undefined && { fix }) };
}

export function failed(message: string, remedy: string, fix?: Fix): Finding {
  return { status: "failed", message, remedy, ...(fix !== undefined && { fix }) };
}

export function unknown(message: string, remedy: string): Finding {
  return { status: "unknown", message, remedy };
}

/** What an error says, in a word that may be shown. */
export function reasonOf(error: unknown): string {
  if (error instanceof PasswrightError) return error.detail;
  return error instanceof Error ? error.message : String(error);
}

/** `3 webhooks`, `1 webhook`. */
export function counted(count: number, noun: string): string {
  return `${count} ${noun}${count === 1 ? "" : "s"}`;
}

/** How long, in the largest unit of which there are about two at least: `4 s`, `12 min`, `3 h`, `91 days`. */
export function spanOf(ms: number): string {
  const units: [name: string, ms: number][] = [
    ["days", 86_400_000],
    ["h", 3_600_000],
    ["min", 60_000],
    ["s", 1000],
  ];
  const [name, size] = units.find(([, unitMs]) => ms >= 1.95 * unitMs) ?? ["ms", 1];
  return `${Math.round(ms / size)} ${name}`;
}
