import type { Violation } from "../domain/errors.ts";

/** What `--json` prints of a failure. */
export type ErrorDocument = {
  error: string;
  error_description: string;
  details?: readonly Violation[];
  hint?: string;
};

/**
 * Prints it to standard output, where scripts read the answer; that of `up` is for the one line that says that all is ready,
 * so its failures go to standard error. `command` is the id, or the words of what is none.
 */
export function printErrorDocument(command: string, document: ErrorDocument): void {
  const out = /^up\b/.test(command) ? process.stderr : process.stdout;
  out.write(`${JSON.stringify(document, null, 2)}\n`);
}
