/** Reads ZIP archives (APPNOTE.TXT 6.3.10) of somebody who is not trusted: everything has a limit, and nothing is written. */
import { crc32, inflateRawSync } from "node:zlib";
import { PassRefused } from "./refusal.ts";

const endOfDirectory = 0x06054b50;
const directoryRecord = 0x02014b50;
const localHeader = 0x04034b50;

const mostFiles = 500;
const mostFileBytes = 10_000_000;
const mostBytes = 40_000_000;

type Entry = {
  path: string;
  flags: number;
  method: number;
  crc: number;
  packed: number;
  size: number;
  at: number;
};

/** The files of an archive by their path. Throws PassRefused where it is broken, odd, or too large when unpacked. */
export function filesIn(archive: Buffer): Map<string, Buffer> {
  try {
    return unpacked(archive);
  } catch (error) {
    if (error instanceof PassRefused) throw error;
    // Offsets that lead out of the archive, and data that does not inflate.
    throw new PassRefused("The pass is no sound ZIP archive.");
  }
}

function unpacked(archive: Buffer): Map<string, Buffer> {
  const files = new Map<string, Buffer>();
  let total = 0;
  for (const entry of directoryOf(archive)) {
    if (entry.path.endsWith("/") && entry.size === 0) continue;
    const { path, size } = entry;
    if (isOdd(path))
      throw new PassRefused(`A file of the pass has a path that is not allowed: ${quoted(path)}.`);
    if (files.has(path)) throw new PassRefused(`The pass has two files ${quoted(path)}.`);
    total += size;
    if (size > mostFileBytes || total > mostBytes) {
      throw new PassRefused(`The pass is too large when it is unpacked, at ${quoted(path)}.`);
    }
    files.set(path, contentOf(archive, entry));
  }
  return files;
}

function directoryOf(archive: Buffer): Entry[] {
  // The record stands at the end; only a comment of at most 65,535 bytes may follow.
  const from = Math.max(0, archive.length - 65_557);
  const signature = Buffer.alloc(4);
  signature.writeUInt32LE(endOfDirectory);
  const end = archive.subarray(from).lastIndexOf(signature);
  if (end < 0) throw new PassRefused("The pass is no ZIP archive.");
  const count = archive.readUInt16LE(from + end + 10);
  if (count > mostFiles) throw new PassRefused(`The pass has ${count} files; ${mostFiles} are allowed.`);
  const entries: Entry[] = [];
  let at = archive.readUInt32LE(from + end + 16);
  for (let number = 0; number < count; number += 1) {
    if (archive.readUInt32LE(at) !== directoryRecord)
      throw new PassRefused("The pass's directory is broken.");
    const nameLength = archive.readUInt16LE(at + 28);
    entries.push({
      path: archive.toString("utf8", at + 46, at + 46 + nameLength),
      flags: archive.readUInt16LE(at + 8),
      method: archive.readUInt16LE(at + 10),
      crc: archive.readUInt32LE(at + 16),
      packed: archive.readUInt32LE(at + 20),
      size: archive.readUInt32LE(at + 24),
      at: archive.readUInt32LE(at + 42),
    });
    at += 46 + nameLength + archive.readUInt16LE(at + 30) + archive.readUInt16LE(at + 32);
  }
  return entries;
}

function contentOf(archive: Buffer, { path, flags, method, crc, packed, size, at }: Entry): Buffer {
  if (archive.readUInt32LE(at) !== localHeader)
    throw new PassRefused(`${quoted(path)} is not where it should be.`);
  if ((flags & 1) === 1) throw new PassRefused(`${quoted(path)} is encrypted.`);
  const start = at + 30 + archive.readUInt16LE(at + 26) + archive.readUInt16LE(at + 28);
  const stored = archive.subarray(start, start + packed);
  if (method !== 0 && method !== 8)
    throw new PassRefused(`${quoted(path)} is packed in an unknown way, ${method}.`);
  // A file that says to be smaller than it is ends there.
  const content = method === 0 ? stored : inflateRawSync(stored, { maxOutputLength: Math.max(size, 1) });
  if (content.length !== size || crc32(content) !== crc) throw new PassRefused(`${quoted(path)} is damaged.`);
  return content;
}

/** Absolute, with a step up or an empty one, or with characters that no file of a pass needs. */
function isOdd(path: string): boolean {
  return /[\\\p{Cc}\ufffd:]/u.test(path) || path.split("/").some((step) => /^\.{0,2}$/.test(step));
}

function quoted(path: string): string {
  return JSON.stringify(path.slice(0, 200));
}
