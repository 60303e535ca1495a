import type { AuditDeps } from "../domain/audit/audited.ts";
import { cancelReplay } from "../domain/deadletters/cancel-replay.ts";
import { carryReplay } from "../domain/deadletters/carry-replay.ts";
import type { DeadLetterStore } from "../domain/deadletters/dead-letter.ts";
import type { DriveDeps } from "../domain/deadletters/drive-replay.ts";
import { type PlannedLetters, planLetters } from "../domain/deadletters/plan.ts";
import { purgeDeadLetters } from "../domain/deadletters/purge.ts";
import { dealtWith } from "../domain/deadletters/replay-task.ts";
import type { DeadLetterFilter } from "../domain/deadletters/select.ts";
import { startReplay } from "../domain/deadletters/start-replay.ts";
import type { Ids } from "../domain/ids.ts";
import type { Acts } from "./session.ts";
import type { Selection, Verb } from "./state.ts";

type Deps = DriveDeps & AuditDeps & { deadLetters: DeadLetterStore; ids: Ids };

/** Replays and purges dead letters as the commands do: with a dry run before, as tasks, and written down. */
export function createDeadLetterActs(deps: Deps, given: { replayLimit: number; by: string }): Acts {
  const { by, replayLimit } = given;
  let latest: { number: number; verb: Verb; plan: PlannedLetters } | null = null;

  async function replay(plan: PlannedLetters, options: Parameters<Acts["carryOut"]>[1]): Promise<string[]> {
    const held = await startReplay(deps, { plan, rate: null, replayLimit, by });
    const { id, matched } = held.task;
    const task = await carryReplay(deps, id, {
      held,
      signal: options.signal,
      onProgress: (count) => options.onProgress(dealtWith(count), matched),
      onLook: ({ count }) => options.onProgress(dealtWith(count), matched),
    });
    const { count } = task;
    const stays = Object.entries(count.refused).map(([reason, letters]) => `${letters} stay: ${reason}`);
    const others = count.overtaken + count.already_gone;
    return [
      `Replay ${id}: ${task.status}.`,
      `${count.replayed} of ${matched} are in the queue again${others > 0 ? `, ${others} were dealt with before` : ""}.`,
      ...stays,
    ];
  }

  async function purge(plan: PlannedLetters, options: Parameters<Acts["carryOut"]>[1]): Promise<string[]> {
    const onProgress = (purged: number): void => options.onProgress(purged, plan.matched);
    const { purged, already_gone: gone } = await purgeDeadLetters(deps, { plan, by }, onProgress);
    return [`${purged} dead letters are gone${gone > 0 ? `, ${gone} were so before` : ""}.`];
  }

  return {
    async plan({ number, verb, selection }) {
      const limit = verb === "replay" ? replayLimit : null;
      const plan = await planLetters(deps, filterOf(selection), limit);
      latest = { number, verb, plan };
      return {
        matched: plan.matched,
        obstacles: verb === "replay" ? plan.obstacles : {},
        reasons: plan.counts.by_reason,
      };
    },

    async carryOut(number, options) {
      if (latest?.number !== number)
        throw new Error("What was planned is no longer known. Ask for it again.");
      const { verb, plan } = latest;
      latest = null;
      return verb === "replay" ? replay(plan, options) : purge(plan, options);
    },

    async cancel(id, signal) {
      const { status, count, matched } = await cancelReplay(deps, { id, by, signal });
      return [`Replay ${id}: ${status}.`, `${count.replayed} of ${matched} had been put in the queue again.`];
    },
  };
}

function filterOf(selection: Selection): DeadLetterFilter {
  const isNamed = "ids" in selection;
  return {
    tenantId: isNamed ? null : (selection.scope?.id ?? null),
    kind: null,
    endpoint: null,
    reason: isNamed ? null : selection.reason,
    sinceMs: 0,
    untilMs: Number.MAX_SAFE_INTEGER,
    limit: Number.POSITIVE_INFINITY,
    ids: isNamed ? selection.ids : null,
    after: null,
  };
}
