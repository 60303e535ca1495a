import { closeSync, openSync, readdirSync, readFileSync, readSync, realpathSync, statSync } from "node:fs";
import { join, sep } from "node:path";

// Reading a directory that somebody else made: nothing outside of it is read, and nothing that has no end.

/** The names in a folder, sorted. Those that begin with a dot are left out. */
export function visibleNames(folder: string): { names: string[] } | { problem: string } {
  try {
    const names = readdirSync(folder).filter((name) => !name.startsWith("."));
    return { names: names.sort() };
  } catch (error) {
    return { problem: `cannot be read${reasonOf(error)}` };
  }
}

/** A regular file of the directory, one byte more of it than `limit` at most. Never opens what would not end, as a pipe. */
export function readInside(
  directory: string,
  name: string,
  limit: number,
): { content: Uint8Array } | { problem: string } {
  const path = join(directory, name);
  try {
    const outside = problemOfLink(directory, name);
    if (outside !== null) return { problem: outside };
    const kind = statSync(path);
    if (!kind.isFile()) return { problem: "is no regular file" };
    return { content: kind.size > limit ? beginningOf(path, limit + 1) : readFileSync(path) };
  } catch (error) {
    return { problem: `cannot be read${reasonOf(error)}` };
  }
}

/** What is wrong with a name that leads out of the directory; null: nothing. */
export function problemOfLink(directory: string, name: string): string | null {
  const home = realpathSync(directory);
  const target = realpathSync(join(directory, name));
  if (target.startsWith(home.endsWith(sep) ? home : home + sep)) return null;
  return "is a symbolic link out of the template's directory: copy the file here instead";
}

export function kindOf(path: string): "folder" | "something" | "nothing" {
  try {
    return statSync(path).isDirectory() ? "folder" : "something";
  } catch (error) {
    return codeOf(error) === "ENOENT" ? "nothing" : "something";
  }
}

function beginningOf(path: string, length: number): Uint8Array {
  const file = openSync(path, "r");
  try {
    const bytes = Buffer.alloc(length);
    return bytes.subarray(0, readSync(file, bytes, 0, length, 0));
  } finally {
    closeSync(file);
  }
}

const reasons: Record<string, string> = {
  ENOENT: ": there is no such file",
  ENOTDIR: ": there is no such file",
  EACCES: ": permission is denied",
  ELOOP: ": its symbolic links go in a circle",
};

function reasonOf(error: unknown): string {
  return reasons[codeOf(error)] ?? "";
}

function codeOf(error: unknown): string {
  return error instanceof Error && "code" in error ? String(error.code) : "";
}
