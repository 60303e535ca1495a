import { createHash, randomBytes } from "node:crypto";
import {
  chmodSync,
  existsSync,
  mkdirSync,
  readFileSync,
  realpathSync,
  renameSync,
  rmSync,
  writeFileSync,
} from "node:fs";
import { connect, createServer } from "node:net";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { PasswrightError } from "../domain/errors.ts";

/** Where `up` keeps everything that outlives it. */
export type DataFolder = {
  path: string;
  file(...names: string[]): string;
  /** A JSON document, or null when there is none. */
  readJson<Shape>(name: string): Shape | null;
  /** Replaces a document whole, readable by the owner only. */
  writeJson(name: string, value: object): void;
  /** The master key's file, made on the first run. */
  masterKeyFile(): string;
  release(): void;
};

/** Opens the folder, making it if need be, and holds it against a second `up`. Rejects with invalid_state when one holds it. */
export async function openDataFolder(directory: string): Promise<DataFolder> {
  mkdirSync(directory, { recursive: true, mode: 0o700 });
  // Redis tells where it keeps its data by the real path.
  const path = realpathSync(resolve(directory));
  const release = await holdAlone(path);
  const file = (...names: string[]): string => join(path, ...names);
  return {
    path,
    file,
    readJson<Shape>(name: string): Shape | null {
      return existsSync(file(name)) ? (JSON.parse(readFileSync(file(name), "utf8")) as Shape) : null;
    },
    writeJson(name, value) {
      writeWhole(file(name), `${JSON.stringify(value, null, 2)}\n`);
    },
    masterKeyFile() {
      const keyFile = file("master.key");
      if (!existsSync(keyFile)) writeWhole(keyFile, `${randomBytes(32).toString("base64")}\n`);
      chmodSync(keyFile, 0o600);
      return keyFile;
    },
    release,
  };
}

/** A reader sees the old text or the new one, never a part. */
function writeWhole(path: string, text: string): void {
  writeFileSync(`${path}.new`, text, { mode: 0o600 });
  renameSync(`${path}.new`, path);
}

/** The longest path that a Unix socket may have (sun_path). */
const longestSocketPath = 100;

/**
 * Listens on a socket that stands for the folder: unlike a file with a process id, it is let go by any end of the process,
 * and who answers is alive.
 */
async function holdAlone(path: string): Promise<() => void> {
  const inside = join(path, "up.sock");
  const digest = createHash("sha256").update(path).digest("hex").slice(0, 16);
  const socket = inside.length <= longestSocketPath ? inside : join(tmpdir(), `passwright-${digest}.sock`);
  if (await answers(socket)) {
    throw new PasswrightError(
      "invalid_state",
      `Another «passwright up» runs on ${path}. Stop it, or give this one a folder of its own with --data DIR.`,
    );
  }
  rmSync(socket, { force: true });
  const server = createServer((connection) => connection.end());
  await new Promise<void>((done, reject) => {
    server.once("error", reject);
    server.listen(socket, done);
  });
  return () => {
    server.close();
  };
}

function answers(socket: string): Promise<boolean> {
  return new Promise((done) => {
    const connection = connect(socket);
    connection.once("connect", () => {
      connection.destroy();
      done(true);
    });
    connection.once("error", () => done(false));
  });
}
