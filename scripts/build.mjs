// Compiles src to dist: `npm run build`. Plain node, no dependency but the compiler.
//
// The new tree is made beside the old one and swapped in at the end, so a broken build leaves the last good
// one in place. dist/.stamp is written last: it says which sources the build was made of.

import { spawnSync } from "node:child_process";
import { createHash } from "node:crypto";
import { cpSync, mkdirSync, readdirSync, readFileSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { dirname, join, relative } from "node:path";
import { fileURLToPath, pathToFileURL } from "node:url";

export const root = dirname(dirname(fileURLToPath(import.meta.url)));

/** What a build depends on besides src. */
const inputs = [
  "package.json",
  "package-lock.json",
  "tsconfig.json",
  "tsconfig.build.json",
  "scripts/build.mjs",
];
const stampFile = join(root, "dist", ".stamp");
const manifestFile = join(root, "oclif.manifest.json");

/** SHA-256 over the path and content of every file that a build depends on; times do not count. */
export function sourceFingerprint() {
  const hash = createHash("sha256");
  for (const file of [...inputs.map((name) => join(root, name)), ...filesBelow(join(root, "src"))]) {
    const content = readFileSync(file);
    hash.update(`${relative(root, file)}\0${content.length}\0`).update(content);
  }
  return hash.digest("hex");
}

/** True when dist was built from exactly the present sources. */
export function isBuilt() {
  try {
    return readFileSync(stampFile, "utf8") === sourceFingerprint();
  } catch {
    return false;
  }
}

/** Every file below a folder, sorted, as absolute paths. */
function filesBelow(folder) {
  return readdirSync(folder, { withFileTypes: true })
    .flatMap((entry) => {
      const path = join(folder, entry.name);
      return entry.isDirectory() ? filesBelow(path) : [path];
    })
    .sort();
}

async function build() {
  // Taken first: a file that changes while the compiler runs makes the stamp stale, as it should.
  const fingerprint = sourceFingerprint();
  const staging = join(root, `dist.new-${process.pid}`);
  mkdirSync(staging);
  try {
    compile(staging);
    copyAssets(staging);
    swapIn(staging);
  } finally {
    rmSync(staging, { recursive: true, force: true });
  }
  await writeManifest();
  writeFileSync(stampFile, fingerprint);
}

function compile(outDir) {
  const tsc = join(root, "node_modules", "typescript", "bin", "tsc");
  const { status } = spawnSync(process.execPath, [tsc, "-p", "tsconfig.build.json", "--outDir", outDir], {
    cwd: root,
    stdio: ["ignore", 2, 2],
  });
  if (status !== 0) throw new Error("the compiler found errors; dist is as it was before");
}

/** The viewer of the API's reference page, as a copy: what runs needs no package that only builds do. */
const referenceViewer = {
  "dist/rapidoc-min.js": "rapidoc-min.js",
  "LICENSE.txt": "LICENSE.txt",
  "dist/rapidoc-min.js.LICENSE.txt": "rapidoc-min.js.LICENSE.txt",
};

/** tsc copies no scripts, styles or other material that the code reads at run time. */
function copyAssets(outDir) {
  const source = join(root, "src");
  cpSync(source, outDir, {
    recursive: true,
    filter: (path) => !/\.tsx?$/.test(path),
  });
  const viewer = join(outDir, "http", "openapi", "reference", "rapidoc");
  for (const [file, copy] of Object.entries(referenceViewer)) {
    cpSync(join(root, "node_modules", "rapidoc", file), join(viewer, copy));
  }
}

function swapIn(staging) {
  const dist = join(root, "dist");
  const old = `${staging}.old`;
  try {
    renameSync(dist, old);
  } catch (error) {
    if (error.code !== "ENOENT") throw error;
  }
  renameSync(staging, dist);
  rmSync(old, { recursive: true, force: true });
}

/**
 * Tells oclif what commands there are, so that starting one does not import all of them.
 * With a manifest of an earlier build gone first: commands must never be listed from stale facts.
 */
async function writeManifest() {
  rmSync(manifestFile, { force: true });
  const { Plugin } = await import("@oclif/core");
  const plugin = new Plugin({ root, type: "core", ignoreManifest: true, errorOnManifestCreate: true });
  await plugin.load();
  writeFileSync(manifestFile, `${JSON.stringify(plugin.manifest, null, 2)}\n`);
}

if (import.meta.url === pathToFileURL(process.argv[1] ?? "").href) {
  try {
    await build();
  } catch (error) {
    console.error(`build: ${error.message}`);
    process.exitCode = 1;
  }
}
