import { createReadStream } from "node:fs";
import { type FileHandle, open, stat } from "node:fs/promises";
import type { Beginning, WriteLine } from "../domain/backups/back-up.ts";
import { surveyBackup } from "../domain/backups/survey.ts";
import { invalidRequest, PasswrightError } from "../domain/errors.ts";
import { writeOut } from "./streamed-output.ts";

/** Lines are gathered to so many bytes before they are written. */
const writeBytes = 262_144;

const reasons: Record<string, string> = {
  EACCES: "permission denied",
  EPERM: "permission denied",
  ENOENT: "there is no such file or directory",
  EISDIR: "it is a directory",
  ENOSPC: "no space is left",
  EROFS: "the file system is read-only",
};

/** What kept a file from being read or written, in one line that names it. */
function fileError(what: string, path: string, error: unknown): PasswrightError {
  const code = (error as NodeJS.ErrnoException).code ?? "";
  return new PasswrightError("invalid_state", `${path} cannot be ${what}: ${reasons[code] ?? code}.`, {
    cause: error,
  });
}

/** The lines of a file, or of standard input (`-`), as they come. */
export async function* readLines(path: string): AsyncGenerator<string> {
  const stream = path === "-" ? process.stdin : createReadStream(path);
  let parts: Buffer[] = [];
  try {
    for await (const chunk of stream as AsyncIterable<Buffer>) {
      let from = 0;
      for (let end = chunk.indexOf(10); end >= 0; end = chunk.indexOf(10, from)) {
        yield Buffer.concat([...parts, chunk.subarray(from, end)]).toString();
        parts = [];
        from = end + 1;
      }
      if (from < chunk.length) parts.push(chunk.subarray(from));
    }
  } catch (error) {
    throw error instanceof PasswrightError ? error : fileError("read", path, error);
  }
  if (parts.length > 0) yield Buffer.concat(parts).toString();
}

export type LineSink = { write: WriteLine; close(): Promise<void> };

/** A backup's file, which only its owner may read; standard output is `-`. */
export async function openBackupFile(path: string, beginning: { bytes: number } | null): Promise<LineSink> {
  if (path === "-") return { write: toStandardOutput, close: async () => {} };
  let file: FileHandle;
  try {
    file = await open(path, beginning === null ? "wx" : "r+", 0o600);
    if (beginning !== null) await file.truncate(beginning.bytes);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== "EEXIST") throw fileError("written", path, error);
    const message = `exists already: ${path}. --resume goes on with a backup that was interrupted; otherwise name another file`;
    throw invalidRequest([{ path: "--to", message }]);
  }
  let [waiting, length, position] = [[] as string[], 0, beginning?.bytes ?? 0];
  const flush = async (): Promise<void> => {
    const bytes = Buffer.from(waiting.join(""));
    [waiting, length] = [[], 0];
    try {
      for (let done = 0; done < bytes.length; ) {
        const { bytesWritten } = await file.write(bytes, done, bytes.length - done, position + done);
        done += bytesWritten;
      }
    } catch (error) {
      throw fileError("written", path, error);
    }
    position += bytes.length;
  };
  return {
    async write(line) {
      waiting.push(line);
      length += line.length;
      if (length >= writeBytes) await flush();
    },
    async close() {
      try {
        await flush();
        await file.datasync();
      } finally {
        await file.close();
      }
    },
  };
}

async function toStandardOutput(line: string): Promise<void> {
  if (await writeOut(line)) return;
  throw new PasswrightError(
    "invalid_state",
    "Nobody reads standard output any more: the backup is not complete.",
  );
}

/** What an interrupted backup left in a file: null where there is none, or nothing of use. `isWhole`: it was not interrupted. */
export async function readBeginning(
  path: string,
): Promise<(Beginning & { bytes: number; isWhole: boolean }) | null> {
  const size = await stat(path).then(
    (found) => found.size,
    (error: NodeJS.ErrnoException) => {
      if (error.code === "ENOENT") return null;
      throw fileError("read", path, error);
    },
  );
  if (size === null) return null;
  const { header, safe, damage } = await surveyBackup(readLines(path));
  if (header === null) {
    const message = `names a file that is no backup, which --resume could go on with: ${path}`;
    throw invalidRequest([{ path: "--to", message }]);
  }
  return { header, ...safe, isWhole: damage === null };
}
