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

/** The text of a file that an argument names, UTF-8; `-` is standard input. Rejects with the argument's name. */
export function readArgumentText(argument: string, path: string): string {
  try {
    return new TextDecoder("utf-8", { fatal: true }).decode(readFileSync(path === "-" ? 0 : path));
  } catch (error) {
    const message = error instanceof TypeError ? "is not UTF-8" : "cannot be read";
    throw invalidRequest([{ path: argument, message: `${message}: ${path}` }]);
  }
}
