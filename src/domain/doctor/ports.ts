import type { AuditLog } from "../audit/entry.ts";
import type { Clock } from "../clock.ts";
import type { LedgerStore } from "../credits/ledger.ts";
import type { ReadQueueDepth } from "../jobs/queue-depth.ts";
import type { WorkQueue } from "../jobs/work.ts";
import type { AppleExpiry } from "../providers/certificate-expiry.ts";
import type { ProviderConfigurationStore } from "../providers/configuration.ts";
import type { GoogleCredentials } from "../providers/provider.ts";
import type { SigningKeyStore } from "../signing-keys/signing-key.ts";
import type { TenantRemoval } from "../tenants/remove.ts";
import type { TenantStore } from "../tenants/tenant.ts";
import type { WebhookStore } from "../webhooks/webhook.ts";

/** What the server says of itself. A member is null where it does not say it, or not to us. */
export type ServerFacts = {
  /** As its maker counts: a Valkey shows the Redis that it is compatible with besides. */
  product: "Redis" | "Valkey";
  version: string;
  role: string;
  maxmemoryBytes: number;
  evictionPolicy: string;
  usedMemoryBytes: number;
  aofEnabled: boolean;
  aofLastWriteOk: boolean;
  aofLastRewriteOk: boolean;
  rdbLastSaveOk: boolean;
  /** always, everysec or no. */
  fsync: string | null;
};

export type StoreServer = {
  facts(): Promise<ServerFacts>;
  /** How far its clock is ahead of ours, and how exactly that can be told over this connection. */
  clockAhead(): Promise<{ byMs: number; withinMs: number }>;
};

export type StoreLayout = {
  /** The format of the data, and why this release must leave it alone; null where it need not. */
  dataFormat(): Promise<{ format: number; refusal: { trouble: string; remedy: string } | null }>;
  /** The number of partitions as the store has it; null where nothing was laid out yet. */
  partitions(): Promise<string | null>;
  /** Of some that each partition lists: those whose id leads to another partition, and those that have no record. */
  listedTenants(): Promise<{ lookedAt: number; misplaced: string[]; withoutRecord: string[] }>;
  /** Queues without a stream or without its group, of how many. */
  queuesWithoutGroup(): Promise<{ queues: number; missing: string[] }>;
  /** Scripts that the server does not take, and what it says. */
  unloadableScripts(): Promise<{ scripts: number; refused: { name: string; reason: string }[] }>;
};

/** The names of workers in the consumer groups of all queues. */
export type Consumers = {
  /** Silent for `silentForMs`; apart those that have nothing any more, and those that still hold work. */
  silent(): Promise<{ silentForMs: number; names: number; holding: { names: number; work: number } }>;
};

export type Workers = {
  /** How long ago any worker went through the queue, as each does every second or so; null: never. */
  lastRoundMs(): Promise<number | null>;
  /** Connected workers; null where the server does not tell us. */
  connected(): Promise<number | null>;
};

export type Orphans = {
  /** Keys that lie under a tenant or in a partition that there is not. `isComplete` false: there were more keys than are looked at. */
  find(): Promise<{
    lookedAt: number;
    isComplete: boolean;
    /** Keys by the tenant's id. */
    ofTenants: Map<string, number>;
    ofPartitions: number;
  }>;
};

/** Looks outward. All of these reject with a reason when it does not work, within their time. */
export type Reach = {
  /** Connects and leaves again, to an https or http origin of a wallet. */
  wallet(origin: string): Promise<void>;
  /** The same to where webhooks may go: through the guard that deliveries go through. */
  webhook(url: string): Promise<void>;
  /** Asks Google for a token and for a look at the issuer. */
  google(credentials: GoogleCredentials): Promise<void>;
  /** Gets the root keys that vouch for Google's call-backs: when the last of them ends (ms). */
  callbackKeys(): Promise<number>;
};

export type Policies = {
  /** Null: none is configured. */
  masterKeys: number | null;
  keyRotationMs: number | null;
  waitingLimit: number;
  deadLetterLimit: number;
  /** Where the public reaches the service; empty: it is not configured. */
  baseUrl: string;
};

/** All that the checks take between them; each takes the part that it names. */
export type Installation = {
  clock: Clock;
  policies: Policies;
  server: StoreServer;
  layout: StoreLayout;
  consumers: Consumers;
  workers: Workers;
  queue: Pick<WorkQueue, "forgetConsumers"> & { ensureGroups(): Promise<void> };
  readQueueDepth: ReadQueueDepth;
  signingKeys: SigningKeyStore;
  tenants: TenantStore;
  ledger: LedgerStore;
  providerConfigurations: ProviderConfigurationStore;
  webhooks: WebhookStore;
  appleExpiry: AppleExpiry;
  reach: Reach;
  orphans: Orphans;
  tenantRemoval: TenantRemoval;
  audit: Pick<AuditLog, "entries">;
  /** Tenants whose records are looked at. */
  mostTenants: number;
};
