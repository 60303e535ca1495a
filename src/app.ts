import { randomBytes, randomUUID } from "node:crypto";
import { readFileSync } from "node:fs";
import { hostname } from "node:os";
import { setTimeout as delay } from "node:timers/promises";
import { type DestinationStream, pino } from "pino";
import { type Config, requireMasterKeys } from "./config.ts";
import { createVault, secretPeppers } from "./crypto/vault.ts";
import { type Clock, systemClock } from "./domain/clock.ts";
import { createIds } from "./domain/ids.ts";
import { isLoopback } from "./domain/loopback.ts";
import type { GoogleCredentials } from "./domain/providers/provider.ts";
import type { CredentialChecks } from "./domain/providers/test.ts";
import { createApplicationStore } from "./redis/applications.ts";
import { createAuditLog } from "./redis/audit.ts";
import { createCatalogStore } from "./redis/billing.ts";
import { openConnection, whenReady } from "./redis/connection.ts";
import { createCreditStore } from "./redis/credits.ts";
import { createIdempotencyStore } from "./redis/idempotency.ts";
import { openInstallation } from "./redis/installation.ts";
import { createKeys } from "./redis/keys.ts";
import { createLedgerRetention, createLedgerStore } from "./redis/ledger.ts";
import { createProviderConfigurationStore } from "./redis/provider-configurations.ts";
import { createTokenRateLimiter } from "./redis/rate-limiter.ts";
import { type RoundTripListener, watchRoundTrips } from "./redis/round-trips.ts";
import { defineScripts } from "./redis/scripts.ts";
import { createSigningKeyStore } from "./redis/signing-keys.ts";
import type { StoreParts } from "./redis/store.ts";
import { createTemplateStore } from "./redis/templates.ts";
import { createTenantStore } from "./redis/tenants.ts";

export { redisProbe } from "./redis/probe.ts";

export type App = Awaited<ReturnType<typeof openApp>>;

/** How long a start waits for Redis before it gives up. */
const redisPatienceMs = 5000;

/** The version of this product, from package.json. */
export function productVersion(): string {
  const manifest = readFileSync(new URL("../package.json", import.meta.url), "utf8");
  return (JSON.parse(manifest) as { version: string }).version;
}

/**
 * Everything that commands need, made from the configuration: the store, its nouns, time and chance. What serving and
 * working need besides is loaded by `openServing` and `openWorking`, so that short commands start fast.
 * Rejects with `unavailable` when Redis does not answer, and with invalid_configuration when it would lose data.
 */
export async function openApp(config: Config, options: LogOptions) {
  const masterKeys = requireMasterKeys(config);
  const log = openLog(config, options);
  const connection = openConnection(config.redisUrl, { name: options.name });
  try {
    await whenReady(connection, redisPatienceMs);
    const installation = await openInstallation(connection, config.keyPrefix);
    for (const warning of installation.warnings) log.warn({ warning }, "redis.checked");
    const keys = createKeys({ prefix: config.keyPrefix, partitions: installation.partitions });
    const clock = systemClock;
    const store: StoreParts = {
      connection,
      keys,
      run: defineScripts(connection),
      vault: createVault(masterKeys),
    };
    return {
      config,
      log,
      clock,
      ids: createIds({ clock, sameHome: (a, b) => keys.partitionOf(a) === keys.partitionOf(b) }),
      peppers: secretPeppers(masterKeys),
      store,
      tenants: createTenantStore(store),
      credits: createCreditStore(store),
      ledger: createLedgerStore(store),
      catalog: createCatalogStore(store),
      audit: createAuditLog(store),
      applications: createApplicationStore(store),
      providerConfigurations: createProviderConfigurationStore(store),
      templates: createTemplateStore(store),
      signingKeys: createSigningKeyStore(store),
      idempotency: createIdempotencyStore(store),
      queueLimits: { waiting: config.queueLimit, deadLetters: config.deadLetterLimit },
      tokenRateLimiter: createTokenRateLimiter(store, config.tokenRateLimit),
      watchRoundTrips: (listener: RoundTripListener) => watchRoundTrips(connection, listener),
      close: async (): Promise<void> => {
        connection.disconnect();
      },
    };
  } catch (error) {
    connection.disconnect();
    throw error;
  }
}

/** The hasher of application secrets, which brings native code along. */
export async function openHasher() {
  const { createSecretHasher } = await import("./crypto/secret-hasher.ts");
  return createSecretHasher();
}

/** What makes signing keys. */
export async function openKeyMint() {
  const { mintSigningKey } = await import("./crypto/signing-key-mint.ts");
  return mintSigningKey;
}

/** What removes all that a tenant has. */
export async function openTenantRemoval(app: Pick<App, "store">) {
  const { createTenantRemoval } = await import("./redis/tenant-removal.ts");
  return createTenantRemoval(app.store);
}

/** What copies the store for a backup. Close it afterwards. */
export async function openSnapshots({ config, store }: Pick<App, "config" | "store">) {
  const { createSnapshots } = await import("./redis/backup/snapshots.ts");
  const connection = openConnection(config.redisUrl, { name: "backup", patient: true });
  await whenReady(connection, redisPatienceMs);
  return {
    snapshots: createSnapshots({ ...store, connection }),
    close: async () => connection.disconnect(),
  };
}

/** What puts a backup back. Close it afterwards. */
export async function openRestorations({ config, store }: Pick<App, "config" | "store">) {
  const { createRestorations } = await import("./redis/backup/restorations.ts");
  const connection = openConnection(config.redisUrl, { name: "restore", patient: true });
  await whenReady(connection, redisPatienceMs);
  const parts = { ...store, connection, run: defineScripts(connection) };
  return {
    restorations: createRestorations(parts, { holder: `${hostname()}:${process.pid}:${randomUUID()}` }),
    close: async () => connection.disconnect(),
  };
}

/** All that an export of a tenant shows. */
export async function openExport(app: App) {
  const { store } = app;
  const { createPassStore } = await import("./redis/passes.ts");
  const { createMessageStore } = await import("./redis/messages.ts");
  const { createEventStore } = await import("./redis/events.ts");
  return {
    ...app,
    ...(await openJobs(app)),
    ...(await openWebhooks(app)),
    passes: createPassStore(store),
    messages: createMessageStore(store),
    events: createEventStore(store),
  };
}

/** All that is sealed under the master keys. */
export async function openSealedSecrets({ store }: Pick<App, "store">) {
  const { createSealedSecrets } = await import("./redis/sealed-secrets.ts");
  return createSealedSecrets(store);
}

/** The webhooks of all tenants, and what they are sent. */
export async function openWebhooks({ store }: Pick<App, "store">) {
  const { createWebhookStore } = await import("./redis/webhooks.ts");
  const { createDeliveryStore } = await import("./redis/deliveries.ts");
  return { webhooks: createWebhookStore(store), deliveries: createDeliveryStore(store) };
}

/** Passes, the phones that have them, and what Google says of them. */
export async function openDevices({ store }: Pick<App, "store">) {
  const { createPassStore } = await import("./redis/passes.ts");
  const { createDeviceStore } = await import("./redis/devices.ts");
  const { createCallbackStore } = await import("./redis/callbacks.ts");
  return {
    passes: createPassStore(store),
    devices: createDeviceStore(store),
    callbacks: createCallbackStore(store),
  };
}

/** How the endpoints of webhooks have answered lately. */
export async function openBreakers({ store, config }: Pick<App, "store" | "config">) {
  const { createBreakers } = await import("./redis/breakers.ts");
  return createBreakers(store, { parkLimitMs: config.webhookParkLimitMs });
}

/** What posts to webhooks: the worker's attempts and operators' tests alike. */
export async function openWebhookSender({ config }: Pick<App, "config">) {
  const { createWebhookSender } = await import("./egress/webhook-sender.ts");
  return createWebhookSender({
    userAgent: `Passwright/${productVersion()}`,
    allowed: config.webhookAllowCidrs,
    ca: config.webhookCaFile,
  });
}

/** The jobs of all tenants as operators look at them, and the batches that some of them are for. */
export async function openJobs({ store, clock }: Pick<App, "store" | "clock">) {
  const { createJobHistory } = await import("./redis/job-history.ts");
  const { createBatchStore } = await import("./redis/batches.ts");
  return { jobHistory: createJobHistory(store, clock), batches: createBatchStore(store) };
}

/** What looks at dead letters, and deals with them. */
export async function openDeadLetters(app: Pick<App, "store" | "clock">) {
  const { createDeadLetterStore } = await import("./redis/dead-letters.ts");
  return createDeadLetterStore(app.store, app.clock);
}

/** What gives dead letters another try, as tasks that any process may go on with. */
export async function openReplays(app: Pick<App, "store" | "clock">) {
  const { createReplayTaskStore } = await import("./redis/replay-tasks.ts");
  const { clock } = app;
  return {
    deadLetters: await openDeadLetters(app),
    replayTasks: createReplayTaskStore(app.store, { clock, holder: processName() }),
    clock,
    pause,
  };
}

/** What has the phones of a tenant fetch their passes again, as tasks that workers do. */
export async function openResigns(app: Pick<App, "store" | "clock">) {
  const { createResignTaskStore } = await import("./redis/resign-tasks.ts");
  const { clock } = app;
  return { resignTasks: createResignTaskStore(app.store, { clock, holder: processName() }), clock, pause };
}

/** This process, as others see it. */
function processName(): string {
  return `${hostname()}:${process.pid}`;
}

/** Waits, or ends early when the signal is aborted. */
async function pause(ms: number, signal: AbortSignal): Promise<void> {
  await delay(ms, undefined, { signal }).catch(() => {});
}

/** What the dashboard looks at: all of it costs the same however much there is. */
export async function openLooks(app: Pick<App, "store" | "clock" | "config">) {
  const { createQueueDepth } = await import("./redis/queue-depth.ts");
  const { createQueueLook } = await import("./redis/queue-look.ts");
  const { createStoreHealth } = await import("./redis/store-health.ts");
  const { createTenantFigures } = await import("./redis/tenant-figures.ts");
  const { store } = app;
  return {
    ...(await openReplays(app)),
    ...(await openJobs(app)),
    ...(await openWebhooks(app)),
    breakers: await openBreakers(app),
    queueLook: createQueueLook(store),
    readQueueDepth: createQueueDepth(store),
    readStoreHealth: createStoreHealth(store),
    tenantFigures: createTenantFigures(store),
  };
}

/** What answering requests takes besides. `baseUrl` is the public one, without a trailing slash. */
export async function openServing(app: App, baseUrl: string) {
  const [hasher, { createKeyring }, { createAccessTokens }, { mintSigningKey }, { ensureSigningKeys }] =
    await Promise.all([
      openHasher(),
      import("./crypto/keyring.ts"),
      import("./crypto/access-tokens.ts"),
      import("./crypto/signing-key-mint.ts"),
      import("./domain/signing-keys/ensure.ts"),
    ]);
  const { createPassStore } = await import("./redis/passes.ts");
  const { createMessageStore } = await import("./redis/messages.ts");
  const { createBatchStore } = await import("./redis/batches.ts");
  const { createJobStore } = await import("./redis/jobs.ts");
  const { createWebhookStore } = await import("./redis/webhooks.ts");
  const { createDeliveryStore } = await import("./redis/deliveries.ts");
  const { createEventStore } = await import("./redis/events.ts");
  const { createDeviceStore } = await import("./redis/devices.ts");
  const { createDeviceRateLimiter, createRefusedCallbackRateLimiter } = await import(
    "./redis/rate-limiter.ts"
  );
  const { createFetchRecorder } = await import("./domain/devices/record-fetches.ts");
  const { createCallbackStore } = await import("./redis/callbacks.ts");
  const { createRefusalLog } = await import("./domain/callbacks/refusal-log.ts");
  const { createViewRecorder } = await import("./domain/events/record-views.ts");
  const { createPaidSessionStore } = await import("./redis/paid-sessions.ts");
  const { createStandingCheck } = await import("./redis/standings.ts");
  const { createRequestCounter } = await import("./redis/request-counter.ts");
  const { createQueueDepth } = await import("./redis/queue-depth.ts");
  const { createQueueRoom } = await import("./redis/queue-room.ts");
  const { createWebhookTargets } = await import("./egress/webhook-targets.ts");
  const { createAppleProvider } = await import("./providers/apple/provider.ts");
  const { config, clock } = app;
  const store = await openAcceptingStore(app);

  // How old its keys are is a matter of real time, whatever clock the app goes by.
  const keyring = await createKeyring(() => ensureSigningKeys({ ...app, mintSigningKey }), systemClock);
  const subscribers: { disconnect(): void }[] = [];
  const openSubscriber = () => {
    const subscriber = openConnection(config.redisUrl, { name: "serve-notices" });
    subscribers.push(subscriber);
    return subscriber;
  };
  const passFile = createAppleProvider({ clock });
  const events = createEventStore(store);
  const views = createViewRecorder({ ...app, events });
  const devices = createDeviceStore(store);
  const fetches = createFetchRecorder({ ...app, devices });
  const callbackVerifier = await openCallbackVerifier(app);
  return {
    ...app,
    baseUrl,
    sandboxUrl: config.sandboxUrl,
    hasher,
    keyring,
    idempotency: store.idempotency,
    version: productVersion(),
    keySet: () => keyring.published(),
    accessTokens: createAccessTokens({ keyring, clock, baseUrl }),
    standing: createStandingCheck(app),
    requests: createRequestCounter(app.store, clock),
    webhookTargets: createWebhookTargets(config.webhookAllowCidrs),
    corsOrigins: config.corsOrigins,
    passes: createPassStore(store),
    batches: createBatchStore(store),
    messages: createMessageStore(store),
    jobs: createJobStore(store, openSubscriber),
    events,
    views,
    devices,
    fetches,
    callbacks: createCallbackStore(store),
    callbackVerifier,
    callbackRefusals: createRefusalLog(app),
    deviceRateLimiter: createDeviceRateLimiter(store, config.deviceRateLimit),
    refusedCallbackRateLimiter: createRefusedCallbackRateLimiter(store, config.deviceRateLimit),
    webhooks: createWebhookStore(store),
    deliveries: createDeliveryStore(store),
    payments: await openPayments(app),
    paidSessions: createPaidSessionStore(store),
    passFile,
    readQueueDepth: createQueueDepth(store),
    queueRoom: createQueueRoom(store, app.queueLimits),
    probeStore: async (): Promise<void> => {
      await store.connection.ping();
    },
    close: async (): Promise<void> => {
      await Promise.all([passFile.close(), views.settled(), fetches.settled()]);
      for (const subscriber of subscribers) subscriber.disconnect();
      store.stopAccepting();
      await app.close();
    },
  };
}

/** The store as `serve` accepts with it: where that is asked for, what is accepted is on replicas before anybody is told. */
async function openAcceptingStore({
  config,
  store,
  idempotency,
}: Pick<App, "config" | "store" | "idempotency">) {
  if (config.redisWaitReplicas === 0) return { ...store, idempotency, stopAccepting: () => {} };
  const { replicatedStore } = await import("./redis/replicated-store.ts");
  const connection = openConnection(config.redisUrl, { name: "serve-accepts" });
  const accepting = replicatedStore(store, connection, config.redisWaitReplicas);
  await whenReady(connection, redisPatienceMs);
  return { ...accepting, stopAccepting: () => connection.disconnect() };
}

/** What tells Google's call-backs from others: with the sandbox's keys for tenants of the sandbox, and with Google's for all others. */
async function openCallbackVerifier({ config, clock, log }: Pick<App, "config" | "clock" | "log">) {
  const { createCallbackVerifier } = await import("./providers/google/callbacks/verifier.ts");
  const { keysAt } = await import("./providers/google/callbacks/key-sources.ts");
  const google = await googleKeySource(config);
  const sandbox = keysAt(`${config.sandboxUrl}/gp/m/issuer/keys`);
  return createCallbackVerifier({ google, sandbox }, { clock, log });
}

async function googleKeySource({ googleCallbackKeysFile: file, googleCallbackKeysUrl: url }: Config) {
  const { keysAt, keysIn } = await import("./providers/google/callbacks/key-sources.ts");
  return file === null ? keysAt(url) : keysIn(file);
}

/** Where money is taken, or null where no key says whose it would be. */
async function openPayments({ config, clock, log }: Pick<App, "config" | "clock" | "log">) {
  if (config.stripeSecretKey === null) return null;
  if (config.stripeWebhookSecrets.length === 0) {
    const warning =
      "Checkouts can be paid, but nothing is granted for them: PASSWRIGHT_STRIPE_WEBHOOK_SECRET is not set.";
    log.warn({ warning }, "payments.checked");
  }
  const { createStripePayments } = await import("./payments/stripe.ts");
  return createStripePayments({
    secretKey: config.stripeSecretKey,
    apiUrl: config.stripeApiUrl,
    webhookSecrets: config.stripeWebhookSecrets,
    clock,
    product: { name: "Passwright", version: productVersion() },
  });
}

/** What carrying out accepted work takes besides. */
export async function openWorking(app: App, baseUrl: string) {
  const { createPassStore } = await import("./redis/passes.ts");
  const { createPassWork } = await import("./redis/pass-work.ts");
  const { createMessageStore, createMessageWork } = await import("./redis/messages.ts");
  const { createBatchStore, createBatchWork } = await import("./redis/batches.ts");
  const { createWebhookStore } = await import("./redis/webhooks.ts");
  const { createDeliveryStore } = await import("./redis/deliveries.ts");
  const { createOutbox } = await import("./redis/outbox.ts");
  const { createJobStore } = await import("./redis/jobs.ts");
  const { jobResource } = await import("./domain/jobs/resource.ts");
  const { batchResource } = await import("./domain/batches/resource.ts");
  const { composeFrom } = await import("./domain/webhooks/compose.ts");
  const { createWorkQueue } = await import("./redis/work-queue.ts");
  const { createWorkerRoll } = await import("./redis/worker-roll.ts");
  const { createQueueDepth } = await import("./redis/queue-depth.ts");
  const { createBell } = await import("./redis/bell.ts");
  const { createTenantGoneCheck } = await import("./redis/standings.ts");
  const { createDropTask } = await import("./redis/tenant-removal.ts");
  const { createTurns } = await import("./redis/turns.ts");
  const { createPublishedVersions } = await import("./redis/published-versions.ts");
  const { createEventRetention } = await import("./redis/events.ts");
  const { createAppleProvider } = await import("./providers/apple/provider.ts");
  const { createApnsClient } = await import("./providers/apple/apns/client.ts");
  const { appleExpiry } = await import("./providers/apple/expiry.ts");
  const { createDeviceStore } = await import("./redis/devices.ts");
  const { createCallRate } = await import("./redis/call-rate.ts");
  const { createGoogleProvider } = await import("./providers/google/provider.ts");
  const { callbackUrl } = await import("./providers/google/callback-url.ts");
  const { workClasses } = await import("./domain/jobs/work.ts");
  const { config, store, clock } = app;
  const { keys } = store;

  const nowMs = (): number => clock.nowMs();
  const jobs = createJobStore(store, () => store.connection);
  const batches = createBatchStore(store);
  const compose = composeFrom({
    job: async (tenantId, id) => {
      const job = await jobs.find(tenantId, id);
      return job && jobResource(job);
    },
    batch: async (tenantId, id) => {
      const batch = await batches.find(tenantId, id);
      return batch && batchResource(batch);
    },
  });
  const consumer = `${hostname()}:${process.pid}:${randomUUID()}`;
  const queue = createWorkQueue(store, {
    consumer,
    leaseMs: config.jobLeaseMs,
    nowMs,
  });
  await queue.ensureGroups();
  const [seconds, microseconds] = await store.connection.time();
  const startAtMs = Number(seconds) * 1000 + Math.floor(Number(microseconds) / 1000);
  const open = () => openConnection(config.redisUrl, { name: "worker-bell", blocking: true });
  const bells = new Map(
    keys.allPartitions.flatMap((partition) =>
      workClasses.map((workClass) => [keys.bell(partition, workClass), partition] as const),
    ),
  );
  const queueBell = createBell({ open, streams: [...bells.keys()], startAtMs });
  const outboxStreams = keys.allPartitions.map((partition) => keys.outbox(partition));
  const outboxBell = createBell({ open, streams: outboxStreams, startAtMs });
  const webhookSender = await openWebhookSender(app);
  const { googleRateLimit: limit } = config;
  const ofGoogle = createCallRate(store, limit ?? { requests: 20, windowMs: 1000 });
  const ofThisMachine = createCallRate(store, limit ?? { requests: 10_000, windowMs: 1000 });
  const providers = {
    apple: createAppleProvider({
      clock,
      apns: createApnsClient({ clock, ca: config.webhookCaFile, proxy: config.apnsProxy }),
    }),
    google: createGoogleProvider({
      clock,
      rateOf: ({ apiUrl }) => (isLoopback(apiUrl) ? ofThisMachine : ofGoogle),
      mostTogether: config.googleBatch,
      proxy: config.googleProxy,
      imageUrl: (owner, sha256) => `${baseUrl}/images/${owner ?? "system"}/${sha256}.png`,
      callbackUrl: (tenantId, credentials) => callbackUrl(baseUrl, tenantId, credentials),
    }),
  };
  return {
    ...app,
    baseUrl,
    queue,
    roll: createWorkerRoll(store, { consumer, nowMs }),
    readQueueDepth: createQueueDepth(store),
    breakers: await openBreakers(app),
    outbox: createOutbox(store, { nowMs, compose }),
    outboxBell,
    workBell: {
      async wait(blockMs: number): Promise<number[]> {
        const rung = (await queueBell.wait(blockMs)).map((stream) => bells.get(stream));
        return [...new Set(rung.filter((partition) => partition !== undefined))];
      },
      close: () => queueBell.close(),
    },
    partitions: keys.allPartitions,
    passes: createPassStore(store),
    passWork: createPassWork(store, { nowMs }),
    devices: createDeviceStore(store),
    batchWork: createBatchWork(store, { nowMs }),
    messages: createMessageStore(store),
    messageWork: createMessageWork(store, { nowMs }),
    tenantIsGone: createTenantGoneCheck(app.tenants),
    dropTask: createDropTask(store),
    turns: createTurns(store, clock),
    publishedVersions: createPublishedVersions(store),
    mintSigningKey: await openKeyMint(),
    eventRetention: createEventRetention(store),
    eventRetentionMs: config.eventRetentionMs,
    ledgerRetention: createLedgerRetention(store),
    ledgerRetentionMs: config.ledgerRetentionMs,
    webhooks: createWebhookStore(store),
    deliveries: createDeliveryStore(store, {
      parkLimitMs: config.webhookParkLimitMs,
      turned: ({ tenantId, webhookId }, to) =>
        app.log.warn({ webhook: webhookId, tenant: tenantId }, `breaker.${to}`),
    }),
    webhookSender,
    providers,
    appleExpiry,
    jobRetrySchedule: config.jobRetrySchedule,
    webhookRetrySchedule: config.webhookRetrySchedule,
    webhookHoldLimitMs: config.webhookParkLimitMs,
    nowMs,
    close: async (): Promise<void> => {
      await Promise.all([providers.apple.close(), providers.google.close(), webhookSender.close()]);
      await app.close();
    },
  };
}

/** `process` is the number of one of several that do the same. */
type LogOptions = { name: string; process?: number | undefined; logTo?: DestinationStream };

/** The log of a process, for one that needs nothing of the store. */
export function openLog(config: Pick<Config, "logLevel">, options: LogOptions) {
  const log = pino(
    {
      name: options.name,
      level: config.logLevel,
      serializers: { err: shownError },
    },
    options.logTo ?? pino.destination({ fd: 2, sync: false }),
  );
  return options.process === undefined ? log : log.child({ process: options.process });
}

/** Of an error only what says where to look: members that libraries attach may hold whole requests. */
function shownError(error: unknown): unknown {
  if (!(error instanceof Error)) return { message: String(error) };
  return {
    type: error.name,
    message: error.message,
    stack: error.stack,
    ...(error.cause !== undefined && { cause: shownError(error.cause) }),
  };
}

/**
 * What `doctor` looks at: opened in whatever state the installation is, since it is to say what is wrong with it.
 * Nothing is laid out, and nothing refused.
 */
export async function openExamination(config: Config, { deep }: { deep: boolean }) {
  const { createStoreServer } = await import("./redis/doctor/server.ts");
  const { createStoreLayout, partitionsToLookInto } = await import("./redis/doctor/layout.ts");
  const { createConsumerCensus, createWorkerCensus } = await import("./redis/doctor/worker-census.ts");
  const { createOrphans } = await import("./redis/doctor/orphans.ts");
  const { createWorkQueue, silentForMs } = await import("./redis/work-queue.ts");
  const { createQueueDepth } = await import("./redis/queue-depth.ts");
  const { createWebhookStore } = await import("./redis/webhooks.ts");
  const { appleExpiry } = await import("./providers/apple/expiry.ts");
  const { createReach } = await import("./egress/reach.ts");
  const { lastEndMs } = await import("./providers/google/callbacks/key-sources.ts");
  const { googleOnline } = await openCredentialChecks(config);
  const clock = systemClock;
  const connection = openConnection(config.redisUrl, { name: "doctor" });
  // That it does not answer, a check says.
  const refusal = await whenReady(connection, redisPatienceMs).then(
    () => null,
    (error: unknown) => error,
  );
  const { meta } = createKeys({ prefix: config.keyPrefix, partitions: 1 });
  const partitions = await partitionsToLookInto(connection, meta);
  const store: StoreParts = {
    connection,
    keys: createKeys({ prefix: config.keyPrefix, partitions }),
    run: defineScripts(connection),
    // Without a master key nothing opens; and nothing is sealed here.
    vault: createVault(config.masterKeys ?? [randomBytes(32)]),
  };
  return {
    config,
    clock,
    policies: {
      masterKeys: config.masterKeys?.length ?? null,
      keyRotationMs: config.keyRotationMs,
      waitingLimit: config.queueLimit,
      deadLetterLimit: config.deadLetterLimit,
      baseUrl: config.baseUrl,
    },
    server: createStoreServer(connection, clock, refusal),
    layout: createStoreLayout(store),
    consumers: createConsumerCensus(store, silentForMs),
    workers: createWorkerCensus(store),
    queue: createWorkQueue(store, { consumer: "doctor", leaseMs: config.jobLeaseMs, nowMs: clock.nowMs }),
    readQueueDepth: createQueueDepth(store),
    signingKeys: createSigningKeyStore(store),
    tenants: createTenantStore(store),
    ledger: createLedgerStore(store),
    providerConfigurations: createProviderConfigurationStore(store),
    webhooks: createWebhookStore(store),
    appleExpiry,
    reach: {
      ...createReach({ allowed: config.webhookAllowCidrs, ca: config.webhookCaFile }),
      google: (credentials: GoogleCredentials) =>
        googleOnline({ clock }, credentials, AbortSignal.timeout(15_000)),
      callbackKeys: async () => lastEndMs(await googleKeySource(config)),
    },
    orphans: createOrphans(store),
    tenantRemoval: await openTenantRemoval({ store }),
    audit: createAuditLog(store),
    mostTenants: deep ? Number.POSITIVE_INFINITY : 200,
    close: async (): Promise<void> => {
      connection.disconnect();
    },
  };
}

/** The checks of credentials that `providers set` makes before it stores any. */
export async function openCredentialChecks(
  { googleProxy }: Pick<Config, "googleProxy"> = { googleProxy: null },
) {
  const [apple, google, online] = await Promise.all([
    import("./providers/apple/credentials.ts"),
    import("./providers/google/credentials.ts"),
    import("./providers/google/check-credentials.ts"),
  ]);
  return {
    apple: apple.checkAppleCredentials,
    google: google.readGoogleCredentials,
    /** Asks Google for a token and for a look at the issuer's classes. */
    googleOnline: (deps: { clock: Clock }, credentials: GoogleCredentials, signal: AbortSignal) =>
      online.checkGoogleCredentials({ ...deps, proxy: googleProxy }, credentials, signal),
  };
}

/** The same checks of what is stored: by what it was made from, so that they are as strict as when it was set. */
export async function openStoredCredentialChecks({
  clock,
  config,
}: Pick<App, "clock" | "config">): Promise<CredentialChecks> {
  const checks = await openCredentialChecks(config);
  return {
    async apple(credentials) {
      await checks.apple({ clock }, credentials);
    },
    google: (credentials, signal) => checks.googleOnline({ clock }, credentials, signal),
  };
}
