import { type ChildProcess, spawn, spawnSync } from "node:child_process";
import { randomBytes } from "node:crypto";
import { once } from "node:events";
import { copyFileSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import t, { type Test } from "tap";
import { settings } from "../../src/config.ts";
import { collect, endWithUs, environmentOf } from "../e2e/support/passwright.ts";
import { freePort, startRedisServer } from "../support/redis-server.ts";
import { until } from "../support/until.ts";

// The units as they are in deploy/systemd, judged by systemd's own tools; and their command lines, run with their environment.

t.setTimeout(120_000);

const root = fileURLToPath(new URL("../..", import.meta.url));
const folder = join(root, "deploy", "systemd");
const services = ["passwright-serve.service", "passwright-worker@.service"];

type Unit = Map<string, string[]>;

/** The directives of a unit, each with all of its values. */
function unitOf(file: string): Unit {
  const unit: Unit = new Map();
  for (const line of readFileSync(join(folder, file), "utf8").split("\n")) {
    const [, name, value = ""] = /^(\w+)=(.*)$/.exec(line) ?? [];
    if (name !== undefined) unit.set(name, [...(unit.get(name) ?? []), value]);
  }
  return unit;
}

function variablesOf(lines: readonly string[]): Record<string, string> {
  const pairs = lines.map((line) => /^([A-Z_]+)=(.*)$/.exec(line)).filter((match) => match !== null);
  return Object.fromEntries(pairs.map(([, name, value]) => [name, value]));
}

const example = variablesOf(readFileSync(join(folder, "env"), "utf8").split("\n"));

t.test("systemd itself finds nothing wrong with the units, and little that they could do", async (t) => {
  const copies = t.testdir();
  for (const file of readdirSync(folder).filter((name) => name !== "env")) {
    const text = readFileSync(join(folder, file), "utf8").replaceAll(
      "/opt/passwright",
      root.replace(/\/$/, ""),
    );
    writeFileSync(join(copies, file), text);
  }
  copyFileSync(join(copies, "passwright-worker@.service"), join(copies, "passwright-worker@9465.service"));
  const units = ["passwright.target", "passwright-serve.service", "passwright-worker@9465.service"];
  const env = { ...process.env, SYSTEMD_UNIT_PATH: `${copies}:` };
  const run = (...args: string[]) =>
    spawnSync("systemd-analyze", args, { cwd: copies, encoding: "utf8", env });
  const verified = run("verify", "--man=no", ...units.map((name) => join(copies, name)));
  t.equal(verified.status, 0, verified.error?.message ?? verified.stderr);
  t.equal(verified.stderr, "");
  // What it calls exposure goes from 0 to 10; 2 and above is no longer «OK».
  const secured = run(
    "security",
    "--offline=yes",
    "--threshold=19",
    ...units.slice(1).map((name) => join(copies, name)),
  );
  t.equal(secured.status, 0, `${secured.stdout}${secured.stderr}`);
});

t.test("the target brings up the processes that there are units for, and takes them down", async (t) => {
  const wanted =
    unitOf("passwright.target")
      .get("Wants")
      ?.flatMap((names) => names.split(" ")) ?? [];
  t.strictSame(
    wanted.map((name) => name.replace(/@\d+/, "@")),
    services,
  );
  for (const file of services) {
    t.strictSame(unitOf(file).get("PartOf"), ["passwright.target"], file);
    t.strictSame(unitOf(file).get("WantedBy"), ["passwright.target"], file);
  }
});

t.test("every variable of the units and of the example is a setting", async (t) => {
  const known = new Set([...Object.values(settings).map(({ env }) => env), "UWS_HTTP_MAX_HEADERS_SIZE"]);
  const named = services.flatMap((file) => Object.keys(variablesOf(unitOf(file).get("Environment") ?? [])));
  t.ok(named.length > 0);
  for (const name of [...named, ...Object.keys(example)]) t.ok(known.has(name), name);
});

for (const file of services) {
  t.test(`${file}: its command line with its environment works, and stops as it is told to`, async (t) => {
    const unit = unitOf(file);
    const [settled] = [unit.get("ExecStart")?.[0] ?? ""];
    const credentials = join(t.testdir(), "credentials");
    mkdirSync(credentials);
    const [credential = ""] = unit.get("LoadCredential") ?? [];
    writeFileSync(
      join(credentials, credential.split(":")[0] ?? ""),
      `${randomBytes(32).toString("base64")}\n`,
    );
    const metricsPort = String(await freePort());
    const specified = (text: string) => text.replaceAll("%d", credentials).replaceAll("%i", metricsPort);
    const redis = await startRedisServer(t, { appendonly: "yes" });
    const started = start(t, specified(settled), {
      ...example,
      PASSWRIGHT_REDIS_URL: redis.url,
      PASSWRIGHT_PORT: "0",
      PASSWRIGHT_METRICS_ADDRESS: "127.0.0.1:0",
      ...variablesOf((unit.get("Environment") ?? []).map(specified)),
    });
    const { name, msg, ...facts } = await started.ready();
    t.equal(`${name}.ready`, msg);
    t.match(
      facts,
      name === "serve" ? { processes: 2 } : { metrics: `http://127.0.0.1:${metricsPort}/metrics` },
    );

    t.strictSame(
      unit.get("KillMode"),
      ["mixed"],
      "only the main process is signalled, which is what is done here",
    );
    const [signal] = unit.get("KillSignal") as [NodeJS.Signals];
    const began = performance.now();
    started.child.kill(signal);
    t.strictSame(await started.ended, [0, null], "it ends in order");
    t.ok(performance.now() - began < Number(unit.get("TimeoutStopSec")?.[0]) * 1000);
  });
}

t.test("a setting that is wrong ends a unit with the code after which it is not started again", async (t) => {
  const unit = unitOf("passwright-serve.service");
  const started = start(t, unit.get("ExecStart")?.[0] ?? "", { PASSWRIGHT_REDIS_URL: "nowhere" });
  const [code] = await started.ended;
  t.equal(String(code), unit.get("RestartPreventExitStatus")?.[0]);
});

function start(t: Test, command: string, variables: Record<string, string>) {
  const [program = "", ...args] = command.replace("/opt/passwright/", root).split(" ");
  const child: ChildProcess & { stderr: NodeJS.ReadableStream } = spawn(
    process.execPath,
    [program, ...args],
    {
      env: environmentOf(variables),
      stdio: ["ignore", "ignore", "pipe"],
    },
  );
  const said = collect(child.stderr);
  const ended = once(child, "exit");
  const keeper = endWithUs(child.pid ?? Number.NaN);
  t.teardown(async () => {
    child.kill("SIGKILL");
    await ended;
    keeper.kill();
  });
  const ready = () =>
    until("it says that it is ready", () => {
      if (child.exitCode !== null) throw new Error(said.text());
      const line = said
        .text()
        .split("\n")
        .find((text) => /"msg":"(serve|worker)\.ready"/.test(text));
      return line === undefined ? null : JSON.parse(line);
    });
  return { child, ended, ready };
}
