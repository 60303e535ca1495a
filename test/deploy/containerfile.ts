import { execFileSync, spawn, spawnSync } from "node:child_process";
import { once } from "node:events";
import { cpSync, existsSync, mkdirSync, readFileSync, symlinkSync } from "node:fs";
import { basename, dirname, isAbsolute, join } from "node:path";
import { fileURLToPath } from "node:url";
import t from "tap";
import { collect, endWithUs, environmentOf, newMasterKey } from "../e2e/support/passwright.ts";
import { freePort, startRedisServer } from "../support/redis-server.ts";
import { until } from "../support/until.ts";
import { type Instruction, instructionsOf } from "./fixtures/containerfile.ts";

// No container is made here. The steps of deploy/Containerfile are carried out in a folder, on this machine's Node and
// system libraries: each COPY and RUN in its order. What comes out is started as the image says.

t.setTimeout(290_000);

const root = fileURLToPath(new URL("../..", import.meta.url));
const instructions = instructionsOf(readFileSync(join(root, "deploy", "Containerfile"), "utf8"));
const ignored = readFileSync(join(root, "deploy", "Containerfile.dockerignore"), "utf8").split("\n");
const last = instructions.slice(instructions.findLastIndex(({ word }) => word === "FROM"));
const lockFile = JSON.parse(readFileSync(join(root, "package-lock.json"), "utf8"));

/** The one instruction of its kind in the stage that becomes the image. */
function ofImage(word: string): string {
  const found = last.filter((one) => one.word === word);
  if (found.length !== 1) throw new Error(`the image has ${found.length} of ${word}`);
  return found[0]?.rest ?? "";
}

t.test("every stage is built on the one pinned Node, which is the one that is tested here", async (t) => {
  const [, image = ""] = /^NODE_IMAGE=(\S+)$/.exec(instructions[0]?.rest ?? "") ?? [];
  t.match(image, /^docker\.io\/library\/node:\d+\.\d+\.\d+-\w+-slim$/);
  t.match(image, `node:${lockFile.packages["node_modules/node"].version}-`);
  const stages = instructions.filter(({ word }) => word === "FROM");
  t.ok(stages.length > 1);
  for (const { rest } of stages) t.match(rest, /^\$\{NODE_IMAGE\}( AS \w+)?$/);
});

t.test("it runs as nobody in particular, and stops by the signal that is listened to", async (t) => {
  t.match(ofImage("USER"), /^[1-9]\d*:[1-9]\d*$/);
  t.equal(ofImage("STOPSIGNAL"), "SIGTERM");
  t.notOk(
    last.some(({ word, rest }) => word === "RUN" || /\b(SECRET|KEY|PASSWORD)\w*=/.test(rest)),
    "nothing is run as root in the image, and it holds no secret",
  );
});

t.test("the build sees what it copies", async (t) => {
  const copied = instructions.filter(({ word, rest }) => word === "COPY" && !rest.startsWith("--from="));
  for (const { rest } of copied) {
    for (const source of rest.split(/\s+/).slice(0, -1)) {
      t.ok(existsSync(join(root, source)), `${source} is there`);
      t.ok(ignored.includes(`!${source}`), `${source} is let through by Containerfile.dockerignore`);
    }
  }
});

t.test("its steps give a tree that runs, with the dependencies of production and no others", async (t) => {
  const image = carryOut(join(t.testdir(), "stages"));
  const workdir = join(image.folder, ofImage("WORKDIR"));
  const entry = JSON.parse(ofImage("ENTRYPOINT")).map((part: string) => join(image.folder, part));
  const node = (args: readonly string[], settings = {}) =>
    execFileSync(process.execPath, args, { cwd: workdir, encoding: "utf8", env: environmentOf(settings) });
  const { version } = JSON.parse(readFileSync(join(root, "package.json"), "utf8"));
  t.match(node([...entry, "--version"]), `passwright/${version} `);

  const installed = Object.keys(
    JSON.parse(readFileSync(join(workdir, "node_modules", ".package-lock.json"), "utf8")).packages,
  );
  t.ok(installed.length > 20);
  t.strictSame(
    installed.filter((path) => lockFile.packages[path]?.dev === true),
    [],
  );
  t.notOk(existsSync(join(workdir, "src")), "sources are not part of it");

  t.test("its default command answers, its probe says so, and its signal ends it", async (t) => {
    const redis = await startRedisServer(t, { appendonly: "yes" });
    const port = String(await freePort());
    const child = spawn(process.execPath, [...entry, ...JSON.parse(ofImage("CMD"))], {
      cwd: workdir,
      env: environmentOf({
        ...image.environment,
        PASSWRIGHT_REDIS_URL: redis.url,
        PASSWRIGHT_MASTER_KEY: newMasterKey(),
        PASSWRIGHT_PORT: port,
        PASSWRIGHT_METRICS_ADDRESS: "127.0.0.1:0",
      }),
      stdio: ["ignore", "ignore", "pipe"],
    });
    const ended = once(child, "exit");
    const keeper = endWithUs(child.pid ?? Number.NaN);
    t.teardown(async () => {
      child.kill("SIGKILL");
      await ended;
      keeper.kill();
    });
    const said = collect(child.stderr);
    const probe = probeOn(port);
    t.throws(() => node(probe), "before it answers the probe fails");
    const ready = await until("it is ready", () => {
      if (child.exitCode !== null) throw new Error(said.text());
      return /^.*"serve.ready".*$/m.exec(said.text())?.[0];
    });
    t.equal(JSON.parse(ready).host, "0.0.0.0", "from outside the container, too");
    t.equal(node(probe), "");
    child.kill(ofImage("STOPSIGNAL") as NodeJS.Signals);
    t.strictSame(await ended, [0, null]);
  });
});

/** The command of HEALTHCHECK, asking at the port of the test. */
function probeOn(port: string): string[] {
  const [, command = "[]"] = /CMD (\[.*\])$/.exec(ofImage("HEALTHCHECK")) ?? [];
  const [program, ...args] = JSON.parse(command) as string[];
  if (program !== "node") throw new Error(`the probe runs ${program}`);
  return args.map((argument) => argument.replace("8080", port).replace("9465", "1"));
}

/** Carries the stages out below a folder. Resolves to the last one: its folder, and the environment of its process. */
function carryOut(folder: string): { folder: string; environment: Record<string, string> } {
  const stages = new Map<string, string>();
  let stage = "";
  let workdir = "";
  let environment: Record<string, string> = {};
  for (const { word, rest } of instructions) {
    if (word === "FROM") {
      const name = / AS (\w+)$/.exec(rest)?.[1] ?? "image";
      stage = join(folder, name);
      stages.set(name, stage);
      environment = {};
    } else if (word === "WORKDIR") {
      workdir = join(stage, rest);
      mkdirSync(workdir, { recursive: true });
    } else if (word === "ENV") {
      environment = Object.fromEntries(rest.split(/\s+/).map((pair) => pair.split("=", 2)));
    } else if (word === "COPY") {
      copy(rest, { stages, workdir });
    } else if (word === "RUN") {
      run(rest, workdir);
    }
  }
  return { folder: stage, environment };
}

function copy(rest: string, { stages, workdir }: { stages: Map<string, string>; workdir: string }): void {
  const [, from, paths = ""] = /^(?:--from=(\w+) )?(.*)$/.exec(rest) ?? [];
  const origin = from === undefined ? root : stages.get(from);
  if (origin === undefined) throw new Error(`there is no stage ${from} before «COPY ${rest}»`);
  const words = paths.split(/\s+/);
  const target = words.pop() ?? "";
  if (isAbsolute(target)) throw new Error(`«COPY ${rest}»: copies go below WORKDIR`);
  for (const source of words) {
    const place = target.endsWith("/") ? join(workdir, target, basename(source)) : join(workdir, target);
    mkdirSync(dirname(place), { recursive: true });
    cpSync(join(origin, source), place, { recursive: true, verbatimSymlinks: true });
  }
}

/** The installation of everything is the one that this test runs on: the lock file is the same, and it takes its time. */
function run(command: string, workdir: string): void {
  if (/^npm ci (?!.*--omit=dev)/.test(command)) {
    symlinkSync(join(root, "node_modules"), join(workdir, "node_modules"));
    return;
  }
  // From the cache that the installation of this tree has filled, where it did. And without what tap gives to every process of Node: to load it first, which the compiler does not bear.
  const env = {
    HOME: process.env.HOME,
    npm_config_prefer_offline: "true",
    PATH: `${dirname(process.execPath)}:${process.env.PATH}`,
  };
  const { status, stdout, stderr } = spawnSync("env", ["-u", "NODE_OPTIONS", "/bin/sh", "-c", command], {
    cwd: workdir,
    env,
    encoding: "utf8",
  });
  if (status !== 0) throw new Error(`«RUN ${command}» ended with ${status}:\n${stdout}${stderr}`);
}

t.test("what cannot be read as an instruction is refused", async (t) => {
  t.strictSame(instructionsOf('# why\nRUN a \\\n    b\n\nCMD ["c"]\n') satisfies Instruction[], [
    { word: "RUN", rest: "a b" },
    { word: "CMD", rest: '["c"]' },
  ]);
  t.throws(() => instructionsOf("RUNN a"), { message: "line 1 is no instruction: RUNN a" });
});
