import { type DriveDeps, driveReplay } from "../domain/deadletters/drive-replay.ts";
import type { ReplayTaskStore } from "../domain/deadletters/replay-task.ts";
import type { Log } from "../domain/log.ts";
import { runLoop } from "./loop.ts";

/** How often a worker looks for replays that nobody drives. */
const lookMs = 1000;

export type ReplayDriver = {
  /** Takes every replay that runs and that nobody holds; they are driven beside each other. Answers when to look again. */
  runOnce(): Promise<number>;
  /** Resolves when all that are driven here have ended. */
  settled(): Promise<void>;
  start(): void;
  /** Lets go of all replays, which others go on with; resolves when that is done, or after `timeoutMs`. */
  stop(timeoutMs: number): Promise<void>;
};

/** Goes on with the replays that were begun at a terminal which is no more. Any number of workers may. */
export function createReplayDriver(
  deps: Omit<DriveDeps, "replayTasks"> & {
    replayTasks: Pick<ReplayTaskStore, "running"> & ReplayTaskStore;
    log: Log;
  },
): ReplayDriver {
  const { replayTasks, log } = deps;
  const stopping = new AbortController();
  const driven = new Map<string, Promise<void>>();
  let loop: Promise<void> | undefined;

  async function drive(held: NonNullable<Awaited<ReturnType<ReplayTaskStore["take"]>>>): Promise<void> {
    const { id, tenantId, matched } = held.task;
    log.info({ replay: id, tenant: tenantId, matched }, "replay.taken_over");
    try {
      const outcome = await driveReplay(deps, held, { signal: stopping.signal });
      log.info({ replay: id, outcome }, "replay.driven");
    } catch (error) {
      // The hold runs out, and the next look of some worker finds it.
      log.warn({ replay: id, err: error }, "replay.interrupted");
    } finally {
      driven.delete(id);
    }
  }

  async function runOnce(): Promise<number> {
    for (const id of await replayTasks.running()) {
      if (driven.has(id) || stopping.signal.aborted) continue;
      const held = await replayTasks.take(id);
      if (held !== null) driven.set(id, drive(held));
    }
    return lookMs;
  }

  const settled = async (): Promise<void> => {
    await Promise.all(driven.values());
  };

  return {
    runOnce,
    settled,
    start() {
      loop = runLoop("replays", runOnce, { log, signal: stopping.signal });
    },
    async stop(timeoutMs) {
      stopping.abort();
      const patience = Promise.withResolvers<void>();
      const timer = setTimeout(patience.resolve, timeoutMs);
      await Promise.race([loop?.then(settled), patience.promise]);
      clearTimeout(timer);
    },
  };
}
