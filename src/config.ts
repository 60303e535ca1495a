import { readFileSync } from "node:fs";
import ipaddr from "ipaddr.js";
import { PasswrightError, type Violation } from "./domain/errors.ts";
import { isLoopback } from "./domain/loopback.ts";

/** Durations are a number with ms, s, m, h or d. */
const durationUnits: Record<string, number> = { ms: 1, s: 1000, m: 60_000, h: 3_600_000, d: 86_400_000 };

export type RateLimit = { requests: number; windowMs: number };
export type Cidr = [address: ipaddr.IPv4 | ipaddr.IPv6, bits: number];
export type MasterKeyList = readonly [Buffer, ...Buffer[]];

type Setting<Value> = {
  env: string;
  default: string;
  /** Turns the text into the value; throws an Error that says what is wrong with it. */
  parse(text: string): Value;
  doc: string;
  /** Shown by `passwright config` as set or not set only. */
  secret?: boolean;
};

function setting<Value>(definition: Setting<Value>): Setting<Value> {
  return definition;
}

/** Every setting there is. The table of docs/configuration.md and `passwright config` are made from it. */
export const settings = {
  redisUrl: setting({
    env: "PASSWRIGHT_REDIS_URL",
    default: "redis://127.0.0.1:6379",
    parse: redisUrl,
    doc: "The store: `redis://`, `rediss://`, `redis+sentinel://host:port,…/master` or `redis+cluster://host:port,…`",
    secret: true,
  }),
  redisWaitReplicas: setting({
    env: "PASSWRIGHT_REDIS_WAIT_REPLICAS",
    default: "0",
    parse: (text) => wholeNumber(text, 0, 10),
    doc: "How many replicas must hold a change before `serve` says that it is accepted; 0: none, they are told afterwards",
  }),
  keyPrefix: setting({
    env: "PASSWRIGHT_KEY_PREFIX",
    default: "pw",
    parse: (text) => matching(text, /^[A-Za-z0-9_-]{1,32}$/, "1 to 32 of A-Z a-z 0-9 _ -"),
    doc: "What every key in Redis begins with; lets installations share one Redis",
  }),
  masterKeys: setting({
    env: "PASSWRIGHT_MASTER_KEY",
    default: "",
    parse: masterKeys,
    doc: "Encrypts secrets at rest: 32 bytes in base64; several separated by commas, the first encrypts, all decrypt",
    secret: true,
  }),
  masterKeyFile: setting({
    env: "PASSWRIGHT_MASTER_KEY_FILE",
    default: "",
    parse: (text) => text,
    doc: "A file that holds what PASSWRIGHT_MASTER_KEY would; one key a line",
  }),
  baseUrl: setting({
    env: "PASSWRIGHT_BASE_URL",
    default: "",
    parse: baseUrl,
    doc: "Origin under which the public reaches the service; empty: `http://` with the host and port that are served",
  }),
  host: setting({
    env: "PASSWRIGHT_HOST",
    default: "127.0.0.1",
    parse: (text) => matching(text, /^[A-Za-z0-9.:-]+$/, "an address or a host name"),
    doc: "Address that `serve` listens on; put a proxy in front of it",
  }),
  port: setting({
    env: "PASSWRIGHT_PORT",
    default: "8080",
    parse: (text) => wholeNumber(text, 0, 65_535),
    doc: "Port that `serve` listens on; 0: any free one",
  }),
  processes: setting({
    env: "PASSWRIGHT_PROCESSES",
    default: "1",
    parse: (text) => wholeNumber(text, 1, 256),
    doc: "How many processes `serve` answers with, on the one port",
  }),
  trustedProxies: setting({
    env: "PASSWRIGHT_TRUSTED_PROXIES",
    default: "",
    parse: cidrs,
    doc: "CIDR ranges of proxies whose X-Forwarded-For is believed, separated by commas",
  }),
  workerConcurrency: setting({
    env: "PASSWRIGHT_WORKER_CONCURRENCY",
    default: "50",
    parse: (text) => wholeNumber(text, 1, 10_000),
    doc: "How many jobs one worker has in hand at a time; of batches as many again, of webhook deliveries ten times as many, while it has the time",
  }),
  jobRetrySchedule: setting({
    env: "PASSWRIGHT_JOB_RETRY_SCHEDULE",
    default: "0s,5s,30s,2m,10m",
    parse: schedule,
    doc: "The wait before each attempt of a job; as many attempts as there are entries",
  }),
  jobLeaseMs: setting({
    env: "PASSWRIGHT_JOB_LEASE",
    default: "15s",
    parse: (text) => atLeast(parseDuration(text), 500, "must be 500ms or more"),
    doc: "How long a worker that has fallen silent keeps its work; renewed while it lives",
  }),
  queueLimit: setting({
    env: "PASSWRIGHT_QUEUE_LIMIT",
    default: "500000",
    parse: (text) => wholeNumber(text, 1, 1_000_000_000),
    doc: "How many pieces of work may wait in one of the store's partitions before new ones are refused with 503; each takes about a kilobyte",
  }),
  deadLetterLimit: setting({
    env: "PASSWRIGHT_DEADLETTER_LIMIT",
    default: "100000",
    parse: (text) => wholeNumber(text, 1, 1_000_000_000),
    doc: "How many dead letters one of the store's partitions may hold before new work is refused with 503, to tenants with a tenth of that, and at twice as many to all; none is ever dropped",
  }),
  webhookRetrySchedule: setting({
    env: "PASSWRIGHT_WEBHOOK_RETRY_SCHEDULE",
    default: "0s,10s,1m,10m,1h",
    parse: schedule,
    doc: "The wait before each attempt of a webhook delivery",
  }),
  deadLetterReplayLimit: setting({
    env: "PASSWRIGHT_DEADLETTER_REPLAY_LIMIT",
    default: "10",
    parse: (text) => wholeNumber(text, 1, 1_000_000),
    doc: "A dead letter that was replayed so often already is refused, unless `deadletter replay --beyond-limit` asks for it",
  }),
  operator: setting({
    env: "PASSWRIGHT_OPERATOR",
    default: "",
    parse: (text) =>
      optional(text, /^[^\p{C}]{1,128}$/u, "at most 128 characters without control characters"),
    doc: "Who operators' commands are given by, for the audit log; empty: `user@host` of the process",
  }),
  webhookParkLimitMs: setting({
    env: "PASSWRIGHT_WEBHOOK_PARK_LIMIT",
    default: "24h",
    parse: (text) => atLeast(parseDuration(text), 1000, "must be 1s or more"),
    doc: "How long deliveries wait for an endpoint whose breaker is open, or for a fault of our own, before they become dead letters",
  }),
  webhookConcurrency: setting({
    env: "PASSWRIGHT_WEBHOOK_CONCURRENCY",
    default: "100",
    parse: (text) => wholeNumber(text, 1, 10_000),
    doc: "How many deliveries one worker sends to one webhook at a time",
  }),
  eventRetentionMs: setting({
    env: "PASSWRIGHT_EVENT_RETENTION",
    default: "400d",
    parse: (text) => atLeast(parseDuration(text), 86_400_000, "must be 1d or more"),
    doc: "How long the events of the analytics API are kept; their daily counts stay for ever",
  }),
  ledgerRetentionMs: setting({
    env: "PASSWRIGHT_LEDGER_RETENTION",
    default: "",
    parse: (text) => (text === "" ? null : atLeast(parseDuration(text), 86_400_000, "must be 1d or more")),
    doc: "How long the entries of ledgers of credits are kept; empty: for ever",
  }),
  webhookCaFile: setting({
    env: "PASSWRIGHT_WEBHOOK_CA_FILE",
    default: "",
    parse: (text) => (text === "" ? null : readable(text)),
    doc: "PEM file of further roots that webhook receivers, and sandbox wallets, may be certified by",
  }),
  webhookAllowCidrs: setting({
    env: "PASSWRIGHT_WEBHOOK_ALLOW_CIDRS",
    default: "",
    parse: cidrs,
    doc: "CIDR ranges that webhooks may reach although they are not public, separated by commas",
  }),
  tokenRateLimit: setting({
    env: "PASSWRIGHT_TOKEN_RATE_LIMIT",
    default: "10/1m",
    parse: rateLimit,
    doc: "Requests to the token endpoint per client address, in a sliding window",
  }),
  deviceRateLimit: setting({
    env: "PASSWRIGHT_DEVICE_RATE_LIMIT",
    default: "600/1m",
    parse: rateLimit,
    doc: "What phones may ask without a token, per client address, in a sliding window; many may share one address. As many call-backs of Google may be refused, counted apart, before an address is not listened to",
  }),
  googleCallbackKeysUrl: setting({
    env: "PASSWRIGHT_GOOGLE_CALLBACK_KEYS_URL",
    default: "https://pay.google.com/gp/m/issuer/keys",
    parse: keysUrl,
    doc: "Where Google publishes the root keys that vouch for its call-backs",
  }),
  googleCallbackKeysFile: setting({
    env: "PASSWRIGHT_GOOGLE_CALLBACK_KEYS_FILE",
    default: "",
    parse: (text) => (text === "" ? null : readablePath(text)),
    doc: "A file with what that address answers, in its place, for a machine that does not reach it; read again when it has changed",
  }),
  apnsProxy: setting({
    env: "PASSWRIGHT_APNS_PROXY",
    default: "",
    parse: (text) => (text === "" ? null : proxyUrl(text)),
    secret: true,
    doc: "An HTTP proxy through which the worker reaches APNs, `http://user:password@host:port`",
  }),
  googleRateLimit: setting({
    env: "PASSWRIGHT_GOOGLE_RATE_LIMIT",
    default: "",
    parse: (text) => (text === "" ? null : rateLimit(text)),
    doc: "Calls of Google's Wallet API per issuer and service account, of all workers together; what is more waits for its turn. Where it is not set: `20/1s`, and `10000/1s` of an API on this machine, as the sandbox's",
  }),
  googleBatch: setting({
    env: "PASSWRIGHT_GOOGLE_BATCH",
    default: "20",
    parse: (text) => wholeNumber(text, 1, 50),
    doc: "How many calls of Google's Wallet API that are due at the same moment go out as one request, each counted for itself; 1: none",
  }),
  googleProxy: setting({
    env: "PASSWRIGHT_GOOGLE_PROXY",
    default: "",
    parse: (text) => (text === "" ? null : proxyUrl(text)),
    secret: true,
    doc: "An HTTP proxy through which Google is reached, `http://user:password@host:port`",
  }),
  stripeSecretKey: setting({
    env: "PASSWRIGHT_STRIPE_SECRET_KEY",
    default: "",
    parse: (text) => optional(text, /^(sk|rk)_(test|live)_\w+$/, "a secret or restricted key of Stripe"),
    doc: "Stripe's API key; empty: top-ups and subscriptions are refused",
    secret: true,
  }),
  stripeWebhookSecrets: setting({
    env: "PASSWRIGHT_STRIPE_WEBHOOK_SECRET",
    default: "",
    parse: signingSecrets,
    doc: "What Stripe signs its call-backs to `/billing/stripe/events` with; two separated by a comma while it is changed",
    secret: true,
  }),
  stripeApiUrl: setting({
    env: "PASSWRIGHT_STRIPE_API_URL",
    default: "https://api.stripe.com",
    parse: (text) => origin(text),
    doc: "Where Stripe's API is, without a path",
  }),
  keyRotationMs: setting({
    env: "PASSWRIGHT_KEY_ROTATION",
    default: "90d",
    parse: (text) =>
      text === "off" ? null : atLeast(parseDuration(text), 86_400_000, "must be 1d or more, or off"),
    doc: "How long a signing key signs before the next one takes over; `off`: operators rotate",
  }),
  corsOrigins: setting({
    env: "PASSWRIGHT_CORS_ORIGINS",
    default: "",
    parse: webOrigins,
    doc: "Origins whose scripts in browsers may call the API, separated by commas; empty: none",
  }),
  sandboxUrl: setting({
    env: "PASSWRIGHT_SANDBOX_URL",
    default: "http://127.0.0.1:8090",
    parse: baseUrl,
    doc: "Where `providers set … --sandbox` finds the sandbox, and pages of its passes lead to",
  }),
  redisServer: setting({
    env: "PASSWRIGHT_REDIS_SERVER",
    default: "",
    parse: (text) => text,
    doc: "The redis-server (or valkey-server) that `up` starts; empty: the one on the path",
  }),
  logLevel: setting({
    env: "PASSWRIGHT_LOG_LEVEL",
    default: "info",
    parse: (text) => matching(text, /^(trace|debug|info|warn|error|fatal|silent)$/, "a level of pino"),
    doc: "trace, debug, info, warn, error, fatal or silent",
  }),
  metricsAddress: setting({
    env: "PASSWRIGHT_METRICS_ADDRESS",
    default: "127.0.0.1:9464",
    parse: hostAndPort,
    doc: "Where Prometheus finds `/metrics` of `serve`, `host:port`; port 0: any free one",
  }),
  workerMetricsAddress: setting({
    env: "PASSWRIGHT_WORKER_METRICS_ADDRESS",
    default: "127.0.0.1:9465",
    parse: hostAndPort,
    doc: "Where Prometheus finds `/metrics` of `worker`, and its `/healthz`; when it is taken, any free port, with a warning",
  }),
  workerStalledAfterMs: setting({
    env: "PASSWRIGHT_WORKER_STALLED_AFTER",
    default: "30s",
    parse: (text) => atLeast(parseDuration(text), 5000, "must be 5s or more"),
    doc: "How long a worker may take nothing from the queue, and not look either, before its `/healthz` answers 503",
  }),
} as const;

type SettingName = keyof typeof settings;
type Values = { [Name in SettingName]: ReturnType<(typeof settings)[Name]["parse"]> };

export type Config = Values;

/** Where the values come from: the environment, with a command's flags laid over it by setting name. */
export type ConfigSource = {
  env: Record<string, string | undefined>;
  flags?: Partial<Record<SettingName, string | undefined>>;
};

/** Reads and checks all settings. Rejects with invalid_configuration that names every mistake at once. */
export function readConfig(source: Partial<ConfigSource> = {}): Config {
  const { env, flags } = { env: process.env, ...source };
  const mistakes: Violation[] = [];
  const values: Record<string, unknown> = {};
  for (const [name, definition] of Object.entries(settings) as [SettingName, Setting<unknown>][]) {
    const text = flags?.[name] ?? (env[definition.env] || definition.default);
    try {
      values[name] = definition.parse(text);
    } catch (error) {
      mistakes.push({
        path: definition.env,
        message: error instanceof Error ? error.message : "is not valid",
      });
    }
  }
  const config = values as Config;
  if (!config.masterKeys && config.masterKeyFile) {
    try {
      values.masterKeys = masterKeys(readable(config.masterKeyFile).trim().split(/\s+/).join(","));
    } catch (error) {
      mistakes.push({ path: "PASSWRIGHT_MASTER_KEY_FILE", message: (error as Error).message });
    }
  }
  if (mistakes.length > 0) {
    throw new PasswrightError(
      "invalid_configuration",
      mistakes.map(({ path, message }) => `${path} ${message}`).join("; "),
      { details: mistakes },
    );
  }
  return config;
}

/** The master keys, or invalid_configuration with the way to make one. */
export function requireMasterKeys(config: Config): MasterKeyList {
  if (config.masterKeys !== null) return config.masterKeys;
  throw new PasswrightError(
    "invalid_configuration",
    "PASSWRIGHT_MASTER_KEY is not set. Make one with «openssl rand -base64 32» and keep it safe: without it, stored secrets are lost.",
    { details: [{ path: "PASSWRIGHT_MASTER_KEY", message: "is not set" }] },
  );
}

/** The settings as a Markdown table, for docs/configuration.md. */
export function configurationTable(): string {
  const rows = Object.values(settings).map(
    ({ env, default: text, doc }) => `| \`${env}\` | ${text === "" ? "" : `\`${text}\``} | ${doc} |`,
  );
  return ["| Variable | Default | Meaning |", "| --- | --- | --- |", ...rows].join("\n");
}

/** Every setting with its value and where that comes from, checked; what is secret only as «set». */
export function settingsInForce(env: ConfigSource["env"] = process.env) {
  readConfig({ env });
  return Object.values(settings).map((definition: Setting<unknown>) => {
    const given = env[definition.env] ?? "";
    const value = given === "" ? definition.default : given;
    return {
      variable: definition.env,
      value: definition.secret && given !== "" ? masked(given) : value,
      source: given === "" ? "default" : "environment",
    };
  });
}

/** Of a URL the scheme and the hosts: credentials stand before the last @, and may stand in the query. */
function masked(text: string): string {
  const [, scheme, rest = ""] = /^(\w+(?:\+\w+)?:\/\/)(.*)$/s.exec(text) ?? [];
  if (scheme === undefined) return "***";
  const at = rest.lastIndexOf("@");
  const [hosts = "", query] = rest.slice(at + 1).split("?", 2);
  return `${scheme}${at < 0 ? "" : "***@"}${hosts}${query === undefined ? "" : "?***"}`;
}

/** The environment for a process that `up` starts: this one's, with settings laid over it by name. */
export function environmentWith(
  overrides: Partial<Record<SettingName, string>>,
): Record<string, string | undefined> {
  const environment = { ...process.env };
  for (const [name, text] of Object.entries(overrides)) environment[settings[name as SettingName].env] = text;
  return environment;
}

/** Whether the environment gives a setting, so that a default of `up` has to stand back. */
export function isGiven(name: SettingName): boolean {
  return Boolean(process.env[settings[name].env]);
}

/** Where programs are looked for. */
export function programPath(): string {
  return process.env.PATH ?? "";
}

/** Whether colour is welcome on the terminal: not with NO_COLOR, as https://no-color.org has it. */
export function wantsColor(env: Readonly<Record<string, string | undefined>> = process.env): boolean {
  return (env.NO_COLOR ?? "") === "";
}

export function parseDuration(text: string): number {
  const [, amount, unit = ""] = /^(\d+(?:\.\d+)?)(ms|s|m|h|d)$/.exec(text.trim()) ?? [];
  const factor = durationUnits[unit];
  if (amount === undefined || factor === undefined) {
    throw new Error(`must be a duration such as 500ms, 15s, 2m, 1h or 1d, not «${text}»`);
  }
  return Number(amount) * factor;
}

function schedule(text: string): readonly number[] {
  const waits = text.split(",").map(parseDuration);
  if (waits.length > 20) throw new Error("must not have more than 20 entries");
  return waits;
}

function rateLimit(text: string): RateLimit {
  const [, requests, window] = /^(\d+)\/(.+)$/.exec(text) ?? [];
  if (requests === undefined || window === undefined || Number(requests) < 1) {
    throw new Error("must be a number and a duration, such as 10/1m");
  }
  return {
    requests: Number(requests),
    windowMs: atLeast(parseDuration(window), 1, "needs a window above 0"),
  };
}

function masterKeys(text: string): MasterKeyList | null {
  if (text.trim() === "") return null;
  const keys = text.split(",").map((part) => {
    const key = Buffer.from(part.trim(), "base64");
    // Node reads base64 up to the first stranger: a key behind an unknown separator would be dropped in silence.
    if (key.length !== 32 || !/^[A-Za-z0-9+/_-]{43}=?$/.test(part.trim()))
      throw new Error("must be 32 bytes in base64 (make one with «openssl rand -base64 32»)");
    return key;
  });
  const [first, ...rest] = keys;
  return first === undefined ? null : [first, ...rest];
}

function signingSecrets(text: string): readonly string[] {
  const secrets = text.split(",").map((part) => part.trim());
  const given = secrets.filter((part) => part !== "");
  for (const secret of given) {
    matching(secret, /^whsec_[\w+/=-]+$/, "a signing secret of Stripe, which begins with whsec_");
  }
  if (given.length > 2) throw new Error("must not have more than two secrets");
  return given;
}

function cidrs(text: string): readonly Cidr[] {
  const parts = text.split(",").map((part) => part.trim());
  return parts
    .filter((part) => part !== "")
    .map((part) => {
      try {
        // inet_aton would read 10/8 as 0.0.0.10/8.
        if (!part.includes(":") && !/^(?:(?:0|[1-9]\d{0,2})\.){3}(?:0|[1-9]\d{0,2})\//.test(part))
          throw new Error();
        return ipaddr.parseCIDR(part);
      } catch {
        throw new Error(`must be CIDR ranges such as 10.0.0.0/8, not «${part}»`);
      }
    });
}

/** Origins exactly as browsers send them (RFC 6454 section 6.2); no wildcards. */
function webOrigins(text: string): readonly string[] {
  const parts = text.split(",").map((part) => part.trim());
  return parts
    .filter((part) => part !== "")
    .map((part) => {
      const url = URL.canParse(part) ? new URL(part) : null;
      if (url === null || !/^https?:$/.test(url.protocol) || url.origin !== part) {
        throw new Error(`must be origins such as https://shop.example.com, not «${part}»`);
      }
      return part;
    });
}

function proxyUrl(text: string): URL {
  const url = URL.parse(text);
  if (url === null || !/^https?:$/.test(url.protocol) || url.pathname !== "/") {
    throw new Error("must be the address of an HTTP proxy, such as http://proxy.internal:3128");
  }
  return url;
}

function redisUrl(text: string): string {
  return matching(
    text,
    /^(rediss?|redis\+sentinel|redis\+cluster):\/\/\S+$/,
    "a URL with redis://, rediss://, redis+sentinel:// or redis+cluster://",
  );
}

function baseUrl(text: string): string {
  if (text === "") return "";
  const url = URL.canParse(text) ? new URL(text) : null;
  const plain = url !== null && /^https?:$/.test(url.protocol) && url.search === "" && url.hash === "";
  if (!plain || url.username !== "" || url.password !== "")
    throw new Error("must be an http or https URL without query or user name");
  return text.replace(/\/+$/, "");
}

function origin(text: string): string {
  const url = new URL(baseUrl(text));
  if (url.pathname !== "/") throw new Error("must be an http or https URL without a path");
  return url.origin;
}

function hostAndPort(text: string): { host: string; port: number } {
  const [, host, port] = /^(.+):(\d+)$/.exec(text) ?? [];
  if (host === undefined || port === undefined) throw new Error("must be host:port");
  return { host: host.replace(/^\[|\]$/g, ""), port: wholeNumber(port, 0, 65_535) };
}

function wholeNumber(text: string, least: number, most: number): number {
  const number = Number(text);
  if (!/^\d+$/.test(text) || number < least || number > most) {
    throw new Error(`must be a whole number from ${least} to ${most}`);
  }
  return number;
}

function matching(text: string, shape: RegExp, description: string): string {
  if (!shape.test(text)) throw new Error(`must be ${description}`);
  return text;
}

function optional(text: string, shape: RegExp, description: string): string | null {
  return text === "" ? null : matching(text, shape, description);
}

function atLeast(value: number, least: number, message: string): number {
  if (value < least) throw new Error(message);
  return value;
}

/** https, since whoever answers there decides what is believed; plain http to this machine only. */
function keysUrl(text: string): string {
  const url = URL.parse(text);
  const isLocal = url?.protocol === "http:" && isLoopback(url);
  if (url === null || !(url.protocol === "https:" || isLocal) || url.username !== "" || url.password !== "") {
    throw new Error("must be an https URL without a user name");
  }
  return url.href;
}

function readablePath(path: string): string {
  readable(path);
  return path;
}

function readable(path: string): string {
  try {
    return readFileSync(path, "utf8");
  } catch {
    throw new Error(`names a file that cannot be read: ${path}`);
  }
}
