import type { CallbackStore } from "../domain/callbacks/callback.ts";
import { asUnavailable } from "./connection.ts";
import { packEvent } from "./events.ts";
import type { StoreParts } from "./store.ts";

/** How long a nonce outlives what it is of: by then no process takes that for good any more, whatever its clock says. */
const nonceMarginMs = 3_600_000;

const eventOf = { saved: "pass.installed", removed: "pass.uninstalled" } as const;

/** What Google says of passes in call-backs. */
export function createCallbackStore({
  connection,
  keys,
  run,
}: Pick<StoreParts, "connection" | "keys" | "run">): CallbackStore {
  return {
    async record({ tenantId, passId, templateId, change, nonce, expiresAtMs, eventId }, nowMs) {
      const type = eventOf[change];
      const reply = await run(
        "record-callback",
        [
          keys.pass(tenantId, passId),
          keys.callbackNonce(tenantId, nonce),
          ...keys.recordedEvents(tenantId, type, nowMs),
        ],
        [
          ...[nowMs, packEvent({ id: eventId, type, passId, templateId }), type, change, expiresAtMs],
          Math.max(0, expiresAtMs - nowMs) + nonceMarginMs,
        ],
      );
      return reply as "recorded" | "repeated" | "gone";
    },

    async standing({ tenantId, passId }) {
      try {
        const [saved, removed] = await connection.hmget(
          keys.pass(tenantId, passId),
          "google:saved",
          "google:removed",
        );
        if (saved == null && removed == null) return null;
        const instant = (text: string | null | undefined) => (text == null ? null : Number(text));
        return { savedAtMs: instant(saved), removedAtMs: instant(removed) };
      } catch (error) {
        throw asUnavailable(error);
      }
    },
  };
}
