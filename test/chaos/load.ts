import { setTimeout as pause } from "node:timers/promises";
import { createRandom } from "../e2e/model/random.ts";
import { type Client, createShared, operate } from "./client.ts";
import type { Ledger, Tally } from "./ledger.ts";
import type { Receiver } from "./receiver.ts";

const clientsPerTenant = 6;
/** Accepted jobs that may be open at a time: what killed workers hold until their leases run out must not be all of them. */
const mostOpen = 1500;
/** Who has been open for longer holds nobody up. */
const openForMs = 10_000;

/**
 * Lets many clients carry so many operations out, as fast as the service ends what it accepted. Tells when all have been
 * begun; resolves when what they wait for has ended, too.
 */
export async function applyLoad(
  ledgers: readonly Ledger[],
  receiver: Receiver,
  tally: Tally,
  options: { operations: number; seed: number; patienceMs: number; onEnough(): void },
): Promise<void> {
  const open = createOpenJobs(receiver);
  const clients = ledgers.flatMap((ledger, tenant) =>
    Array.from({ length: clientsPerTenant }, (_, i): Client => {
      const random = createRandom(options.seed * 1009 + tenant * 101 + i);
      const name = `${ledger.name}-${i}`;
      const fresh = { own: [], last: null, references: 0, keys: 0, isStuck: false };
      return { name, ledger, tally, random, ...fresh, patienceMs: options.patienceMs, onJob: open.add };
    }),
  );
  await Promise.all(clients.filter((_, i) => i % clientsPerTenant === 0).map(createShared));
  await Promise.all(
    clients.map(async (client) => {
      for (;;) {
        await open.room();
        if (tally.operations >= options.operations) options.onEnough();
        if (tally.operations >= options.operations || client.isStuck) return;
        await operate(client).catch((error) => {
          client.isStuck = true;
          tally.complaints.push(`${client.name}: ${error.message}`);
        });
      }
    }),
  );
}

function createOpenJobs(receiver: Receiver) {
  const since = new Map<string, number>();
  let change = Promise.withResolvers<void>();
  receiver.onFinish((jobId) => {
    since.delete(jobId);
    change.resolve();
    change = Promise.withResolvers();
  });
  const forgetOld = (): void => {
    const longAgo = performance.now() - openForMs;
    for (const [jobId, acceptedAt] of since) {
      if (acceptedAt > longAgo) return;
      since.delete(jobId);
    }
  };
  return {
    add: (jobId: string): void => void since.set(jobId, performance.now()),
    /** Resolves when fewer are open than may be. */
    async room(): Promise<void> {
      for (;;) {
        forgetOld();
        if (since.size < mostOpen) return;
        await Promise.race([change.promise, pause(200)]);
      }
    },
  };
}
