import { listAudit } from "../../src/domain/audit/list.ts";
import { cancelReplay } from "../../src/domain/deadletters/cancel-replay.ts";
import { driveReplay } from "../../src/domain/deadletters/drive-replay.ts";
import { planLetters } from "../../src/domain/deadletters/plan.ts";
import type { HeldReplay } from "../../src/domain/deadletters/replay-task.ts";
import type { DeadLetterFilter } from "../../src/domain/deadletters/select.ts";
import { startReplay } from "../../src/domain/deadletters/start-replay.ts";
import { createAuditLog } from "../../src/redis/audit.ts";
import { createDeadLetterStore } from "../../src/redis/dead-letters.ts";
import { createReplayTaskStore } from "../../src/redis/replay-tasks.ts";
import type { StoreParts } from "../../src/redis/store.ts";
import { drain, everything } from "./dead-letters.ts";
import type { TestStore } from "./store.ts";

export const never = new AbortController().signal;

/**
 * Replays as one process has them; `through` stands for its connection. A pause lets the clock go on by as much, after
 * `meanwhile` has happened.
 */
export function openReplays(
  store: TestStore,
  given: { through?: StoreParts; holder?: string; meanwhile?(ms: number): Promise<unknown> } = {},
) {
  const { through = store, holder = "host:1", meanwhile } = given;
  const { clock, ids } = store;
  const deps = {
    deadLetters: createDeadLetterStore(through, clock),
    replayTasks: createReplayTaskStore(through, { clock, holder }),
    clock,
    async pause(ms: number) {
      await meanwhile?.(ms);
      clock.forward(ms);
    },
  };
  return {
    ...deps,
    deps,
    async start(
      filter: Partial<DeadLetterFilter> = {},
      {
        rate = null,
        limit = 10,
        by = "ada@host",
      }: { rate?: number | null; limit?: number | null; by?: string } = {},
    ): Promise<HeldReplay> {
      const plan = await planLetters(deps, { ...everything, ...filter }, limit);
      return startReplay({ ...deps, ids }, { plan, rate, replayLimit: limit, by });
    },
    drive: (held: HeldReplay, signal = never) => driveReplay(deps, held, { signal }),
    cancel: (id: string, by = "eve@host") => cancelReplay(deps, { id, by, signal: never }),
    look: (id: string) => deps.replayTasks.find(id),
    /** What the audit log says, oldest first. */
    async said(): Promise<string[]> {
      const filter = {
        tenantId: null,
        action: null,
        sinceMs: 0,
        untilMs: Number.MAX_SAFE_INTEGER,
        limit: 1000,
      };
      const entries = await drain(listAudit({ audit: createAuditLog(store) }, filter));
      return entries.reverse().map(({ who, action, result }) => `${who} ${action} ${result}`);
    },
  };
}
