import { once } from "node:events";
import { createWriteStream, type WriteStream } from "node:fs";
import { stat } from "node:fs/promises";
import { join } from "node:path";
import { invalidRequest, PasswrightError } from "../domain/errors.ts";
import { writeOut } from "./streamed-output.ts";

export type ExportLine = { type: string; data: object };

/** Where an export goes: a line each, all in one place, or in a directory a file for each type. */
export type ExportTarget = { write(line: ExportLine): Promise<void>; close(): Promise<void> };

/** `-` is standard output; a directory that exists gets `TYPE.ndjson`; anything else is a new file. */
export async function openExportTarget(to: string): Promise<ExportTarget> {
  if (to === "-") return { write: toStandardOutput, close: async () => {} };
  const isFolder = await stat(to).then(
    (found) => found.isDirectory(),
    () => false,
  );
  const files = new Map<string, WriteStream>();
  const fileOf = async (type: string): Promise<WriteStream> => {
    const path = isFolder ? join(to, `${type}.ndjson`) : to;
    const known = files.get(path);
    if (known !== undefined) return known;
    const file = createWriteStream(path, { flags: "wx", mode: 0o600 });
    // Said by whoever waits for it.
    file.on("error", () => {});
    try {
      await once(file, "open");
    } catch (error) {
      throw unwritable(path, error);
    }
    files.set(path, file);
    return file;
  };
  return {
    async write(line) {
      const file = await fileOf(line.type);
      if (file.errored !== null) throw unwritable(String(file.path), file.errored);
      if (!file.write(`${JSON.stringify(line)}\n`)) {
        await once(file, "drain").catch((error: unknown) => {
          throw unwritable(String(file.path), error);
        });
      }
    },
    async close() {
      for (const file of files.values()) {
        await new Promise<void>((resolve, reject) =>
          file.end((error?: Error | null) =>
            error ? reject(unwritable(String(file.path), error)) : resolve(),
          ),
        );
      }
    },
  };
}

async function toStandardOutput(line: ExportLine): Promise<void> {
  if (await writeOut(`${JSON.stringify(line)}\n`)) return;
  throw new PasswrightError(
    "invalid_state",
    "Nobody reads standard output any more: the export is not complete.",
  );
}

function unwritable(path: string, error: unknown): PasswrightError {
  const { code } = error as NodeJS.ErrnoException;
  if (code === "EEXIST") return invalidRequest([{ path: "--to", message: `exists already: ${path}` }]);
  return new PasswrightError("invalid_state", `${path} cannot be written: ${code}.`, { cause: error });
}
