import { type WorkClass, workClasses } from "../jobs/work.ts";
import { type Check, counted, type Finding, failed, ok, spanOf, warning } from "./check.ts";
import type { Installation } from "./ports.ts";

/** As the alerts have it (deploy/prometheus). */
const nearlyFull = 0.8;

/** How long the oldest work may wait: as the alerts have it. */
const patienceMs: Record<WorkClass, number> = { interactive: 30_000, webhooks: 300_000, bulk: 3_600_000 };
const eventsPatienceMs = 60_000;

/** Every worker goes through the queue each second. */
const silenceMs = 30_000;

export const workers: Check<Pick<Installation, "workers">> = {
  name: "workers",
  expects: "a worker runs",
  async look({ workers: store }) {
    const silentForMs = await store.lastRoundMs();
    const connected = await store.connected();
    if (silentForMs !== null && silentForMs <= silenceMs) {
      const how =
        connected === null ? "At least one worker runs" : `${counted(connected, "worker")} connected`;
      return [ok(`${how}; the last round through the queue was ${spanOf(silentForMs)} ago.`)];
    }
    const since =
      silentForMs === null ? "No worker has ever run" : `No worker has run for ${spanOf(silentForMs)}`;
    return [failed(`${since}: what is accepted is not carried out.`, "Start `passwright worker`.")];
  },
};

export const queueRoom: Check<Pick<Installation, "readQueueDepth" | "policies">> = {
  name: "queue",
  expects: "no partition is near `PASSWRIGHT_QUEUE_LIMIT`",
  async look({ readQueueDepth, policies }) {
    const { fullest, classes } = await readQueueDepth();
    const waiting = workClasses.reduce((sum, name) => sum + classes[name].ready + classes[name].delayed, 0);
    return [
      against(
        `${counted(waiting, "piece")} of work waiting, the fullest partition with ${fullest.waiting} of ${policies.waitingLimit}`,
        fullest.waiting / policies.waitingLimit,
        "Start more workers, or find memory and raise PASSWRIGHT_QUEUE_LIMIT.",
      ),
    ];
  },
};

export const deadLetters: Check<Pick<Installation, "readQueueDepth" | "policies">> = {
  name: "dead-letters",
  expects: "no partition is near `PASSWRIGHT_DEADLETTER_LIMIT`",
  async look({ readQueueDepth, policies }) {
    const { fullest, classes } = await readQueueDepth();
    const total = workClasses.reduce((sum, name) => sum + classes[name].deadLetters, 0);
    return [
      against(
        `${counted(total, "dead letter")}, the fullest partition with ${fullest.deadLetters} of ${policies.deadLetterLimit}`,
        fullest.deadLetters / policies.deadLetterLimit,
        "`passwright deadletter stats --all-tenants` shows why they died; then `deadletter replay` or `purge`.",
      ),
    ];
  },
};

export const oldestWork: Check<Pick<Installation, "readQueueDepth">> = {
  name: "oldest-work",
  expects:
    "no work waits longer than the alerts allow: interactive 30 s, webhooks 5 min, bulk 1 h, events before their fan-out 1 min",
  async look({ readQueueDepth }) {
    const { classes, outbox } = await readQueueDepth();
    const ages = [
      ...workClasses.map((name) => ({ name, ms: classes[name].oldestReadyMs, limitMs: patienceMs[name] })),
      { name: "events", ms: outbox.oldestMs, limitMs: eventsPatienceMs },
    ];
    const late = ages.filter(({ ms, limitMs }) => ms > limitMs);
    if (late.length === 0) {
      return [ok(ages.map(({ name, ms }) => `${name} ${ms === 0 ? "none" : spanOf(ms)}`).join(", "))];
    }
    return late.map(({ name, ms, limitMs }) =>
      warning(
        `The oldest of ${name} has waited for ${spanOf(ms)}; ${spanOf(limitMs)} should do.`,
        "Is there a worker that takes this part (--only)? Then more of them; `loop.failed` in their logs says what stops them.",
      ),
    );
  },
};

function against(message: string, share: number, remedy: string): Finding {
  if (share < nearlyFull) return ok(`${message}.`);
  if (share < 1) return warning(`${message}.`, remedy);
  return failed(`${message}: new work is refused with 503.`, remedy);
}
