import { boundedFetch } from "./bounded-fetch.ts";
import { NotReached } from "./refusal.ts";

/** The phone's side of APNs, which only the sandbox has. */
export type PushInbox = {
  /** A token by which APNs reaches this phone from now on. */
  newToken(signal: AbortSignal): Promise<string>;
  /** Pushes behind a cursor, as soon as there are any; none after half a minute. The first cursor is null. */
  next(
    token: string,
    cursor: string | null,
    signal: AbortSignal,
  ): Promise<{ pushes: { at: string }[]; cursor: string }>;
};

const waitSeconds = 25;

export function createPushInbox(sandboxUrl: string): PushInbox {
  async function ask<Reply>(path: string, init: RequestInit & { signal: AbortSignal }): Promise<Reply> {
    const { status, body } = await boundedFetch(`${sandboxUrl}${path}`, {
      ...init,
      redirect: "error",
      mostBytes: 10_000_000,
      patienceMs: (waitSeconds + 15) * 1000,
    });
    if (status >= 300) throw new NotReached(`The sandbox answers ${status} to ${path}.`);
    return JSON.parse(body.toString("utf8")) as Reply;
  }
  return {
    async newToken(signal) {
      const { token } = await ask<{ token: string }>("/apns/devices", { method: "POST", signal });
      return token;
    },
    next(token, cursor, signal) {
      const after = cursor === null ? "" : `&after=${encodeURIComponent(cursor)}`;
      return ask(`/apns/devices/${token}/pushes?wait=${waitSeconds}${after}`, { signal });
    },
  };
}
