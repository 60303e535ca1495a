import { execFileSync } from "node:child_process";
import { randomBytes } from "node:crypto";
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { crc32 } from "node:zlib";
import t from "tap";
import { type ZipOpening, zip as zipInPieces, zipOpening } from "../../../src/providers/apple/zip-store.ts";
import { listWithPython, unpack } from "./fixtures/archive.ts";

type WholeFile = { path: string; content: Uint8Array };

async function zip(opening: ZipOpening, files: readonly WholeFile[]): Promise<Buffer> {
  return Buffer.concat(await zipInPieces(opening, files));
}

const opening: WholeFile[] = [
  { path: "icon.png", content: Buffer.from([0, 1, 2, 255]) },
  { path: "zh-Hant.lproj/図.txt", content: Buffer.from("繁體") },
  { path: "empty", content: new Uint8Array() },
];
const rest: WholeFile[] = [
  { path: "pass.json", content: Buffer.from("{}") },
  { path: "big", content: Buffer.alloc(100_000, "PK\x03\x04") },
];

t.test("unzip and Python's zipfile read every file as it was put in", async (t) => {
  const dir = t.testdir();
  const archive = await zip(await zipOpening(opening), rest);
  t.strictSame(
    listWithPython(dir, archive),
    [...opening, ...rest].map(({ path, content }) => ({
      path,
      method: 0,
      crc: crc32(content),
      size: content.byteLength,
    })),
  );
  const folder = unpack(dir, "out", archive);
  for (const { path, content } of [...opening, ...rest].filter(({ path }) => /^[ -~]+$/.test(path))) {
    t.ok(readFileSync(join(folder, path)).equals(content), path);
  }
});

t.test("a changed byte is noticed by unzip", async (t) => {
  const dir = t.testdir();
  const archive = await zip(await zipOpening(opening), rest);
  archive[archive.length - 40_000] = 0x21;
  archive.fill(0x21, 40, 42);
  t.throws(() => unpack(dir, "out", archive));
});

t.test("one opening serves many archives, and equal files give equal bytes", async (t) => {
  const shared = await zipOpening(opening);
  const before = Buffer.from(shared.entries);
  const first = await zip(shared, rest);
  const other = await zip(shared, [{ path: "other", content: Buffer.from("x") }]);
  t.ok((await zip(shared, rest)).equals(first));
  t.ok((await zip(await zipOpening(opening), rest)).equals(first));
  t.notOk(other.equals(first));
  t.ok(shared.entries.equals(before));
});

t.test("the opening is not copied, and a file in pieces is as one", async (t) => {
  const shared = await zipOpening(opening);
  const halves = rest.map(({ path, content }) => ({
    path,
    content: [content.subarray(0, 1), content.subarray(1)],
  }));
  const pieces = await zipInPieces(shared, halves);
  t.equal(pieces[0], shared.entries);
  t.ok(Buffer.concat(pieces).equals(await zip(shared, rest)));
});

t.test("files need no opening", async (t) => {
  t.strictSame(
    listWithPython(t.testdir(), await zip(await zipOpening([]), rest)).map(({ path }) => path),
    ["pass.json", "big"],
  );
});

t.test("large files are read as they were put in, and the event loop turns while they are", async (t) => {
  const dir = t.testdir();
  const [first, large] = [Buffer.alloc(700_000, "a first file "), randomBytes(3_000_000)];
  let turns = 0;
  let next = setImmediate(function count() {
    turns += 1;
    next = setImmediate(count);
  });
  const archive = await zip(await zipOpening([{ path: "first", content: first }]), [
    { path: "large", content: large },
    { path: "small", content: Buffer.from("x") },
  ]);
  clearImmediate(next);
  const folder = unpack(dir, "out", archive);
  t.ok(readFileSync(join(folder, "first")).equals(first));
  t.ok(readFileSync(join(folder, "large")).equals(large));
  t.ok(turns >= Math.floor(archive.length / (512 * 1024)), `${turns} turns`);
});

t.test("unpacked files are plain readable files", async (t) => {
  const dir = t.testdir();
  writeFileSync(join(dir, "a.zip"), await zip(await zipOpening(opening), rest));
  const printed = execFileSync("unzip", ["-Z", "a.zip"], { cwd: dir, encoding: "utf8" });
  t.match(printed, /-rw-r--r--.*stor.*80-Jan-01 00:00 pass\.json/);
});
