// Runs the tests: `npm test`, or `npm test -- test/domain/x.ts` for some files or folders. Options (--grep=…,
// --bail, --timeout=…) go to tap as they are.
//
// A file below test/ is a test when it imports the value `t` from tap; every other file there is material for
// tests. All of them share one private Redis, PASSWRIGHT_TEST_REDIS_URL, each on a key prefix of its own.
// The last line is `N passed, N failed`, and `, N skipped` where there are any, counted in assertions.

import { spawn, spawnSync } from "node:child_process";
import { existsSync, globSync, mkdtempSync, readFileSync, statSync } from "node:fs";
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

/**
 * Builds tap's Test class without the plugin that package.json takes out. tap would do it by itself, but
 * only after it has already decided how to start the test files.
 */
export function prepareTap() {
  const built = join(root, "node_modules", "@tapjs", "test", "test-built", "dist", "esm", "index.js");
  const { plugin = [] } = JSON.parse(readFileSync(join(root, "package.json"), "utf8")).tap ?? {};
  const signature =
    /export const signature = `([^`]*)`/.exec(readFileSync(built, "utf8"))?.[1]?.split("\n") ?? [];
  const agrees = plugin.every((name) =>
    name.startsWith("!") ? !signature.includes(name.slice(1)) : signature.includes(name),
  );
  if (agrees && existsSync(join(root, ".tap", "plugins", "node_modules"))) return;
  process.stderr.write("Preparing tap, once ...\n");
  const { status, stdout, stderr } = spawnSync(
    runtime(),
    [join(root, "node_modules", ".bin", "tap"), "build"],
    {
      cwd: root,
      encoding: "utf8",
      stdio: ["ignore", "pipe", "pipe"],
    },
  );
  if (status !== 0) throw new Error(`tap build failed\n${stdout}${stderr}`);
}

/** The environment of a test: `node` is the runtime, whatever the shell's is. */
export function testEnvironment() {
  return { ...process.env, PATH: `${dirname(runtime())}${delimiter}${process.env.PATH ?? ""}` };
}

/**
 * Starts a Redis on a free loopback port that keeps nothing. It ends with stop(), and also when this process
 * dies without a word: a shell holds the other end of a pipe to us and takes the server down with it.
 */
async function startRedis(attempt = 1) {
  const { path } = findRedisServer();
  if (path === undefined) throw new Error("there is no redis-server; run: node scripts/setup.mjs --redis");
  const port = await freePort();
  const folder = mkdtempSync(join(tmpdir(), "passwright-test-redis-"));
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
  if (attempt < 3 && /Address already in use/i.test(log)) return startRedis(attempt + 1);
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

/** Runs tap over the files; reports as they finish. Resolves to its exit code and the counts of its TAP stream. */
async function runTap(files, options, redisUrl) {
  const child = spawn(
    runtime(),
    [
      join(root, "node_modules", ".bin", "tap"),
      "run",
      "--disable-coverage",
      "--reporter=tap",
      `--jobs=${availableParallelism()}`,
      "--timeout=300",
      ...options,
      ...files,
    ],
    {
      cwd: root,
      stdio: ["ignore", "pipe", "inherit"],
      env: { ...testEnvironment(), PASSWRIGHT_TEST_REDIS_URL: redisUrl },
    },
  );
  const forward = (signal) => child.kill(signal);
  process.on("SIGTERM", forward).on("SIGHUP", forward);
  // Ctrl-C reaches tap by itself; we wait for its end.
  process.on("SIGINT", () => {});
  const ended = new Promise((done) => child.on("exit", (code) => done(code ?? 1)));
  const counts = await report(child.stdout);
  return { code: await ended, counts };
}

/** Prints a line per test file, and at the end everything about each failure. Resolves to the counts. */
function report(stream) {
  const parser = new Parser();
  const counts = { passed: 0, failed: 0, skipped: 0 };
  const failures = [];
  // These four speak of assertions at any depth; `assert` of the files, which come one after the other.
  parser.on("pass", () => counts.passed++);
  parser.on("skip", () => counts.skipped++);
  parser.on("todo", () => counts.skipped++);
  parser.on("fail", (result) => {
    counts.failed++;
    failures.push(result);
  });
  const shown = { passed: 0, failed: 0, skipped: 0 };
  parser.on("assert", (file) => {
    const own = Object.fromEntries(
      Object.entries(counts).map(([name, count]) => [name, count - shown[name]]),
    );
    // A file that ended before its first assertion is itself what failed, and is counted after this event.
    if (!file.ok && own.failed === 0) own.failed = 1;
    for (const name of Object.keys(shown)) shown[name] += own[name];
    const verdict = file.ok ? styleText("green", "ok    ") : styleText("red", "FAILED");
    console.log(`${verdict} ${file.name}: ${summary(own)}`);
  });
  passOnPrintedLines(parser);
  stream.pipe(parser);
  return new Promise((done) => {
    parser.on("complete", () => {
      for (const failure of failures) describe(failure);
      done(counts);
    });
  });
}

/** What tests print themselves is shown as it is. */
function passOnPrintedLines(parser) {
  parser.on("extra", (text) => process.stdout.write(text));
  parser.on("child", passOnPrintedLines);
}

/** Where a failure is and what tap knows of it, but for how tap started the file. */
function describe({ fullname, diag }) {
  const { at, stdio, cwd, externalID, command, args, jobId, ...facts } = diag ?? {};
  console.log(`\n${styleText("red", "FAILED")} ${fullname}`);
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
  prepareTap();
  const redis = await startRedis();
  try {
    const { code, counts } = await runTap(files, options, redis.url);
    console.log(`\n${summary(counts)}`);
    if (counts.passed + counts.failed === 0) throw new Error("no test was executed");
    return counts.failed > 0 ? 1 : code;
  } finally {
    await redis.stop();
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
