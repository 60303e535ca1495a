import { randomBytes } from "node:crypto";
import { existsSync, mkdirSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs";
import { eventsPath as stripeEventsPath } from "../domain/billing/receive-event.ts";
import type { DataFolder } from "./data-folder.ts";
import { embeddedRedis, type RedisProbe } from "./embedded-redis.ts";
import { freePort } from "./free-port.ts";
import { type Part, type Running, supervise } from "./supervisor.ts";

/** The settings that `up` lays over the environment of its parts, by name. */
export type Overrides = Partial<
  Record<
    | "redisUrl"
    | "masterKeyFile"
    | "baseUrl"
    | "host"
    | "port"
    | "metricsAddress"
    | "workerMetricsAddress"
    | "webhookCaFile"
    | "webhookAllowCidrs"
    | "sandboxUrl"
    | "stripeSecretKey"
    | "stripeApiUrl"
    | "stripeWebhookSecrets",
    string
  >
>;

export type StackOptions = {
  /** Starts the product itself: node and the path of its entry. */
  entry: readonly [command: string, script: string];
  port: number;
  /** A Redis that runs already; null: one of our own. */
  redisUrl: string | null;
  sandbox: boolean;
  redisBinary: string;
  programPath: string;
  probe: RedisProbe;
  /** What the environment says already, and `up` must not lay its own over. */
  given: {
    baseUrl: string;
    metricsAddress: string | null;
    workerMetricsAddress: string | null;
    allowCidrs: string;
    webhookCa: string | null;
    /** Whose account of Stripe it is: then the sandbox's is left alone. */
    stripe: boolean;
    stripeWebhookSecret: boolean;
  };
  /** null overrides: the environment as it is. */
  environmentWith(overrides: Overrides): Part["env"];
  /** A master key of the environment's own. */
  hasMasterKey: boolean;
  onEvent(event: string): void;
};

export type Stack = {
  baseUrl: string;
  redisUrl: string;
  sandboxUrl: string | null;
  metricsUrl: string;
  workerMetricsUrl: string;
  overrides: Overrides;
  /** Stops everything in the order in which nothing is lost: who accepts, who works, who is talked to, who remembers. */
  stop(): Promise<void>;
};

/** To the sandbox every well-formed test key is an account. */
const sandboxStripeKey = "sk_test_passwrightsandbox";

const largestLogBytes = 10 * 1024 * 1024;

/** Starts Redis, the sandbox, `serve` and `worker` as supervised parts. When one does not come up, what runs is stopped again. */
export async function startStack(folder: DataFolder, options: StackOptions): Promise<Stack> {
  mkdirSync(folder.file("log"), { recursive: true, mode: 0o700 });
  const running: Running[] = [];
  const start = async (part: Part): Promise<Running> => {
    if (part.logFile !== null) trimLog(part.logFile);
    const started = await supervise(part, options.onEvent);
    running.push(started);
    return started;
  };
  const stop = async (): Promise<void> => {
    for (const name of ["serve", "worker", "sandbox", "redis"]) {
      await running.find((part) => part.name === name)?.stop();
    }
  };
  try {
    return { ...(await startParts(folder, options, start)), stop };
  } catch (error) {
    await stop();
    throw error;
  }
}

async function startParts(
  folder: DataFolder,
  options: StackOptions,
  start: (part: Part) => Promise<Running>,
): Promise<Omit<Stack, "stop">> {
  const { given } = options;
  const overrides: Overrides = options.hasMasterKey ? {} : { masterKeyFile: folder.masterKeyFile() };
  if (options.redisUrl === null) {
    const redis = await embeddedRedis(folder, {
      binary: options.redisBinary,
      path: options.programPath,
      env: options.environmentWith({}),
      probe: options.probe,
    });
    await start(redis.part);
    overrides.redisUrl = redis.url;
  } else {
    overrides.redisUrl = options.redisUrl;
  }

  // Decided here, so that a part that is started again is found where it was.
  overrides.host = "127.0.0.1";
  overrides.port = String(options.port === 0 ? await freePort() : options.port);
  const localUrl = `http://127.0.0.1:${overrides.port}`;
  overrides.baseUrl = given.baseUrl || localUrl;
  if (options.sandbox && !given.stripe && !given.stripeWebhookSecret) {
    overrides.stripeWebhookSecrets = `whsec_${randomBytes(24).toString("base64url")}`;
  }

  const ours = (name: string, args: readonly string[], stopMs: number): Part => ({
    name,
    command: options.entry[0],
    args: [options.entry[1], name, ...args],
    env: options.environmentWith(overrides),
    logFile: folder.file("log", `${name}.log`),
    reports: true,
    stopMs,
  });

  let sandboxUrl: string | null = null;
  if (options.sandbox) {
    const callBack = given.stripe ? [] : ["--stripe-events-url", `${localUrl}${stripeEventsPath}`];
    const args = ["--port", "0", "--data", folder.path, ...callBack];
    const { facts } = await start(ours("sandbox", args, 1500));
    sandboxUrl = facts.sandbox_url ?? "";
    overrides.sandboxUrl = sandboxUrl;
    if (!given.stripe) {
      overrides.stripeApiUrl = sandboxUrl;
      overrides.stripeSecretKey = sandboxStripeKey;
    }
    overrides.webhookAllowCidrs = [given.allowCidrs, "127.0.0.0/8", "::1/128"].filter(Boolean).join(",");
    overrides.webhookCaFile = joinRoots(folder, given.webhookCa, facts.ca_file ?? "");
  }

  overrides.metricsAddress = given.metricsAddress ?? `127.0.0.1:${await freePort()}`;
  overrides.workerMetricsAddress = given.workerMetricsAddress ?? `127.0.0.1:${await freePort()}`;
  const [serve, worker] = await Promise.all([
    start(ours("serve", ["--patience", "3s"], 4000)),
    start(ours("worker", ["--patience", "2s"], 3500)),
  ]);
  return {
    baseUrl: overrides.baseUrl,
    redisUrl: overrides.redisUrl,
    sandboxUrl,
    metricsUrl: serve.facts.metrics_url ?? "",
    workerMetricsUrl: worker.facts.metrics_url ?? "",
    overrides,
  };
}

/** One file with the operator's roots and the sandbox's. */
function joinRoots(folder: DataFolder, given: string | null, sandboxCaFile: string): string {
  if (given === null) return sandboxCaFile;
  const joined = folder.file("webhook-roots.pem");
  writeFileSync(joined, `${given}\n${readFileSync(sandboxCaFile, "utf8")}`);
  return joined;
}

function trimLog(file: string): void {
  if (existsSync(file) && statSync(file).size > largestLogBytes) rmSync(file);
}
