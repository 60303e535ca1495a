import { setTimeout as pause } from "node:timers/promises";
import type { Test } from "tap";
import { type Client, type Credentials, signIn, withToken } from "../support/client.ts";
import { eventually } from "../support/eventually.ts";
import { createTenant, type TenantWish } from "../support/operator.ts";
import { newReference, type PassRequest } from "../support/passes.ts";
import { type Environment, type Passwright, startPasswright } from "../support/passwright.ts";
import type { Reply } from "../support/requests.ts";
import { startServe } from "../support/serve.ts";

export type Surroundings = {
  service: Passwright;
  settings: Environment;
  /** Of the two processes. */
  baseUrls: readonly [string, string];
  templateId: string;
};

/** `up`, and a further `serve` beside it. */
export async function takeIn(
  t: { testdir(): string; teardown(end: () => unknown): unknown },
  settings: Environment,
): Promise<Surroundings> {
  const service = await startPasswright(t, { settings });
  const { base_url: first, template_id: templateId } = service.announced;
  const second = await startServe(t, service, { ...settings, PASSWRIGHT_BASE_URL: first });
  return { service, settings, baseUrls: [first, second], templateId };
}

/** One caller with one token, at either process. */
export type Everywhere = { credentials: Credentials; clients: readonly [Client, Client] };

export async function newcomer({ service, baseUrls }: Surroundings, wish: TenantWish): Promise<Everywhere> {
  const credentials = await createTenant(service, wish);
  return { credentials, clients: await signInEverywhere(baseUrls, credentials) };
}

export async function signInEverywhere(
  [first, second]: Surroundings["baseUrls"],
  credentials: Credentials,
): Promise<readonly [Client, Client]> {
  const client = await signIn(first, credentials);
  return [client, withToken(second, client.token, client.tenantId)];
}

export function loyaltyCard({ templateId }: Surroundings): PassRequest {
  return {
    template_id: templateId,
    intent: "loyalty_card",
    external_ref: newReference(),
    data: { member: "Ada Lovelace" },
  };
}

export type Answer = Reply & { asked: number };

/**
 * Requests at one moment, in turns at one process and at the other. What a starved machine makes unavailable is asked for
 * again, as the answer says to; the request bears a key, or is its own.
 */
export function atOnce(
  count: number,
  places: readonly [Client, Client],
  prepare: () => (place: Client) => Promise<Reply>,
): Promise<Answer[]> {
  const insist = async (place: Client): Promise<Answer> => {
    const request = prepare();
    for (let asked = 1; ; asked++) {
      const reply = await request(place);
      if (reply.status !== 503 || asked === 10) return { ...reply, asked };
      await pause(Number(reply.headers["retry-after"]) * 1000);
    }
  };
  return Promise.all(Array.from({ length: count }, (_, number) => insist(places[number % 2 === 0 ? 0 : 1])));
}

/** What a tenant has left, as its operator sees it. */
export async function balanceOf({ service }: Surroundings, { credentials }: Everywhere) {
  const shown = (await service.cli("tenants", "show", credentials.tenant_id, "--json")).json();
  return { credits: shown.credits, used: shown.used_this_month };
}

const promisedMs = 5000;

/** Waits until something is so at each of the places, and fails when that took longer than is promised. */
export async function soonAtAll<Place>(
  t: Test,
  what: string,
  places: readonly Place[],
  look: (place: Place) => Promise<boolean>,
): Promise<void> {
  const startedAt = performance.now();
  const times = await Promise.all(
    places.map(async (place) => {
      await eventually(async () => ((await look(place)) ? true : undefined));
      return Math.round(performance.now() - startedAt);
    }),
  );
  t.ok(Math.max(...times) < promisedMs, `${what} after ${times.join(" and ")} ms`);
}
