import type { IdempotencyClaim } from "../idempotency.ts";
import type { Warning } from "../jobs/job.ts";
import type { Failure, Task } from "../jobs/work.ts";
import type { Page, PageRequest } from "../page.ts";
import type { WalletKey } from "../templates/template.ts";

export const messageStatuses = ["pending", "sent", "partial", "failed"] as const;
export type MessageStatus = (typeof messageStatuses)[number];

/** Exactly one pass, or every pass of a template that is active when the broadcast runs. */
export type MessageSubject = { kind: "pass"; id: string } | { kind: "template"; id: string };

export type Message = {
  id: string;
  tenantId: string;
  subject: MessageSubject;
  header: string;
  body: string;
  status: MessageStatus;
  jobId: string;
  createdAtMs: number;
};

export type MessageFilter = { passId?: string; templateId?: string; status?: MessageStatus };

export type MessageCreation = {
  message: Message;
  wallets: readonly WalletKey[];
  traceId: string;
  idempotency: IdempotencyClaim | null;
  response: string;
  event: { id: string; webhookBody: string };
};

export type MessageStore = {
  create(
    creation: MessageCreation,
  ): Promise<
    { outcome: "created" | "key_reused" | "invalid_state" } | { outcome: "replayed"; response: string }
  >;
  find(tenantId: string, messageId: string): Promise<Message | null>;
  /** Newest first. */
  list(tenantId: string, filter: MessageFilter, page: PageRequest): Promise<Page<Message>>;
  /** The tenant's passes of a template that are active or updating now. */
  reach(tenantId: string, templateId: string): Promise<number>;
};

export type MessageOutcome =
  | { outcome: "sent"; warning?: Warning }
  | { outcome: "failed"; failure: Failure; bury: boolean };

/** How a worker sends a message. Every call is fenced by the task's lease. */
export type MessageWork = {
  settle(task: Task, outcome: MessageOutcome): Promise<boolean>;
  /**
   * Puts the message on up to `count` further passes of a broadcast, those behind the cursor of an earlier call: of its passes
   * all devices have been told.
   */
  spread(task: Task, count: number, told: string | null): Promise<Spread>;
};

/** `done`: these are the last. */
export type Spread =
  | { outcome: "more" | "done"; passes: { passId: string; change: number }[]; cursor: string }
  | { outcome: "lost" };
