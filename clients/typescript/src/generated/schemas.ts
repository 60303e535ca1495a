// Made by scripts/generate-client.mjs from the OpenAPI document. Do not edit: run it again.

export type ErrorObject = {
  error: ErrorCode;
  /** A sentence for people; it may change. */
  error_description: string;
  /** Equal to the header X-Trace-Id. Quote it when you ask for help. */
  trace_id: string;
  /** Every violation that a 400 is about; beyond 100, one for each operation of a batch. */
  details?: Array<Violation> | undefined;
  /** Of a 402: so many credits, or passes of the contract's month, it would have taken. */
  required?: number | undefined;
  /** Of a 402: so many there were. */
  balance?: number | undefined;
  /** Of a 402 of a prepaid tenant: where credits are bought, with POST. */
  purchase_url?: string | undefined;
  /** Of a 402 under a contract: when its month is over. */
  resets_at?: string | undefined;
};

/** A word for programs. More may be added: treat an unknown one by its HTTP status. */
export type ErrorCode =
  | "invalid_request"
  | "invalid_template"
  | "intent_mismatch"
  | "no_providers"
  | "invalid_scope"
  | "unsupported_grant_type"
  | "invalid_configuration"
  | "payments_not_configured"
  | "invalid_backup"
  | "invalid_token"
  | "invalid_client"
  | "unauthorized_client"
  | "insufficient_scope"
  | "not_found"
  | "method_not_allowed"
  | "gone"
  | "invalid_state"
  | "duplicate_external_ref"
  | "idempotency_key_reused"
  | "too_many_webhooks"
  | "insufficient_credits"
  | "contract_cap_reached"
  | "too_many_requests"
  | "too_many_batches"
  | "unavailable"
  | "provider_rejected"
  | "provider_credentials_invalid"
  | "provider_credentials_unreadable"
  | "provider_rate_limited"
  | "provider_unavailable"
  | "worker_lost"
  | "internal_error"
  | (string & {});

export type Violation = {
  /** A JSON pointer into the body, or the name of a parameter or header; empty for the body as a whole. */
  path: string;
  message: string;
};

export type Token = {
  /** A JWT of type at+jwt (RFC 9068), signed with RS256. */
  access_token: string;
  token_type: "Bearer";
  /** Whole seconds left. */
  expires_in: number;
  /** Unix seconds. */
  expires_at: number;
  /** What was granted, separated by spaces. */
  scope: string;
};

export type PassCreateRequest = {
  /** An active template of the tenant or of the system. */
  template_id: string;
  /** The `intent` that the template shows: its type in snake_case. */
  intent: string;
  /** Your own reference to the pass, unique within the tenant. */
  external_ref: string;
  data: PassData;
};

/** Values for the template's Static and Placeholder fields. Numbers are sent as strings. */
export type PassData = Record<string, string>;

export type Pass = {
  id: string;
  /**
   * `pending`: no wallet has it yet. `partial`: some have. `active`: all have. `updating`, `revoking`: on the
   * way. `revoked`: void everywhere. `failed`: no wallet took it.
   */
  status: "pending" | "partial" | "active" | "updating" | "revoking" | "revoked" | "failed";
  /** The caller's own reference, unique within the tenant. */
  external_ref: string;
  template_id: string;
  intent:
    | "loyalty_card"
    | "event_ticket"
    | "coupon"
    | "boarding_pass"
    | "gift_card"
    | "membership_card"
    | "generic";
  /** The values as they were given, without the template's defaults. */
  data: PassData;
  /** One entry for each wallet that the pass is made for. */
  providers: {
    apple?: PassProvider | undefined;
    google?: PassProvider | undefined;
  };
  /** The job of the latest accepted operation. */
  job_id: string;
  /** 1 at first; each update adds one. */
  version: number;
  /** The public page of the pass, which offers the wallets. */
  page_url: string;
  created_at: string;
  updated_at: string;
};

export type PassProvider = {
  status: "queued" | "processing" | "completed" | "failed" | "revoked";
  /** Adds the pass to the wallet. There as soon as the wallet has the pass. */
  save_link?: string | undefined;
  /**
   * `true` while Google's issuer is in demo mode: only its test accounts can save the pass. Otherwise it is
   * not there.
   */
  test_only?: true | undefined;
  error?: Failure | undefined;
  updated_at: string;
};

/** Why the wallet did not take the pass, or its latest data. */
export type Failure = {
  error: ErrorCode;
  error_description: string;
};

export type PassUpdateRequest = {
  data: PassDataPatch;
};

/** Merged into the data key by key; null removes a key. */
export type PassDataPatch = Record<string, string | null>;

export type PassVersion = {
  version: number;
  change: "created" | "updated";
  /** The whole data of that version. */
  data: PassData;
  job_id: string;
  created_at: string;
};

export type BatchCreateRequest = {
  /** For people. */
  name?: string | undefined;
  operations: Array<BatchOperation>;
};

export type BatchOperation = BatchCreateOperation | BatchUpdateOperation | BatchRevokeOperation;

export type BatchCreateOperation = {
  type: "create";
  pass: PassCreateRequest;
};

export type BatchUpdateOperation = {
  type: "update";
  data: PassDataPatch;
} & (
  | {
      /** The pass, unless external_ref names it. */
      pass_id: string;
      external_ref?: undefined;
    }
  | {
      /** The pass, unless pass_id names it. */
      external_ref: string;
      pass_id?: undefined;
    }
);

export type BatchRevokeOperation = {
  type: "revoke";
} & (
  | {
      /** The pass, unless external_ref names it. */
      pass_id: string;
      external_ref?: undefined;
    }
  | {
      /** The pass, unless pass_id names it. */
      external_ref: string;
      pass_id?: undefined;
    }
);

export type Batch = {
  id: string;
  name: string | null;
  status: "queued" | "processing" | "completed" | "cancelled";
  /** How many operations there are. */
  total: number;
  succeeded: number;
  failed: number;
  /** Of the operations that failed, the 100 with the lowest indexes. */
  errors: Array<BatchOperationError>;
  job_id: string;
  created_at: string;
  started_at: string | null;
  finished_at: string | null;
};

export type BatchOperationError = {
  /** The place in `operations`, from 0. */
  index: number;
  error: ErrorCode;
  error_description: string;
};

export type MessageSendRequest = {
  /** The notification's title. */
  header: string;
  /** Its text. */
  body: string;
} & (
  | {
      /** To this pass only. */
      pass_id: string;
      template_id?: undefined;
    }
  | {
      /** To every active pass of this template. */
      template_id: string;
      pass_id?: undefined;
    }
);

export type Message = {
  id: string;
  /** Of a message to one pass. */
  pass_id?: string | undefined;
  /** Of a broadcast. */
  template_id?: string | undefined;
  header: string;
  body: string;
  status: "pending" | "sent" | "partial" | "failed";
  /**
   * 1 for a single pass; for a broadcast the passes of the template that are active now, counted at every
   * read.
   */
  affected_passes: number;
  job_id: string;
  created_at: string;
};

export type Job = {
  id: string;
  type: "pass.create" | "pass.update" | "pass.revoke" | "message.send" | "batch.process";
  /**
   * `retrying`: an attempt failed and the next one waits for its time. `completed`, `failed` and `cancelled`
   * are final.
   */
  status: "queued" | "running" | "retrying" | "completed" | "failed" | "cancelled";
  resource: JobResource;
  /** How often the work was begun. */
  attempts: number;
  progress: JobProgress;
  error: Failure | null;
  /**
   * What was done otherwise than one may expect; only where there is something to say. `notification_capped`:
   * the wallet shows a message without notifying. `change_not_notified`: an update changes values, and none
   * of a field with a `change_message`, so Apple Wallet says nothing of it on the lock screen.
   */
  warnings?: Array<JobWarning> | undefined;
  created_at: string;
  started_at: string | null;
  finished_at: string | null;
};

export type JobResource = {
  type: "pass" | "message" | "batch";
  id: string;
};

export type JobProgress = {
  done: number;
  total: number;
};

export type JobWarning = {
  warning: "notification_capped" | "change_not_notified";
  description: string;
};

export type TemplateItem = {
  id: string;
  /** null: a system template, which every tenant sees. */
  tenant_id: string | null;
  name: string;
  template_type:
    | "LoyaltyCard"
    | "EventTicket"
    | "Coupon"
    | "BoardingPass"
    | "GiftCard"
    | "MembershipCard"
    | "Generic";
  intent:
    | "loyalty_card"
    | "event_ticket"
    | "coupon"
    | "boarding_pass"
    | "gift_card"
    | "membership_card"
    | "generic";
  status: "active" | "archived";
  latest_version: number;
  is_system_template: boolean;
  created_at: string;
};

export type Template = {
  id: string;
  /** null: a system template, which every tenant sees. */
  tenant_id: string | null;
  name: string;
  template_type:
    | "LoyaltyCard"
    | "EventTicket"
    | "Coupon"
    | "BoardingPass"
    | "GiftCard"
    | "MembershipCard"
    | "Generic";
  intent:
    | "loyalty_card"
    | "event_ticket"
    | "coupon"
    | "boarding_pass"
    | "gift_card"
    | "membership_card"
    | "generic";
  status: "active" | "archived";
  latest_version: number;
  is_system_template: boolean;
  created_at: string;
  description: string | null;
  /** The wallets that its passes can be made for. */
  providers: Array<"apple" | "google">;
};

export type TemplateVersion = {
  template_id: string;
  version: number;
  created_at: string;
  fields: Array<TemplateField>;
  header: TemplateHeader;
  body: TemplateBody;
  barcode: TemplateBarcode | null;
  /** Merged into what goes to Apple Wallet's pass.json; unknown members are kept. */
  apple?: Record<string, unknown> | undefined;
  /** Merged into what goes to Google Wallet's class and object; unknown members are kept. */
  google?: Record<string, unknown> | undefined;
};

export type TemplateField = {
  key: string;
  label: string;
  /**
   * `Static`: comes with a default. `Placeholder`: to be given, unless it has a default. `Computed`: filled
   * in by the service, must not be given.
   */
  kind: "Static" | "Placeholder" | "Computed";
  default?: string | undefined;
  required?: boolean | undefined;
  /** In Unicode code points. */
  max_length?: number | undefined;
  /** What a Computed field shows. */
  source?: "pass_id" | "external_ref" | "version" | "issued_at" | "updated_at" | undefined;
  /** What the wallet says when the value changes; `%@` is the new value. */
  change_message?: string | undefined;
};

export type TemplateHeader = {
  organization_name: string;
  description: string;
  logo_text?: string | undefined;
  /** The issuer's words on the public page, beside the pass. */
  page_text?: string | undefined;
  background_color: string;
  foreground_color: string;
  label_color: string;
  /** By file name. */
  images: Array<string>;
};

export type TemplateBody = {
  header: Array<string>;
  primary: Array<string>;
  secondary: Array<string>;
  auxiliary: Array<string>;
  back: Array<string>;
};

export type TemplateBarcode = {
  format: "qr" | "pdf417" | "aztec" | "code128";
  /** `{{key}}` stands for the value of a field. */
  message: string;
  alt_text?: string | undefined;
};

export type WebhookCreateRequest = {
  /** https, without user info and fragment. */
  url: string;
  /** The types of events to be told of. */
  events: Array<
    | "pass.created"
    | "pass.updated"
    | "pass.revoked"
    | "message.sent"
    | "job.completed"
    | "job.failed"
    | "batch.completed"
  >;
  /** The key of the signatures. Never shown again. */
  secret: string;
};

export type Webhook = {
  id: string;
  url: string;
  events: Array<
    | "pass.created"
    | "pass.updated"
    | "pass.revoked"
    | "message.sent"
    | "job.completed"
    | "job.failed"
    | "batch.completed"
  >;
  /** An inactive webhook gets nothing. */
  is_active: boolean;
  /** The first 4 characters of the secret, the rest of which is never shown. */
  secret_prefix: string;
  created_at: string;
};

export type WebhookUpdateRequest = {
  /** https, without user info and fragment. */
  url?: string | undefined;
  /** The types of events to be told of. */
  events?:
    | Array<
        | "pass.created"
        | "pass.updated"
        | "pass.revoked"
        | "message.sent"
        | "job.completed"
        | "job.failed"
        | "batch.completed"
      >
    | undefined;
  /** The key of the signatures. Never shown again. */
  secret?: string | undefined;
  /** false: nothing is sent any more. */
  is_active?: boolean | undefined;
};

export type WebhookDelivery = {
  /** The header X-Service-Delivery, the same over all attempts. */
  id: string;
  event_id: string;
  event_type:
    | "pass.created"
    | "pass.updated"
    | "pass.revoked"
    | "message.sent"
    | "job.completed"
    | "job.failed"
    | "batch.completed";
  /** `dead_lettered`: the last attempt failed, there is no other. */
  status: "pending" | "delivered" | "retrying" | "dead_lettered";
  attempts: Array<WebhookDeliveryAttempt>;
  next_attempt_at: string | null;
  created_at: string;
};

export type WebhookDeliveryAttempt = {
  number: number;
  at: string;
  /** null: there was no answer. */
  status_code: number | null;
  duration_ms: number;
  error: string | null;
};

export type AnalyticsEvent = {
  id: string;
  event_type:
    | "pass.created"
    | "pass.updated"
    | "pass.revoked"
    | "message.sent"
    | "job.completed"
    | "job.failed"
    | "batch.completed"
    | "pass.activated"
    | "pass.failed"
    | "pass.installed"
    | "pass.uninstalled"
    | "pass.viewed";
  pass_id: string | null;
  template_id: string | null;
  message_id: string | null;
  occurred_at: string;
};

export type EventSummary = {
  from: string;
  to: string;
  /** The days (UTC) on which something happened, oldest first. */
  days: Array<EventDay>;
  totals: EventCounts;
  /** How many passes are active now. */
  active_passes: number;
};

export type EventDay = {
  date: string;
  counts: EventCounts;
};

/** How many events of each type; types without any are left out. */
export type EventCounts = {
  "pass.created"?: number | undefined;
  "pass.updated"?: number | undefined;
  "pass.revoked"?: number | undefined;
  "message.sent"?: number | undefined;
  "job.completed"?: number | undefined;
  "job.failed"?: number | undefined;
  "batch.completed"?: number | undefined;
  "pass.activated"?: number | undefined;
  "pass.failed"?: number | undefined;
  "pass.installed"?: number | undefined;
  "pass.uninstalled"?: number | undefined;
  "pass.viewed"?: number | undefined;
};

/** Problem details (RFC 9457) with the members of the error object. */
export type Problem = {
  /** Where the code is explained. */
  type: string;
  /** The code in words. */
  title: string;
  status: 400;
  /** The same as error_description. */
  detail: string;
  /** The path of the request. */
  instance: string;
  error: ErrorCode;
  /** A sentence for people; it may change. */
  error_description: string;
  /** Equal to the header X-Trace-Id. Quote it when you ask for help. */
  trace_id: string;
  /** Every violation that a 400 is about; beyond 100, one for each operation of a batch. */
  details?: Array<Violation> | undefined;
};

export type Package = {
  id: string;
  name: string;
  /** How many passes can be created with it. */
  credits: number;
  price: Price;
};

export type Price = {
  /** In the currency's minor units, such as cents. */
  amount: number;
  /** ISO 4217. */
  currency: string;
};

export type TopupRequest = {
  package_id: string;
  /** Where the buyer goes afterwards; without it, to a page that says thank you. */
  success_url?: string | undefined;
  /** Where the way back leads; without it, there is none. */
  cancel_url?: string | undefined;
};

export type Checkout = {
  /** Send the buyer there. */
  checkout_url: string;
  session_id: string;
  expires_at: string;
};

export type SubscribeRequest = {
  plan_id: string;
  /** Where the buyer goes afterwards; without it, to a page that says thank you. */
  success_url?: string | undefined;
  /** Where the way back leads; without it, there is none. */
  cancel_url?: string | undefined;
};

export type PassCreatedEvent = {
  /** The event's id, the same for every webhook. */
  id: string;
  type: "pass.created";
  created_at: string;
  tenant_id: string;
  data: Pass;
};

export type PassUpdatedEvent = {
  /** The event's id, the same for every webhook. */
  id: string;
  type: "pass.updated";
  created_at: string;
  tenant_id: string;
  data: Pass;
};

export type PassRevokedEvent = {
  /** The event's id, the same for every webhook. */
  id: string;
  type: "pass.revoked";
  created_at: string;
  tenant_id: string;
  data: Pass;
};

export type MessageSentEvent = {
  /** The event's id, the same for every webhook. */
  id: string;
  type: "message.sent";
  created_at: string;
  tenant_id: string;
  data: Message;
};

export type JobCompletedEvent = {
  /** The event's id, the same for every webhook. */
  id: string;
  type: "job.completed";
  created_at: string;
  tenant_id: string;
  data: Job;
};

export type JobFailedEvent = {
  /** The event's id, the same for every webhook. */
  id: string;
  type: "job.failed";
  created_at: string;
  tenant_id: string;
  data: Job;
};

export type BatchCompletedEvent = {
  /** The event's id, the same for every webhook. */
  id: string;
  type: "batch.completed";
  created_at: string;
  tenant_id: string;
  data: Batch;
};

/** What a webhook delivers. More types may be added: let what you do not know pass. */
export type WebhookEvent =
  | PassCreatedEvent
  | PassUpdatedEvent
  | PassRevokedEvent
  | MessageSentEvent
  | JobCompletedEvent
  | JobFailedEvent
  | BatchCompletedEvent;
