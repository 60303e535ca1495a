import { readFileSync } from "node:fs";
import { invalidRequest } from "../domain/errors.ts";

/** The bytes of a file that a flag names; `-` is standard input. Rejects with the flag's name. */
export function readFlagFile(flag: string, path: string): Buffer {
  try {
    return readFileSync(path === "-" ? 0 : path);
  } catch {
    throw invalidRequest([{ path: `--${flag}`, message: `names a file that cannot be read: ${path}` }]);
  }
}
