import type { ApplicationStore, SecretHasher } from "../domain/applications/application.ts";
import type { BatchStore } from "../domain/batches/batch.ts";
import type { CatalogStore } from "../domain/billing/catalog.ts";
import type { PaidSessionStore, PaymentProvider } from "../domain/billing/payments.ts";
import type { CallbackStore, CallbackVerifier } from "../domain/callbacks/callback.ts";
import type { RefusalLog } from "../domain/callbacks/refusal-log.ts";
import type { Clock } from "../domain/clock.ts";
import type { DeviceStore } from "../domain/devices/device.ts";
import type { FetchRecorder } from "../domain/devices/record-fetches.ts";
import type { EventStore } from "../domain/events/event.ts";
import type { ViewRecorder } from "../domain/events/record-views.ts";
import type { IdempotencyStore } from "../domain/idempotency.ts";
import type { Ids } from "../domain/ids.ts";
import type { JobStore } from "../domain/jobs/job.ts";
import type { QueueRoom } from "../domain/jobs/queue-room.ts";
import type { Log } from "../domain/log.ts";
import type { MessageStore } from "../domain/messages/message.ts";
import type { PassStore } from "../domain/passes/pass.ts";
import type { ProviderConfigurationStore } from "../domain/providers/configuration.ts";
import type { AppleCredentials, PassToIssue } from "../domain/providers/provider.ts";
import type { RateLimiter } from "../domain/rate-limit.ts";
import type { TemplateStore } from "../domain/templates/template.ts";
import type { RequestCounter } from "../domain/tenants/request-rate.ts";
import type { TenantStore } from "../domain/tenants/tenant.ts";
import type { StandingCheck } from "../domain/tokens/standing.ts";
import type { AccessTokens } from "../domain/tokens/token.ts";
import type { TargetPolicy } from "../domain/webhooks/target-url.ts";
import type { DeliveryStore, WebhookStore } from "../domain/webhooks/webhook.ts";
import type { ClientAddress } from "./client-address.ts";
import type { Handbook } from "./handbook/served.ts";
import type { ImagePath } from "./image-address.ts";
import type { HttpMetrics } from "./metrics.ts";
import type { Reference } from "./openapi/reference/assets.ts";
import type { PassPreviews } from "./pages/preview/served-previews.ts";
import type { PassPages } from "./pages/served-pages.ts";
import type { RefusedCallers } from "./refused-callers.ts";
import type { ServedBody } from "./served-body.ts";

/** What answering requests takes. */
export type ServingDeps = {
  tenants: TenantStore;
  applications: ApplicationStore;
  providerConfigurations: ProviderConfigurationStore;
  templates: TemplateStore;
  idempotency: IdempotencyStore;
  passes: PassStore;
  batches: BatchStore;
  messages: MessageStore;
  jobs: JobStore;
  queueRoom: QueueRoom;
  events: EventStore;
  views: ViewRecorder;
  devices: DeviceStore;
  fetches: FetchRecorder;
  callbacks: CallbackStore;
  callbackVerifier: CallbackVerifier;
  callbackRefusals: RefusalLog;
  webhooks: WebhookStore;
  webhookTargets: TargetPolicy;
  deliveries: DeliveryStore;
  catalog: CatalogStore;
  /** null: this installation takes no payments. */
  payments: PaymentProvider | null;
  paidSessions: PaidSessionStore;
  hasher: SecretHasher;
  peppers: readonly Buffer[];
  accessTokens: AccessTokens;
  standing: StandingCheck;
  requests: Pick<RequestCounter, "count">;
  tokenRateLimiter: RateLimiter;
  /** Of what devices may ask without a token. */
  deviceRateLimiter: RateLimiter;
  /** Of the call-backs of wallets that may be refused. */
  refusedCallbackRateLimiter: Pick<RateLimiter, "take">;
  /** The public key set, ready to send. */
  keySet(): { body: string; etag: string };
  /** Builds the .pkpass of a pass, and one file of several. */
  passFile: {
    build(job: PassToIssue, credentials: AppleCredentials): Promise<Uint8Array[]>;
    bundle(passes: readonly { serialNumber: string; file: readonly Uint8Array[] }[]): Promise<Uint8Array[]>;
  };
  imagePath: ImagePath;
  clientAddress: ClientAddress;
  /** Whose scripts may call the API from a browser. */
  corsOrigins: readonly string[];
  /** Rejects while the store cannot be reached. */
  probeStore(): Promise<void>;
  /** Aborted when this process begins to stop. */
  stopping: AbortSignal;
  ids: Ids;
  clock: Clock;
  baseUrl: string;
  /** Where the sandbox is, for tenants that have its wallets. */
  sandboxUrl: string;
  /** Of the product. */
  version: string;
  metrics: HttpMetrics;
  log: Log;
};

/** What handlers have besides: what is made of these and of the table that they stand in. */
export type HandlerDeps = ServingDeps & {
  refusedCallers: RefusedCallers;
  passPages: PassPages;
  passPreviews: PassPreviews;
  /** The OpenAPI document, ready to send. */
  openApiDocument(): ServedBody;
  /** The page that shows it. */
  reference(): Promise<Reference>;
  /** The guides, and the pages of the error codes. */
  handbook(): Promise<Handbook>;
};
