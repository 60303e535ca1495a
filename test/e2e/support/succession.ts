import type { Test } from "tap";
import type { RedisServer } from "../../support/redis-server.ts";
import { command, type Sentinels } from "../../support/sentinels.ts";
import { eventually } from "./eventually.ts";
import { carriesOn, type Outage } from "./outage.ts";

export type Accepted = { atMs: number };

export type Succession = {
  end(master: RedisServer): unknown;
  afterwards?(old: RedisServer): unknown;
  /** Without it, all that was accepted is there. */
  mayLose?(accepted: Accepted, endedAtMs: number): boolean;
};

/** Ends a master's reign under load, and expects everything to go on with its successor. */
export async function succession(
  t: Test,
  { stores, outage }: { stores: Sentinels; outage: Outage },
  act: Succession,
): Promise<void> {
  const { customers } = outage;
  const processes = outage.processes();
  await stores.inStep();
  const old = await stores.master();
  const { endedAtMs, times } = await customers.during(async () => {
    const endedAtMs = performance.now();
    await act.end(old);
    await stores.promoted(old);
    return { endedAtMs, times: await carriesOn(t, outage, performance.now(), processes) };
  });
  const mayBeLost = (accepted: Accepted) => act.mayLose?.(accepted, endedAtMs) ?? false;
  const lost = await outage.nothingLost(t, mayBeLost);
  t.comment(
    `from promotion: accepted after ${times.accepted} ms, finished after ${times.finished} ms; ${lost} lost`,
  );
  await act.afterwards?.(old);
  await nobodyIsLeftAt(old);
  await customers.during(async () => {});
  await outage.nothingLost(t, mayBeLost);
}

/** Of our processes: a store that is no master any more must not be spoken to, not even by who only listens. */
async function nobodyIsLeftAt(store: RedisServer): Promise<void> {
  await eventually(async () => {
    const clients = String(await command(store.url, "CLIENT", "LIST").catch(() => "passwright:"));
    return /name=passwright:/.test(clients) ? undefined : true;
  });
}
