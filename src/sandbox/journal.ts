import { closeSync, existsSync, fsyncSync, openSync, readFileSync, renameSync, writeSync } from "node:fs";

/** A map that survives: every change is a line of an append-only file, written before the call returns. */
export type Journal<T> = {
  get(key: string): T | undefined;
  set(key: string, value: T): void;
  delete(key: string): void;
  values(): IterableIterator<T>;
  readonly size: number;
  close(): void;
};

/** `["key", value]` sets, `["key"]` deletes. */
type Line = [key: string, value?: unknown];

const compactAfterDeadLines = 20_000;

/**
 * Opens a journal of values of type T, which is the only writer of `file` and so trusts what it reads back.
 * The file is compacted now, and again when outlived lines pile up. A last line that a crash tore is dropped,
 * since its change was never answered; damage anywhere else is an error that names the line.
 */
export function openJournal<T>(file: string): Journal<T> {
  const map = new Map<string, T>();
  for (const [key, ...value] of readLines(file)) {
    if (value.length === 0) map.delete(key);
    else map.set(key, value[0] as T);
  }

  let descriptor = compact();
  let written = map.size;
  let isOpen = true;

  function compact(): number {
    const next = openSync(`${file}.new`, "w", 0o600);
    for (const entry of map) writeLine(next, entry);
    fsyncSync(next);
    renameSync(`${file}.new`, file);
    return next;
  }

  function append(line: Line): void {
    // The number of a closed descriptor may by now be that of another file.
    if (!isOpen) throw new Error(`${file} is closed`);
    writeLine(descriptor, line);
    written += 1;
    if (written - map.size < Math.max(compactAfterDeadLines, map.size)) return;
    closeSync(descriptor);
    descriptor = compact();
    written = map.size;
  }

  return {
    get: (key) => map.get(key),
    set(key, value) {
      map.set(key, value);
      append([key, value]);
    },
    delete(key) {
      if (map.delete(key)) append([key]);
    },
    values: () => map.values(),
    get size() {
      return map.size;
    },
    close() {
      if (isOpen) closeSync(descriptor);
      isOpen = false;
    },
  };
}

function writeLine(descriptor: number, line: Line): void {
  const bytes = Buffer.from(`${JSON.stringify(line)}\n`);
  for (let done = 0; done < bytes.length; ) done += writeSync(descriptor, bytes, done);
}

function readLines(file: string): Line[] {
  if (!existsSync(file)) return [];
  const lines = readFileSync(file, "utf8").split("\n");
  // What follows the last line feed is empty, or torn.
  lines.pop();
  return lines.map((text, index) => {
    try {
      return JSON.parse(text) as Line;
    } catch (cause) {
      throw new Error(`${file}: line ${index + 1} is damaged`, { cause });
    }
  });
}
