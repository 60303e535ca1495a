// Runs the tests: `npm test`, or `npm test -- test/domain/x.ts` for some files or folders, as many at a time as there
// are processors. --grep=PATTERN, --bail and --timeout=SECONDS mean what they mean to tap.
//
// tap's own runner is not used: it has every file, and every process that one starts, tell which modules it loads, which
// nobody here asks for, and which takes as long as the start of a process of ours.
//
// A file below test/ is a test when it imports the value `t` from tap; every other file there is material for
// tests. All of them share one private Redis, PASSWRIGHT_TEST_REDIS_URL, each on a key prefix of its own.
// The last line is `N passed, N failed`, and `, N skipped` where there are any, counted in assertions.

import { spawn } from "node:child_process";
import {
  existsSync,
  globSync,
  mkdtempSync,
  readFileSync,
  realpathSync,
  rmSync,
  statfsSync,
  statSync,
} from "node:fs";
import { createServer } from "node:net";
import { availableParallelism, tmpdir } from "node:os";
import { delimiter, dirname, join, relative, resolve } from "node:path";
import { pathToFileURL } from "node:url";
import { styleText } from "node:util";
import { Parser } from "tap-parser";
import { root } from "./build.mjs";
import { findRedisServer, runtime } from "./setup.mjs";

const importsTap = /^import (?!type\b)[^;]*? from "tap";/m;

/** The test files among the given paths, which are files or folders; those of test/ where none is given. */
export function testFiles(paths = []) {
  const places = paths.length > 0 ? paths.map((path) => resolve(path)) : [join(root, "test")];
  return places.flatMap((place) => {
    if (!existsSync(place)) throw new Error(`there is no ${relative(root, place)}`);
    if (statSync(place).isFile()) return [relative(root, place)];
    return globSync("**/*.ts", { cwd: place })
      .map((name) => join(place, name))
      .filter((file) => importsTap.test(readFileSync(file, "utf8")))
      .map((file) => relative(root, file))
      .sort();
  });
}

/** The environment of a test: `node` is the runtime, whatever the shell's is. */
export function testEnvironment() {
  return { ...process.env, PATH: `${dirname(runtime())}${delimiter}${process.env.PATH ?? ""}` };
}

/** A folder for the tests' files: in memory where there is room, since a disk that syncs slowly makes a store look dead. */
function scratchFolder() {
  const memory = "/dev/shm";
  const { bavail = 0, bsize = 0 } = existsSync(memory) ? statfsSync(memory) : {};
  return realpathSync(
    mkdtempSync(join(bavail * bsize > enoughMemory ? memory : tmpdir(), "passwright-tests-")),
  );
}

const enoughMemory = 4 * 1024 ** 3;

/**
 * Starts a Redis on a free loopback port that keeps nothing. It ends with stop(), and also when this process
 * dies without a word: a shell holds the other end of a pipe to us and takes the server down with it.
 */
async function startRedis(scratch, attempt = 1) {
  const { path } = findRedisServer();
  if (path === undefined) throw new Error("there is no redis-server; run: node scripts/setup.mjs --redis");
  const port = await freePort();
  const folder = mkdtempSync(join(scratch, "redis-"));
  const settings = { port, bind: "127.0.0.1", dir: folder, save: "", appendonly: "no", databases: 1 };
  const keeper = spawn(
    "/bin/sh",
    [
      "-c",
      'folder=$1; shift; "$@" & server=$!; exec >&-; read -r _; kill "$server"; wait; rm -rf "$folder"',
      "redis-keeper",
      folder,
      path,
      ...Object.entries(settings).flatMap(([name, value]) => [`--${name}`, String(value)]),
    ],
    // A group of its own: Ctrl-C is for the tests, which still need their Redis to end in order.
    { stdio: ["pipe", "pipe", "inherit"], detached: true },
  );
  const ended = new Promise((done) => keeper.on("exit", done));
  const stop = async () => {
    keeper.stdin.end();
    await ended;
  };
  const log = await untilReady(keeper.stdout);
  if (log === undefined) return { url: `redis://127.0.0.1:${port}`, stop };
  await stop();
  // Between our choice of a port and its use somebody else may take it.
  if (attempt < 3 && /Address already in use/i.test(log)) return startRedis(scratch, attempt + 1);
  throw new Error(`redis-server did not start:\n${log}`);
}

/** Undefined once the server accepts connections, or what it said before it ended. */
function untilReady(output) {
  return new Promise((done) => {
    let log = "";
    output.setEncoding("utf8");
    output.on("data", (text) => {
      log += text;
      if (/Ready to accept connections/.test(log)) done(undefined);
    });
    output.on("close", () => done(log));
  });
}

function freePort() {
  return new Promise((done, failed) => {
    const server = createServer();
    server.on("error", failed);
    server.listen(0, "127.0.0.1", () => {
      const { port } = server.address();
      server.close(() => done(port));
    });
  });
}

/** The options, as tap's library reads them. */
function tapSettings(options) {
  const settings = { TAP: "1", TAP_TIMEOUT: "300" };
  for (const option of options) {
    const [, name, value] = /^--(\w+)(?:=(.*))?$/s.exec(option) ?? [];
    if (name === "grep" && value) settings.TAP_GREP = value;
    else if (name === "bail" && value === undefined) settings.TAP_BAIL = "1";
    else if (name === "timeout" && Number(value) > 0) settings.TAP_TIMEOUT = value;
    else throw new Error(`${option} is not known; there are --grep=PATTERN, --bail and --timeout=SECONDS`);
  }
  return settings;
}

/** A file may ask for more time than the others, and keeps time itself; this is for one that cannot any more. */
const hardLimitMs = 1_260_000;

/** What replaces modules for `t.mockImport`. */
const mocking = pathToFileURL(join(root, "node_modules", "@tapjs", "mock", "dist", "esm", "import.mjs")).href;

/** Runs the files and reports each as it ends, and at the end everything about each failure. Resolves to the counts. */
async function runFiles(files, options, { redisUrl, scratch }) {
  const settings = tapSettings(options);
  const env = { ...testEnvironment(), ...settings, TMPDIR: scratch, PASSWRIGHT_TEST_REDIS_URL: redisUrl };
  const running = new Set();
  let stopped = false;
  const stop = (signal) => {
    stopped = true;
    for (const child of running) child.kill(signal);
  };
  // Ctrl-C reaches the tests by itself; we wait for their end.
  process
    .on("SIGTERM", stop)
    .on("SIGHUP", stop)
    .on("SIGINT", () => {
      stopped = true;
    });

  const total = { passed: 0, failed: 0, skipped: 0 };
  const failures = [];
  const waiting = [...files];
  const work = async () => {
    for (let file = waiting.shift(); file !== undefined && !stopped; file = waiting.shift()) {
      const startedAt = performance.now();
      const child = spawn(runtime(), [`--import=${mocking}`, "--enable-source-maps", file], {
        cwd: root,
        stdio: ["ignore", "pipe", "inherit"],
        env,
      });
      running.add(child);
      const { counts, failed } = await outcomeOf(child);
      running.delete(child);
      const seconds = ((performance.now() - startedAt) / 1000).toFixed(1);
      const verdict = counts.failed === 0 ? styleText("green", "ok    ") : styleText("red", "FAILED");
      console.log(`${verdict} ${file}: ${summary(counts)} in ${seconds} s`);
      for (const name of Object.keys(total)) total[name] += counts[name];
      failures.push(...failed.map((failure) => ({ ...failure, file })));
      if (settings.TAP_BAIL !== undefined && counts.failed > 0) stopped = true;
    }
  };
  await Promise.all(Array.from({ length: availableParallelism() }, work));
  for (const failure of failures) describe(failure);
  return { ...total, unfinished: stopped };
}

/** Reads a test file's TAP until its process is gone. */
async function outcomeOf(child) {
  const parser = new Parser();
  const counts = { passed: 0, failed: 0, skipped: 0 };
  const failed = [];
  // These four speak of assertions at any depth.
  parser.on("pass", () => counts.passed++);
  parser.on("skip", () => counts.skipped++);
  parser.on("todo", () => counts.skipped++);
  parser.on("fail", (result) => {
    counts.failed++;
    failed.push(result);
  });
  passOnPrintedLines(parser);
  const complete = new Promise((done) => parser.on("complete", done));
  const limit = setTimeout(() => child.kill("SIGKILL"), hardLimitMs);
  const gone = new Promise((done) => child.on("close", (code, signal) => done({ code, signal })));
  child.stdout.pipe(parser);
  const [{ code, signal }, { ok }] = await Promise.all([gone, complete]);
  clearTimeout(limit);
  // A file that ended before its first assertion, or badly after its last, is itself what failed.
  const fault = signal
    ? `ended by ${signal}`
    : code !== 0
      ? `ended with exit code ${code}`
      : ok
        ? counts.passed + counts.skipped === 0 && "asserted nothing"
        : "what it printed is not whole";
  if (counts.failed === 0 && fault) {
    counts.failed = 1;
    failed.push({ fullname: "", diag: { file: fault } });
  }
  return { counts, failed };
}

/** What tests print themselves is shown as it is. */
function passOnPrintedLines(parser) {
  parser.on("extra", (text) => process.stdout.write(text));
  parser.on("child", passOnPrintedLines);
}

/** Where a failure is and what tap knows of it. */
function describe({ file, fullname, diag }) {
  const { at, ...facts } = diag ?? {};
  console.log(`\n${styleText("red", "FAILED")} ${[file, fullname].filter(Boolean).join(" > ")}`);
  if (at?.fileName) console.log(`  ${at.fileName}:${at.lineNumber}:${at.columnNumber}`);
  for (const [fact, value] of Object.entries(facts)) {
    const text = typeof value === "string" ? value.trimEnd() : JSON.stringify(value);
    console.log(`  ${fact}:${text.includes("\n") ? `\n${text.replace(/^/gm, "    ")}` : ` ${text}`}`);
  }
}

function summary({ passed, failed, skipped }) {
  return `${passed} passed, ${failed} failed${skipped > 0 ? `, ${skipped} skipped` : ""}`;
}

async function main(args) {
  const options = args.filter((arg) => arg.startsWith("-"));
  const files = testFiles(args.filter((arg) => !arg.startsWith("-")));
  if (files.length === 0) throw new Error("there is no test to run");
  const scratch = scratchFolder();
  const redis = await startRedis(scratch);
  try {
    const counts = await runFiles(files, options, { redisUrl: redis.url, scratch });
    console.log(`\n${summary(counts)}`);
    if (counts.passed + counts.failed === 0) throw new Error("no test was executed");
    return counts.failed > 0 || counts.unfinished ? 1 : 0;
  } finally {
    await redis.stop();
    rmSync(scratch, { recursive: true, force: true });
  }
}

if (import.meta.url === pathToFileURL(process.argv[1] ?? "").href) {
  try {
    process.exitCode = await main(process.argv.slice(2));
  } catch (error) {
    console.error(`test: ${error.message}`);
    process.exitCode = 1;
  }
}
