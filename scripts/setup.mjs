// What `npm start` and `npm test` run first, so that a fresh clone needs nothing else:
//
//   node scripts/setup.mjs [--build] [--redis] [--tools]
//
// installs the dependencies, then as asked builds, finds or installs redis-server, and the programs that only
// the tests use. Says nothing when nothing is to do. Runs before any dependency is there, and on Node 18.

import { spawnSync } from "node:child_process";
import { accessSync, constants, existsSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { basename, delimiter, join } from "node:path";
import { pathToFileURL } from "node:url";
import { isBuilt, root } from "./build.mjs";

const oldestRedis = 7;

/** What the tests work with beyond Redis: programs, each under the names that it goes by, and libraries. */
const testTools = [
  { package: "openssl", programs: ["openssl"] },
  { package: "nginx", programs: ["nginx"] },
  { package: "haproxy", programs: ["haproxy"] },
  { package: "systemd", programs: ["systemd-analyze"] },
  { package: "tmux", programs: ["tmux"] },
  { package: "zsh", programs: ["zsh"] },
  { package: "fish", programs: ["fish"] },
  {
    package: "chromium",
    programs: ["chromium", "chromium-browser", "google-chrome", "google-chrome-stable"],
  },
  { package: "python3-jwt", isThere: () => pythonHas("jwt") },
  { package: "python3-cryptography", isThere: () => pythonHas("cryptography") },
  { package: "g++", programs: ["g++"] },
  { package: "libkpimpkpass-dev", isThere: () => existsSync("/usr/include/KPim/KPkPass/Pass") },
];

/** Debian's own Python, whose packages these are: another one may come first in the path. */
function pythonHas(module) {
  return succeedsSilently("/usr/bin/python3", ["-c", `import ${module}`]);
}

function isMissing(tool) {
  return tool.isThere === undefined ? !tool.programs.some((name) => locationsOf(name)[0]) : !tool.isThere();
}

const managers = [
  { program: "apt-get", command: "sudo apt-get install -y", redis: "redis-server" },
  { program: "dnf", command: "sudo dnf install -y", redis: "valkey" },
  { program: "brew", command: "brew install", redis: "redis" },
];

/** The Node that everything but this script runs on: the one among the dependencies, once they are there. */
export function runtime() {
  const own = join(root, "node_modules", "node", "bin", "node");
  return existsSync(own) ? own : process.execPath;
}

/**
 * A redis-server (or valkey-server) of version 7.0 or newer: PASSWRIGHT_REDIS_SERVER where that is set, else
 * the first that fits. `path` is undefined where none does; `rejected` says what was found instead.
 */
export function findRedisServer() {
  const named = process.env.PASSWRIGHT_REDIS_SERVER;
  const candidates = named ? [named] : ["redis-server", "valkey-server"].flatMap(locationsOf);
  const rejected = [];
  for (const path of candidates) {
    const version = /\bv=(\d+)\.(\d+)\S*/.exec(outputOf(path, ["--version"]));
    if (version !== null && Number(version[1]) >= oldestRedis) return { path, rejected };
    rejected.push(
      version === null ? `${path} is no Redis server` : `${path} is version ${version[0].slice(2)}`,
    );
  }
  return { path: undefined, rejected };
}

function outputOf(program, args) {
  return spawnSync(program, args, { encoding: "utf8", stdio: ["ignore", "pipe", "ignore"] }).stdout ?? "";
}

/** Where a program is, in the order of PATH and then of the places that a short PATH leaves out. */
function locationsOf(program) {
  const folders = [
    ...(process.env.PATH ?? "").split(delimiter),
    ...["/usr/bin", "/usr/sbin", "/usr/local/bin", "/opt/homebrew/bin"],
  ];
  return [...new Set(folders)].map((folder) => join(folder, program)).filter(isExecutable);
}

function isExecutable(path) {
  try {
    accessSync(path, constants.X_OK);
    return true;
  } catch {
    return false;
  }
}

/**
 * True when node_modules holds what the lock file says. npm keeps the record itself, and writes it last; an
 * optional package (another platform's binary) may be missing from it.
 */
function isInstalled() {
  try {
    const wanted = packagesIn("package-lock.json");
    const present = packagesIn("node_modules/.package-lock.json");
    return (
      existsSync(join(root, "node_modules", "node", "bin", "node")) &&
      Object.entries(wanted).every(([path, entry]) => {
        if (path === "") return true;
        const found = present[path];
        return found === undefined ? entry.optional === true : found.integrity === entry.integrity;
      })
    );
  } catch {
    return false;
  }
}

function packagesIn(lockFile) {
  return JSON.parse(readFileSync(join(root, lockFile), "utf8")).packages;
}

function install() {
  say("Installing the dependencies (npm ci), once; about half a minute ...");
  const npm = process.env.npm_execpath ?? "";
  const [program, ...args] = basename(npm) === "npm-cli.js" ? [process.execPath, npm] : ["npm"];
  // NODE_ENV=production would leave out the compiler and the runtime.
  const flags = ["ci", "--include=dev", "--no-audit", "--no-fund", "--loglevel=error"];
  if (!succeeds(program, [...args, ...flags])) fail("npm ci failed, see above.");
  if (!existsSync(join(root, "node_modules", "node", "bin", "node"))) {
    fail(
      "npm left out the install scripts, and with them Node 22. Allow them: npm config set ignore-scripts false",
    );
  }
}

function build() {
  say("Building ...");
  if (!succeeds(runtime(), [join(root, "scripts", "build.mjs")])) fail("The build failed, see above.");
}

/** Runs a program with its output on our standard error, so that standard output stays the main script's. */
function succeeds(program, args) {
  return spawnSync(program, args, { cwd: root, stdio: ["ignore", 2, 2] }).status === 0;
}

function provide({ redis, tools }) {
  const missingTools = tools ? testTools.filter(isMissing) : [];
  const needsRedis = redis && findRedisServer().path === undefined;
  if (needsRedis && process.env.PASSWRIGHT_REDIS_SERVER) {
    fail(
      `PASSWRIGHT_REDIS_SERVER names no server of version ${oldestRedis}.0 or newer: ${findRedisServer().rejected[0]}.`,
    );
  }
  if (!needsRedis && missingTools.length === 0) return;

  const manager = managers.find(({ program }) => locationsOf(program)[0] !== undefined);
  const packages = missingTools.map((tool) => tool.package);
  if (needsRedis) packages.unshift(manager?.redis ?? "redis");
  if (manager?.program === "apt-get" && process.getuid?.() === 0) aptInstall(packages);

  const remedy =
    manager === undefined ? `install ${packages.join(", ")}` : `${manager.command} ${packages.join(" ")}`;
  if (needsRedis) {
    const { path, rejected } = findRedisServer();
    const found = rejected.length > 0 ? ` (${rejected.join("; ")})` : "";
    if (path === undefined) {
      fail(
        `Redis ${oldestRedis}.0 or newer, or Valkey, is needed${found}. Please run: ${remedy}`,
        "One in another place can be named: PASSWRIGHT_REDIS_SERVER=/path/to/redis-server",
      );
    }
  }
  const absent = missingTools.filter(isMissing);
  if (absent.length > 0) {
    // Not the end: most tests need none of them, and those that do say so.
    say(
      `Not found, and some tests need it: ${absent.map((tool) => tool.package).join(", ")}. To have it: ${remedy}`,
    );
  }
}

/**
 * Installs Debian packages. Whoever runs `npm start` wants the program, not a service on a well-known port:
 * while policy-rc.d says 101 no package starts one (invoke-rc.d(8)), and none is left for the next boot.
 */
function aptInstall(packages) {
  say(`Installing ${packages.join(", ")} (apt-get), once ...`);
  const policy = "/usr/sbin/policy-rc.d";
  const policyIsOurs = !existsSync(policy);
  const stayAlive = () => {};
  // Ctrl-C ends apt-get; we go on to take the policy back.
  process.on("SIGINT", stayAlive).on("SIGTERM", stayAlive);
  try {
    if (policyIsOurs) writeFileSync(policy, "#!/bin/sh\nexit 101\n", { mode: 0o755 });
    apt(["update"]);
    // A release that lacks one of them, or calls it differently, would install none.
    const known = packages.filter((name) => succeedsSilently("apt-cache", ["show", name]));
    if (known.length === 0 || !apt(["install", "-y", "--no-install-recommends", ...known])) return;
  } finally {
    if (policyIsOurs) rmSync(policy, { force: true });
    process.off("SIGINT", stayAlive).off("SIGTERM", stayAlive);
  }
  if (existsSync("/run/systemd/system")) {
    const services = packages.filter((name) => ["redis-server", "nginx", "haproxy"].includes(name));
    if (services.length > 0) spawnSync("systemctl", ["disable", "--quiet", ...services], { stdio: "ignore" });
  }
}

function succeedsSilently(program, args) {
  return spawnSync(program, args, { stdio: "ignore" }).status === 0;
}

/** apt-get talks a lot: its words are shown only when it fails. */
function apt(args) {
  const result = spawnSync("apt-get", ["-q", ...args], {
    encoding: "utf8",
    env: { ...process.env, DEBIAN_FRONTEND: "noninteractive" },
    maxBuffer: 64 * 1024 * 1024,
    stdio: ["ignore", "pipe", "pipe"],
  });
  if (result.status === 0) return true;
  process.stderr.write(`${result.stdout ?? ""}${result.stderr ?? ""}`);
  return false;
}

function say(line) {
  process.stderr.write(`${line}\n`);
}

function fail(...lines) {
  for (const line of lines) say(line);
  process.exit(1);
}

if (import.meta.url === pathToFileURL(process.argv[1] ?? "").href) {
  const wanted = new Set(process.argv.slice(2));
  if (Number.parseInt(process.versions.node, 10) < 18)
    fail(`Node 18 or newer is needed; this is ${process.version}.`);
  if (!isInstalled()) install();
  if (wanted.has("--build") && !isBuilt()) build();
  provide({ redis: wanted.has("--redis"), tools: wanted.has("--tools") });
}
