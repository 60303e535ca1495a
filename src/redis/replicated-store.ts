import { PasswrightError } from "../domain/errors.ts";
import { type Connection, isCluster } from "./connection.ts";
import { createIdempotencyStore } from "./idempotency.ts";
import type { RunScript, ScriptName } from "./script.ts";
import { defineScripts } from "./scripts.ts";
import type { StoreParts } from "./store.ts";

/** What somebody is told of as accepted. */
const accepting: ReadonlySet<ScriptName> = new Set([
  "cancel-batch",
  "change-pass",
  "create-batch",
  "create-message",
  "create-pass",
  "create-webhook",
  "delete-webhook",
  "grant-paid-session",
  "keep-answer",
  "update-webhook",
]);

/** Redis adds up to a tenth of a second. Who has to let others wait first is told within a second nevertheless. */
const patienceMs = 300;

/** Answers with what an action on the connection comes to, once the replicas hold all that the store held by then. */
type Confirmed = <Result>(act: () => Promise<Result>) => Promise<Result>;

/**
 * A store whose accepting scripts succeed only when so many replicas hold what they wrote, so that the loss of the master
 * loses nothing that was accepted. Otherwise they are `unavailable`, and may have been carried out nevertheless.
 * They run on `connection`, and nothing else should: it stands still while replicas are waited for.
 */
export function replicatedStore(store: StoreParts, connection: Connection, replicas: number) {
  if (isCluster(connection)) {
    throw new PasswrightError(
      "invalid_configuration",
      "PASSWRIGHT_REDIS_WAIT_REPLICAS cannot be had of a cluster. Set it to 0.",
      { details: [{ path: "PASSWRIGHT_REDIS_WAIT_REPLICAS", message: "must be 0 with redis+cluster://" }] },
    );
  }
  const confirmed = confirmedBy(connection, { replicas, channel: store.keys.confirmations });
  const accept = defineScripts(connection);
  const run: RunScript = (name, ...rest) =>
    accepting.has(name) ? confirmed(() => accept(name, ...rest)) : store.run(name, ...rest);
  const { recall, keep } = createIdempotencyStore({ ...store, connection, run });
  return {
    ...store,
    run,
    idempotency: {
      keep,
      // An answer that was kept, but never given because replicas were missing, must not be given when it is asked for again.
      recall: (...claim: Parameters<typeof recall>) => confirmed(() => recall(...claim)),
    },
  };
}

function confirmedBy(
  connection: Connection,
  { replicas, channel }: { replicas: number; channel: string },
): Confirmed {
  let breaks = 0;
  connection.on("close", () => {
    breaks += 1;
  });
  let current: Promise<unknown> = Promise.resolve();
  let next: Promise<number> | null = null;
  // One at a time, for all that were answered by then: those that wait in vain would wait for each other.
  const copies = (): Promise<number> => {
    next ??= current.then(() => {
      next = null;
      // WAIT is about what its own connection wrote last (from Redis 7.2 on), and an answer that is given again was
      // written by another. A message is copied like a write, in its order.
      const commands = [connection.publish(channel, ""), connection.wait(replicas, patienceMs)] as const;
      const count = Promise.all(commands).then(([, copied]) => copied);
      current = count.catch(() => {});
      return count;
    });
    return next;
  };
  return async (act) => {
    const before = breaks;
    const result = await act();
    let cause: unknown;
    try {
      // Another connection may be another server's, which knows nothing of this and has nothing to wait for.
      if ((await copies()) >= replicas && breaks === before) return result;
    } catch (error) {
      cause = error;
    }
    throw new PasswrightError(
      "unavailable",
      "Too few replicas of the store have confirmed this. It may have been accepted: repeat it with the same Idempotency-Key.",
      { cause, retryAfterSeconds: 1 },
    );
  };
}
