import { mkdirSync } from "node:fs";
import { createServer as createHttpServer } from "node:http";
import { createServer as createHttpsServer } from "node:https";
import { isIPv6 } from "node:net";
import { join } from "node:path";
import { createDeviceLog } from "./apns/device-log.ts";
import { createApns } from "./apns/server.ts";
import { openAuthority } from "./authority/authority.ts";
import { createControl } from "./control/control.ts";
import { type Finished, listener } from "./exchange.ts";
import { createFaults } from "./faults.ts";
import { openAccessTokens } from "./google/access-token.ts";
import { openCallbackKeys } from "./google/callback-keys.ts";
import { createCallbacks } from "./google/callbacks.ts";
import { createIssuers } from "./google/issuers.ts";
import { createWalletStore } from "./google/wallet-store.ts";
import { listen, type Ports, rememberedPorts, rememberPorts } from "./ports.ts";
import { receive } from "./receiver/deliver.ts";
import { createReceivers } from "./receiver/receivers.ts";
import { prepareShutdown } from "./shutdown.ts";
import { openState } from "./state.ts";
import { createEvents, type Endpoint } from "./stripe/events.ts";
import { payPath } from "./stripe/pay-page.ts";
import { createSessions } from "./stripe/sessions.ts";

export type Sandbox = {
  /** Plain HTTP: the control API, Google's token endpoint and Wallet API, and Stripe's API. */
  controlUrl: string;
  /** HTTP/2 over TLS: APNs. */
  apnsUrl: string;
  /** HTTPS: the webhook receivers, each at `/hooks/{name}`. */
  webhookUrl: string;
  /** PEM of the root under which the two TLS servers are certified. */
  caFile: string;
  /** Ends everything, open connections included. */
  close(): Promise<void>;
};

/** One event with its facts, such as `sandbox.request` with method, path and status. */
export type SandboxLog = (event: string, facts: Record<string, unknown>) => void;

export type SandboxOptions = {
  /** Where everything that survives a restart is kept; made if need be, readable by the owner only. */
  dataDir: string;
  /** 127.0.0.1 by default. */
  host?: string;
  /** 0, the default, takes the port of the last run if it is free, else any. Another number is insisted upon. */
  ports?: Ports;
  log?: SandboxLog;
  /** Google's limit of requests per service account; off by default. */
  googleRequestsPerSecond?: number;
  /** How long a pass waits that asks for it (`sandbox:google:slow`); 5000 by default. */
  googleSlowMs?: number;
  /** The wait before each try of a call-back of Google's; a few seconds in all by default. */
  googleRetryWaitsMs?: readonly number[];
  /** Where Stripe's signed call-backs go; without it, events are only kept. */
  stripeEndpoint?: Endpoint;
  /** The wait before each try of a call-back; a few seconds in all by default. */
  stripeRetryWaitsMs?: readonly number[];
  clock?: { nowMs(): number };
};

/** Starts other people's servers on loopback: APNs, Google Wallet, Stripe, and webhook receivers over HTTPS. */
export async function startSandbox(options: SandboxOptions): Promise<Sandbox> {
  const { dataDir, host = "127.0.0.1", log = () => {} } = options;
  const nowMs = () => (options.clock ?? { nowMs: Date.now }).nowMs();
  mkdirSync(dataDir, { recursive: true, mode: 0o700 });
  const file = (name: string) => join(dataDir, name);

  const authority = await openAuthority(file("authority"), nowMs);
  const identity = await authority.issueServerCertificate([
    ...new Set(["localhost", "127.0.0.1", "::1", host]),
  ]);
  const state = openState(file);
  const closing = new AbortController();
  const base = { nowMs, closing: closing.signal };
  const devices = createDeviceLog(state.goneDevices);
  const receivers = createReceivers(state.receivers, state.deliveries);
  const apnsFaults = createFaults();
  const apns = createApns({
    ...base,
    identity,
    trusted: [authority.rootPem, authority.wwdrPem],
    log: devices,
    faults: apnsFaults,
    finished: (facts) => log("sandbox.push", facts),
  });
  const stripeEvents = createEvents(state.stripeEvents, {
    ...base,
    endpoint: options.stripeEndpoint ?? null,
    ...(options.stripeRetryWaitsMs !== undefined && { waitsMs: options.stripeRetryWaitsMs }),
  });
  const wallet = createWalletStore(state.wallet);
  const callbackKeys = openCallbackKeys(file("google-root.key"), nowMs);
  const callbacks = createCallbacks(state.callbacks, {
    ...base,
    keys: callbackKeys,
    wallet,
    ...(options.googleRetryWaitsMs !== undefined && { waitsMs: options.googleRetryWaitsMs }),
  });
  const urls = { control: "", apns: "", webhooks: "" };
  const control = createControl({
    ...base,
    authority,
    accounts: state.accounts,
    tokens: openAccessTokens(file("access-token.key"), nowMs),
    wallet,
    issuers: createIssuers(state.issuers, state.accounts),
    callbackKeys,
    callbacks,
    checkoutSessions: createSessions(state.checkoutSessions, {
      nowMs,
      pageUrl: (id) => `${urls.control}${payPath}${id}`,
    }),
    stripeAnswers: state.stripeAnswers,
    stripeEvents,
    receivers,
    devices,
    apns,
    apnsFaults,
    urls,
    requestsPerSecond: options.googleRequestsPerSecond,
    slowMs: options.googleSlowMs ?? 5000,
  });

  const finished = (server: string) => (facts: Finished) => log("sandbox.request", { server, ...facts });
  const controlServer = createHttpServer(
    listener(control, { maxBodyBytes: 4_194_304, finished: finished("control") }),
  );
  const webhookServer = createHttpsServer(
    { cert: identity.certificate, key: identity.key, minVersion: "TLSv1.2" },
    listener((request) => receive({ ...base, receivers }, request), {
      maxBodyBytes: 1_048_576,
      finished: finished("webhooks"),
    }),
  );

  const servers = { control: controlServer, apns: apns.server, webhooks: webhookServer } as const;
  const shutdowns = Object.values(servers).map(prepareShutdown);
  let ended: Promise<void> | undefined;
  const close = () => {
    ended ??= end();
    return ended;
  };
  async function end(): Promise<void> {
    closing.abort();
    apns.close();
    await Promise.all(shutdowns.map((shutdown) => shutdown()));
    state.close();
  }

  try {
    const remembered = rememberedPorts(file("ports.json"));
    const port = (name: keyof Ports) =>
      listen(servers[name], host, { wanted: options.ports?.[name] ?? 0, remembered: remembered[name] });
    // Control last: it hands out the other two addresses, and may be asked in the moment in which it listens.
    const ports = {
      apns: await port("apns"),
      webhooks: await port("webhooks"),
      control: await port("control"),
    };
    const authorityOf = (number: number) => `${isIPv6(host) ? `[${host}]` : host}:${number}`;
    urls.control = `http://${authorityOf(ports.control)}`;
    urls.apns = `https://${authorityOf(ports.apns)}`;
    urls.webhooks = `https://${authorityOf(ports.webhooks)}`;
    rememberPorts(file("ports.json"), ports);
    stripeEvents.resume();
    callbacks.resume();
  } catch (error) {
    await close();
    throw error;
  }
  return {
    controlUrl: urls.control,
    apnsUrl: urls.apns,
    webhookUrl: urls.webhooks,
    caFile: authority.caFile,
    close,
  };
}
