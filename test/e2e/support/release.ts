import { spawn, spawnSync } from "node:child_process";
import { once } from "node:events";
import { cpSync, globSync, mkdirSync, readFileSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { collect, type Environment, endWithUs, environmentOf, root } from "./passwright.ts";

/** A built tree of the product, other than the one that is tested. */
export type Release = { name: string; folder: string };

/** A commit of before, built in a folder of its own; undefined where this clone does not reach so far back. */
export function earlierRelease(folder: string, commit: string): Release | undefined {
  const git = (...args: string[]) => spawnSync("git", args, { cwd: root, maxBuffer: 256 * 1024 * 1024 });
  if (git("cat-file", "-e", `${commit}^{commit}`).status !== 0) return undefined;
  const archived = git("archive", commit);
  mkdirSync(folder);
  const unpacked = spawnSync("tar", ["-x", "-C", folder], { input: archived.stdout });
  if (archived.status !== 0 || unpacked.status !== 0)
    throw new Error(`${commit} could not be taken out of git`);
  symlinkSync(join(root, "node_modules"), join(folder, "node_modules"));
  // Without what tap gives to every process of Node, which the compiler does not bear.
  const build = ["-u", "NODE_OPTIONS", process.execPath, "scripts/build.mjs"];
  const built = spawnSync("env", build, { cwd: folder, encoding: "utf8" });
  if (built.status !== 0) throw new Error(`${commit} could not be built:\n${built.stderr}`);
  return { name: "the one before", folder };
}

/**
 * The tested tree as a later release might be: each of its scripts is another to Redis, its passes and jobs have a field that this one
 * has never heard of, and it reads a format of the data that this one does not, which it writes when it is told to.
 */
export function laterRelease(folder: string, { writes }: { writes: 1 | 2 }): Release {
  for (const part of ["bin", "dist", "templates", "package.json", "oclif.manifest.json"]) {
    cpSync(join(root, part), join(folder, part), { recursive: true });
  }
  symlinkSync(join(root, "node_modules"), join(folder, "node_modules"));
  for (const file of globSync("dist/redis/lua/*.lua", { cwd: folder })) {
    change(join(folder, file), /$/, "\n-- as of a later release\n");
  }
  const script = join(folder, "dist", "redis", "lua", "create-pass.lua");
  change(script, "'wallets', ARGV[10],", "'wallets', ARGV[10], 'of_later', 'something',");
  change(script, "'lanes', ARGV[10],", "'lanes', ARGV[10], 'of_later', 'something',");
  const formats = `{ oldestRead: 1, newestRead: 2, written: ${writes} }`;
  change(join(folder, "dist", "redis", "installation.js"), /\{ oldestRead: \d.*? \}/, formats);
  return { name: "a later one", folder };
}

function change(file: string, what: string | RegExp, into: string): void {
  const text = readFileSync(file, "utf8");
  const changed = text.replace(what, into);
  if (changed === text) throw new Error(`${file} has no ${what} to change`);
  writeFileSync(file, changed);
}

export type ReleaseProcess = {
  ready(): Promise<void>;
  /** Lines of its log. */
  logged(): string[];
  /** Asks it to end, as an operator does, and waits until it has; resolves to its exit code. */
  stop(): Promise<number | null>;
  ended: Promise<number | null>;
};

/** A command of a release that runs on: `serve` or `worker`. */
export function startOf(
  t: { teardown(end: () => unknown): unknown },
  { folder }: Release,
  args: readonly string[],
  settings: Environment,
): ReleaseProcess {
  const child = spawn(process.execPath, ["bin/run.js", ...args], {
    cwd: folder,
    env: environmentOf(settings),
    stdio: ["ignore", "ignore", "pipe"],
  });
  const said = collect(child.stderr);
  const ended = once(child, "exit").then(([code]) => code as number | null);
  const keeper = endWithUs(child.pid ?? Number.NaN);
  const stop = async () => {
    child.kill("SIGTERM");
    const code = await ended;
    keeper.kill();
    return code;
  };
  t.teardown(stop);
  return {
    logged: () => said.text().split("\n"),
    stop,
    ended,
    ready: () =>
      Promise.race([
        said.until('.ready"'),
        ended.then((code) => Promise.reject(new Error(`${args[0]} ended with ${code}:\n${said.text()}`))),
      ]),
  };
}
