/**
 * ZIP archives without compression (APPNOTE.TXT 6.3.10, method 0): the images of a pass are compressed already,
 * and stored entries can be prepared once and copied into every archive.
 */
import { crcOf, joined, newTurn, type Turn } from "./in-slices.ts";

/** `content` whole, or in pieces. */
export type ZipFile = { path: string; content: Uint8Array | readonly Uint8Array[] };

/** Files that open an archive: since they come first, their offsets hold in every archive that begins with them. */
export type ZipOpening = { entries: Buffer; directory: Buffer; count: number };

const localHeader = 0x04034b50;
const directoryRecord = 0x02014b50;
const endOfDirectory = 0x06054b50;
const version1_0 = 10;
const unixVersion2_0 = (3 << 8) | 20;
const regularFile0644 = 0o100644 * 0x10000;
/** 1 January 1980, the first day of DOS time: archives of equal files are equal bytes. */
const epochDate = (0 << 9) | (1 << 5) | 1;
/** General purpose bit 11: the name is UTF-8. */
const utf8Name = 0x0800;

export async function zipOpening(files: readonly ZipFile[]): Promise<ZipOpening> {
  const turn = newTurn();
  const { entries, directory } = await layOut(files, 0, turn);
  return {
    entries: await joined(entries, turn),
    directory: Buffer.concat(directory),
    count: files.length,
  };
}

/** The whole archive in pieces: the opening, which is not copied, then `files`. Rejects with a RangeError beyond 65,535 files or 4 GiB (no ZIP64). */
export async function zip(opening: ZipOpening, files: readonly ZipFile[]): Promise<Uint8Array[]> {
  const { entries, directory, end } = await layOut(files, opening.entries.length, newTurn());
  const count = opening.count + files.length;
  const directoryLength = directory.reduce((sum, record) => sum + record.length, opening.directory.length);
  const trailer = Buffer.alloc(22);
  trailer.writeUInt32LE(endOfDirectory, 0);
  trailer.writeUInt16LE(count, 8);
  trailer.writeUInt16LE(count, 10);
  trailer.writeUInt32LE(directoryLength, 12);
  trailer.writeUInt32LE(end, 16);
  return [opening.entries, ...entries, opening.directory, ...directory, trailer];
}

/** Headers and contents of files one after the other from `start`, and their records in the central directory. */
async function layOut(files: readonly ZipFile[], start: number, turn: Turn) {
  const entries: Uint8Array[] = [];
  const directory: Buffer[] = [];
  let end = start;
  for (const file of files) {
    const content = file.content instanceof Uint8Array ? [file.content] : file.content;
    const size = content.reduce((sum, piece) => sum + piece.byteLength, 0);
    const { header, record } = describe(file.path, { crc: await crcOf(content, turn), size, offset: end });
    entries.push(header, ...content);
    directory.push(record);
    end += header.length + size;
  }
  return { entries, directory, end };
}

/** What surrounds one file: its header before the content, its record in the central directory. */
function describe(
  path: string,
  { crc, size, offset }: { crc: number; size: number; offset: number },
): { header: Buffer; record: Buffer } {
  const name = Buffer.from(path, "utf8");
  const flags = name.length === path.length ? 0 : utf8Name;
  // Both structures share these 26 octets, from «version needed» to the length of the extra field.
  const shared = Buffer.alloc(26);
  shared.writeUInt16LE(version1_0, 0);
  shared.writeUInt16LE(flags, 2);
  shared.writeUInt16LE(epochDate, 8);
  shared.writeUInt32LE(crc, 10);
  shared.writeUInt32LE(size, 14);
  shared.writeUInt32LE(size, 18);
  shared.writeUInt16LE(name.length, 22);

  const header = Buffer.alloc(30 + name.length);
  header.writeUInt32LE(localHeader, 0);
  shared.copy(header, 4);
  name.copy(header, 30);

  const record = Buffer.alloc(46 + name.length);
  record.writeUInt32LE(directoryRecord, 0);
  record.writeUInt16LE(unixVersion2_0, 4);
  shared.copy(record, 6);
  record.writeUInt32LE(regularFile0644, 38);
  record.writeUInt32LE(offset, 42);
  name.copy(record, 46);
  return { header, record };
}
