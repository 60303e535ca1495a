import { json, type Received, Refused } from "../exchange.ts";
import type { CallbackKeys } from "../google/callback-keys.ts";
import { flaws } from "../google/callback-message.ts";
import type { Callbacks, StoredCallback } from "../google/callbacks.ts";
import type { StoredResource, WalletStore } from "../google/wallet-store.ts";
import { badRequest, oneOf, readObject, text } from "./body.ts";
import type { Route } from "./router.ts";

export type GoogleCallbackParts = { callbackKeys: CallbackKeys; callbacks: Callbacks; wallet: WalletStore };

/** How long a verifier may keep the keys. Google says hours; a sandbox may be made anew at any time. */
const keysMaxAgeSeconds = 300;

/**
 * The root keys of the call-backs under Google's own path; all call-backs, which `?object_id=` narrows; one more with
 * `{ object_id, event_type (save, del), flaw? }`, whose flaw a receiver has to notice; and the repetition of one.
 */
export function googleCallbackRoutes({ callbackKeys, callbacks, wallet }: GoogleCallbackParts): Route[] {
  return [
    [
      "GET",
      "/gp/m/issuer/keys",
      () => json(200, callbackKeys.published(), { "cache-control": `public, max-age=${keysMaxAgeSeconds}` }),
    ],
    [
      "GET",
      "/sandbox/google/callbacks",
      (request) => {
        const id = request.query.get("object_id");
        const shown = callbacks.all().filter(({ event }) => id === null || event.objectId === id);
        return json(200, { callbacks: shown.map(describeCallback) });
      },
    ],
    [
      "POST",
      "/sandbox/google/callbacks",
      async (request) => json(201, describeCallback(await callbacks.send(readWish(request, wallet)))),
    ],
    [
      "POST",
      "/sandbox/google/callbacks/{nonce}/deliver",
      async (_request, [nonce = ""]) => {
        const stored = callbacks.find(nonce);
        if (stored === undefined) throw new Refused(json(404, { error: "unknown_callback" }));
        return json(200, describeCallback(await callbacks.deliver(stored)));
      },
    ],
  ];
}

function readWish(request: Received, wallet: WalletStore) {
  const body = readObject(request, ["object_id", "event_type", "flaw"]);
  const id = text(body, "object_id", /^\d+\.[\w.-]+$/);
  const eventType = oneOf(body, "event_type", ["save", "del"]);
  if (id === undefined || eventType === undefined) throw badRequest("object_id and event_type must be given");
  const flaw = oneOf(body, "flaw", flaws);
  return { object: objectOf(wallet, id), eventType, ...(flaw !== undefined && { flaw }) };
}

function objectOf(wallet: WalletStore, id: string): StoredResource {
  // Ids are unique among the objects of all types.
  const found = wallet.find("genericObject", id);
  if (found === undefined) throw new Refused(json(404, { error: "unknown_object" }));
  return found;
}

export function describeCallback({ url, at, event, flaw, attempts, pending }: StoredCallback) {
  return {
    nonce: event.nonce,
    at,
    url,
    event_type: event.eventType,
    class_id: event.classId,
    object_id: event.objectId,
    expires_at: new Date(event.expTimeMillis).toISOString(),
    flaw: flaw ?? null,
    attempts,
    pending,
  };
}
