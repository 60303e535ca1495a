import type { WebhookEventType } from "../../src/domain/events/event.ts";
import { type ComposeResource, composeFrom } from "../../src/domain/webhooks/compose.ts";
import type { Outbox } from "../../src/domain/webhooks/webhook.ts";
import { createOutbox } from "../../src/redis/outbox.ts";
import type { StoreParts } from "../../src/redis/store.ts";
import type { TestStore } from "./store.ts";

/** The outbox as one worker has it. Without `compose` it takes only events that bring their body along. */
export function openOutbox(
  store: TestStore,
  options: { compose?: ComposeResource; through?: StoreParts } = {},
): Outbox {
  return createOutbox(options.through ?? store, {
    nowMs: () => store.clock.nowMs(),
    compose: options.compose ?? composeFrom({}),
  });
}

/**
 * Puts an event into the outbox as the script of its cause does: with a body, or `about` a resource of which the
 * fan-out makes one. Answers its id.
 */
export async function addEvent(
  store: TestStore,
  event: { tenantId: string; type: WebhookEventType; about?: { kind: string; id: string } },
): Promise<string> {
  const { connection, keys } = store;
  const { tenantId, type, about } = event;
  const id = store.ids.uuid();
  const facts = ["t", tenantId, "e", id, "y", type];
  if (about !== undefined) facts.push("k", about.kind, "i", about.id, "a", String(store.clock.nowMs()));
  else await connection.set(keys.event(tenantId, id), JSON.stringify({ id, type }), "EX", 30 * 24 * 3600);
  await connection.xadd(keys.outbox(keys.partitionOf(tenantId)), "*", ...facts);
  return id;
}
