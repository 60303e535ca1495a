/**
 * Signed passes a second: ours beside passkit-generator, the same images and data in the same run, one pass
 * after the other, in alternating rounds; and how long the event loop of a process stands still meanwhile, also
 * for the first passes of a template with large images, beside a process that does nothing. Run it with
 * `node bench/pkpass.ts`; it needs openssl and unzip.
 */
import { createPrivateKey, randomBytes, sign } from "node:crypto";
import { mkdtempSync, rmSync } from "node:fs";
import { cpus, tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as pause } from "node:timers/promises";
import { setFlagsFromString } from "node:v8";
import { runInNewContext } from "node:vm";
import { PKPass } from "passkit-generator";
import { systemClock } from "../src/domain/clock.ts";
import type { PassToIssue } from "../src/domain/providers/provider.ts";
import { passJson, passJsonBytes } from "../src/providers/apple/pass-json.ts";
import { createAppleProvider } from "../src/providers/apple/provider.ts";
import { readJson, sha1sums, unpack, verifyWithOpenssl } from "../test/providers/apple/fixtures/archive.ts";
import { createAuthority } from "../test/providers/apple/fixtures/authority.ts";
import { credentialsOf, passToIssue } from "../test/providers/apple/fixtures/pass-to-issue.ts";
import { longestPause, type Pause, reportPauses } from "./support/longest-pause.ts";

const rounds = 7;
const oursPerRound = 400;
const theirsPerRound = 8;
const signaturesPerRound = 800;
const pausesPerRound = 100;
const largePerRound = 5;
/** What is demanded of the figures. */
const bars = { timesTheirs: 50, shareOfSignatures: 50, pauseMs: 5 };

/** Nine images of a usual store card, 432 KB in all; random, since PNG data does not compress any further. */
const imageSizes: Record<string, number> = {
  "icon.png": 3_000,
  "icon@2x.png": 7_000,
  "icon@3x.png": 12_000,
  "logo.png": 8_000,
  "logo@2x.png": 18_000,
  "logo@3x.png": 32_000,
  "strip.png": 52_000,
  "strip@2x.png": 110_000,
  "strip@3x.png": 190_000,
};
const images = new Map(Object.entries(imageSizes).map(([path, size]) => [path, randomBytes(size)]));

/** Five images of the largest size that a template may have, 10 MiB in all. */
const largeImages = new Map(
  ["icon.png", "strip.png", "strip@2x.png", "strip@3x.png", "background@3x.png"].map(
    (path): [string, Buffer] => [path, randomBytes(2 * 1024 * 1024)],
  ),
);

/** As it is sent: ours in pieces, the images of all passes being the same one; theirs whole. */
type Built = { archive: readonly Uint8Array[]; job: PassToIssue };
type Sample = { perSecond: number; cpuMsPerPass: number };

/** Before each round, so that nobody pays for what another left behind. */
setFlagsFromString("--expose-gc");
const collectGarbage: () => void = runInNewContext("gc");

const dir = mkdtempSync(join(tmpdir(), "passwright-bench-"));
try {
  await run();
} finally {
  rmSync(dir, { recursive: true });
}

async function run(): Promise<void> {
  const authority = createAuthority(dir);
  const leaf = authority.leaf("rsa");
  const credentials = credentialsOf(authority, leaf);
  const provider = createAppleProvider({ clock: systemClock });
  const buffers = Object.fromEntries(images);
  const peerCertificates = {
    signerCert: leaf.certificate,
    signerKey: leaf.key,
    wwdr: authority.intermediate,
  };

  let serial = 0;
  const nextJob = () => {
    serial += 1;
    return passToIssue({ images, pass: { id: `serial-${serial}`, data: { name: `Member ${serial}` } } });
  };
  const ours = async (): Promise<Built> => {
    const job = nextJob();
    return { job, archive: await provider.build(job, credentials) };
  };
  const theirs = async (): Promise<Built> => {
    const job = nextJob();
    const files = { ...buffers, "pass.json": passJsonBytes(passJson(job, credentials)) };
    return { job, archive: [new PKPass(files, peerCertificates).getAsBuffer()] };
  };
  /** Nothing is known yet: every image is hashed, key and certificates are read. */
  const firstOfLarge = async (): Promise<void> => {
    const fresh = createAppleProvider({ clock: systemClock });
    await fresh.build(passToIssue({ images: largeImages }), credentials);
    await fresh.close();
  };
  const largeJob = passToIssue({ images: largeImages, templateVersion: 2 });
  const laterOfLarge = (): Promise<unknown> => provider.build(largeJob, credentials);
  const key = createPrivateKey(leaf.key);
  const attributes = randomBytes(105);
  const signature = async () => sign("sha256", attributes, key);

  await measure(ours, 50);
  await measure(theirs, 1);
  await measure(laterOfLarge, 2);
  const samples = {
    ours: [] as Sample[],
    theirs: [] as Sample[],
    raw: [] as Sample[],
  };
  const pauses = {
    ours: [] as Pause[],
    firstOfLarge: [] as Pause[],
    laterOfLarge: [] as Pause[],
    theirs: [] as Pause[],
    nothing: [] as Pause[],
  };
  const built: Built[] = [];
  for (let round = 0; round < rounds; round++) {
    samples.ours.push(await measure(ours, oursPerRound));
    samples.theirs.push(await measure(theirs, theirsPerRound));
    samples.raw.push(await measure(signature, signaturesPerRound));
    pauses.ours.push(await longestPause(ours, pausesPerRound));
    pauses.firstOfLarge.push(await longestPause(firstOfLarge, largePerRound));
    pauses.laterOfLarge.push(await longestPause(laterOfLarge, largePerRound));
    pauses.theirs.push(await longestPause(theirs, 2));
    pauses.nothing.push(await longestPause(() => pause(10), 30));
    built.push(await ours(), await theirs());
  }
  await provider.close();
  for (const [i, each] of built.entries()) check(each, `checked-${i}`, join(dir, authority.rootFile));

  console.log(
    `Node ${process.version}, ${cpus().length} x ${cpus()[0]?.model}; ${rounds} rounds, alternating`,
  );
  console.log(
    `A pass: ${images.size} images, ${bytesOf(built[0])} bytes (passkit-generator ${bytesOf(built[1])})`,
  );
  report("Passwright", samples.ours);
  report("passkit-generator", samples.theirs);
  report("RSA-2048 signatures alone", samples.raw);
  const { ours: our, theirs: peer, raw } = samples;
  const ratios = our.map(({ perSecond }, i) => perSecond / (peer[i]?.perSecond ?? Number.NaN));
  console.log(
    `Ratio to passkit-generator: ${median(ratios).toFixed(0)}x by the clock (min ${Math.min(...ratios).toFixed(0)}, ` +
      `max ${Math.max(...ratios).toFixed(0)}), ${(medianCpu(peer) / medianCpu(our)).toFixed(0)}x by CPU time (bar: ${bars.timesTheirs}x)`,
  );
  const shares = our.map(({ perSecond }, i) => (100 * perSecond) / (raw[i]?.perSecond ?? Number.NaN));
  console.log(
    `Share of the machine's signature rate: ${median(shares).toFixed(0)} % by the clock, ` +
      `${((100 * medianCpu(raw)) / medianCpu(our)).toFixed(0)} % by CPU time (bar: ${bars.shareOfSignatures} %)`,
  );
  console.log(`Longest pause of the event loop (bar: ${bars.pauseMs} ms of its own CPU)`);
  reportPauses("  these passes", pauses.ours);
  reportPauses("  the first pass of a template of 10 MiB", pauses.firstOfLarge);
  reportPauses("  a later pass of it", pauses.laterOfLarge);
  reportPauses("  passkit-generator", pauses.theirs);
  reportPauses("  nothing at all", pauses.nothing);
  console.log(`${built.length} passes unpacked; manifests and signatures accepted by sha1sum and OpenSSL`);
}

/** One after the other, so that no more than one core works at a time, whichever thread signs. */
async function measure(build: () => Promise<unknown>, count: number): Promise<Sample> {
  collectGarbage();
  const cpuBefore = process.cpuUsage();
  const startedAt = performance.now();
  for (let i = 0; i < count; i++) await build();
  const elapsedMs = performance.now() - startedAt;
  const { user, system } = process.cpuUsage(cpuBefore);
  return {
    perSecond: (1000 * count) / elapsedMs,
    cpuMsPerPass: (user + system) / 1000 / count,
  };
}

/** Both sides must have done the same work, and rightly. */
function check({ archive, job }: Built, name: string, rootFile: string): void {
  const folder = unpack(dir, name, Buffer.concat(archive));
  verifyWithOpenssl(folder, rootFile);
  const manifest = JSON.stringify(Object.entries(readJson(folder, "manifest.json")).toSorted());
  if (manifest !== JSON.stringify(Object.entries(sha1sums(folder)).toSorted()))
    throw new Error(`${name}: manifest`);
  if (readJson(folder, "pass.json").serialNumber !== job.pass.id) throw new Error(`${name}: serial number`);
}

function bytesOf(built: Built | undefined): number {
  return (built?.archive ?? []).reduce((sum, piece) => sum + piece.byteLength, 0);
}

function report(name: string, samples: Sample[]): void {
  const rates = samples.map(({ perSecond }) => perSecond);
  const digits = median(rates) < 100 ? 1 : 0;
  console.log(
    `${name.padEnd(26)} ${median(rates).toFixed(digits).padStart(7)}/s ` +
      `(min ${Math.min(...rates).toFixed(digits)}, max ${Math.max(...rates).toFixed(digits)}), ${medianCpu(samples).toFixed(3)} ms CPU each`,
  );
}

function medianCpu(samples: Sample[]): number {
  return median(samples.map(({ cpuMsPerPass }) => cpuMsPerPass));
}

function median(values: number[]): number {
  return values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)] ?? Number.NaN;
}
