import type { Journal } from "../journal.ts";
import { isLoopbackUrl } from "../loopback.ts";
import { createTries, type Tried } from "../tries.ts";
import type { CallbackKeys } from "./callback-keys.ts";
import { type CallbackEvent, type Flaw, newEvent, signedBody } from "./callback-message.ts";
import { isObject } from "./proto-json.ts";
import type { ResourceType } from "./resource-shapes.ts";
import type { StoredResource, WalletStore } from "./wallet-store.ts";

/** A call-back, and how it fared. `url` is null where its class asks for none. */
export type StoredCallback = Tried & { url: string | null; at: string; event: CallbackEvent; flaw?: Flaw };

/** `flaw`: what is to be wrong with it. */
type Wanted = { object: StoredResource; eventType: CallbackEvent["eventType"]; flaw?: Flaw };

export type Callbacks = {
  /** Tells the address in the object's class that a person saved the object, or removed it. */
  announce(wanted: Wanted): void;
  /** Sends one, once, whether or not it is true and right. */
  send(wanted: Wanted): Promise<StoredCallback>;
  find(nonce: string): StoredCallback | undefined;
  /** In the order in which they happened. */
  all(): StoredCallback[];
  /** Sends it once more, under the same nonce, whatever came of it before. */
  deliver(stored: StoredCallback): Promise<StoredCallback>;
  /** Goes on with what the last run left. */
  resume(): void;
};

export type CallbacksParts = {
  keys: CallbackKeys;
  wallet: WalletStore;
  nowMs: () => number;
  closing: AbortSignal;
  /** The wait before each try. Google's own are not said. */
  waitsMs?: readonly number[];
};

const shortWaitsMs = [0, 500, 1000, 3000, 6000];

/** https://developers.google.com/wallet/generic/use-cases/use-callbacks-for-saves-and-deletions */
export function createCallbacks(journal: Journal<StoredCallback>, parts: CallbacksParts): Callbacks {
  const { keys, wallet, nowMs, closing, waitsMs = shortWaitsMs } = parts;
  const tries = createTries({ journal, idOf: nonceOf, errandOf, isFinal, waitsMs, nowMs, closing });

  function errandOf({ url, event, flaw }: StoredCallback) {
    if (url === null) return "the class has no callbackOptions.url";
    if (!isLoopbackUrl(url)) return "not sent: the sandbox calls addresses of this machine only";
    const headers = { "content-type": "application/json; charset=UTF-8", "user-agent": "Googlebot/2.1" };
    return { url, headers, body: signedBody(keys, event, nowMs(), flaw) };
  }

  function keep({ object, eventType, flaw }: Wanted, isTried: boolean): StoredCallback {
    const { id, classId } = object.resource;
    const about = { classId: String(classId), objectId: String(id), eventType };
    const url = urlOf(object);
    const stored: StoredCallback = {
      url,
      at: new Date(nowMs()).toISOString(),
      event: newEvent(about, nowMs(), flaw),
      ...(flaw !== undefined && { flaw }),
      attempts: [],
      pending: isTried && url !== null,
    };
    journal.set(nonceOf(stored), stored);
    return stored;
  }

  function urlOf({ type, resource }: StoredResource): string | null {
    const classType = type.replace(/Object$/, "Class") as ResourceType;
    const { callbackOptions } = wallet.find(classType, String(resource.classId))?.resource ?? {};
    return isObject(callbackOptions) && typeof callbackOptions.url === "string" ? callbackOptions.url : null;
  }

  return {
    announce(wanted) {
      const stored = keep(wanted, true);
      if (stored.pending) tries.inBackground(nonceOf(stored));
    },
    send: (wanted) => tries.once(nonceOf(keep(wanted, false))),
    find: (nonce) => journal.get(nonce),
    all: () => [...journal.values()],
    deliver: (stored) => tries.once(nonceOf(stored)),
    resume: () => tries.resume(),
  };
}

/** Only a server that fails, or cannot be reached, is asked again. */
const isFinal = (answer: number | string): boolean => typeof answer === "number" && answer < 500;

const nonceOf = ({ event }: StoredCallback): string => event.nonce;
