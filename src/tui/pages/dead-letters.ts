import type { DeadLetter, DeadLetterStore } from "../../domain/deadletters/dead-letter.ts";
import { dealtWith, type ReplayTask, type ReplayTaskStore } from "../../domain/deadletters/replay-task.ts";
import type { WebhookEventType } from "../../domain/events/event.ts";
import { type Fact, mostRows, type Page, type Place } from "../page.ts";
import { count, duration, instant } from "../shown.ts";
import { type DeliveryLooks, exchangeLines } from "./delivery-lines.ts";

/** Reasons that have a bar of their own. */
const barsShown = 4;
const barLength = 20;

/** Of several that run, each of another tenant, it is the latest that is shown. */
const replaysLookedAt = 10;

/** Why letters were given up, the newest of them, and how replays go on. */
export function createDeadLetters(
  deps: {
    deadLetters: Pick<DeadLetterStore, "newest" | "reasons" | "find" | "details">;
    replayTasks: Pick<ReplayTaskStore, "list">;
    nowMs(): number;
  } & DeliveryLooks,
): (place: Place) => Promise<Page> {
  return async ({ path: [id], scope, choice }) => {
    if (id !== undefined) return detail(id);
    const [reasons, letters, tasks] = await Promise.all([
      deps.deadLetters.reasons(),
      deps.deadLetters.newest({ tenantId: scope?.id ?? null, reason: choice, limit: mostRows }),
      deps.replayTasks.list(replaysLookedAt),
    ]);
    const running = tasks.find(({ status }) => status === "running");
    const task = running ?? tasks[0];
    const sorted = Object.entries(reasons).sort(([a, of], [b, more]) => more - of || (a < b ? -1 : 1));
    const total = sorted.reduce((sum, [, each]) => sum + each, 0);
    const isPart = letters.length < total;
    return {
      facts: [
        ...histogram(sorted, total),
        ...(task === undefined ? [] : [replayFact(task)]),
        {
          name: "Shown",
          text: `${isPart ? `${letters.length} among the newest of ` : "all "}${count(total)}`,
        },
      ],
      columns: [
        { title: "dead for", align: "right" },
        { title: "reason" },
        { title: "about" },
        { title: "tries", align: "right" },
        { title: "replays", align: "right" },
        { title: "tenant", isLong: true },
        { title: "id", isLong: true },
      ],
      rows: letters.map((letter) => ({ id: letter.id, cells: cellsOf(letter), opens: true })),
      empty: total === 0 ? "No dead letters. Well done." : "None among the newest.",
      choices: sorted.map(([reason]) => reason),
      ...(running !== undefined && {
        replay: { id: running.id, done: dealtWith(running.count), total: running.matched },
      }),
    };
  };

  function cellsOf({ id, deadAtMs, reason, facts, lane, tenantId }: DeadLetter): string[] {
    const obstacle = facts === null ? "record_gone" : facts.obstacle;
    return [
      duration(deps.nowMs() - deadAtMs),
      obstacle === null || obstacle === reason ? reason : `${reason} (${obstacle})`,
      facts?.eventType ?? (facts?.jobType ? `${facts.jobType} (${lane})` : "-"),
      String(facts?.attempts ?? "-"),
      String(facts?.replays ?? "-"),
      tenantId,
      id,
    ];
  }

  async function detail(id: string): Promise<Page> {
    const letter = await deps.deadLetters.find(id);
    const page = { facts: [{ name: "Dead letter", text: id }], columns: [], rows: [], empty: "" };
    if (letter === null) return { ...page, lines: ["It is no dead letter any more."] };
    const { facts } = letter;
    const details = await deps.deadLetters.details(letter);
    const lines = [
      `kind      ${letter.kind}, ${letter.recordId} (${letter.lane})`,
      `tenant    ${letter.tenantId}`,
      `reason    ${letter.reason}`,
      `dead at   ${instant(letter.deadAtMs)}`,
      `trace id  ${details?.traceId ?? "-"}`,
      ...(details?.error ? [`error     ${details.error.code}: ${details.error.description}`] : []),
      ...(facts?.endpoint ? [`webhook   ${facts.endpoint}`] : []),
      ...(facts?.resource ? [`about     ${facts.resource.type} ${facts.resource.id}`] : []),
      `replays   ${facts?.replays ?? 0}`,
      `replay    ${facts === null ? "refused: record_gone" : facts.obstacle ? `refused: ${facts.obstacle}` : "possible"}`,
      ...(details?.lanes ?? []).map(
        ({ lane, state, attempts }) => `lane      ${lane}: ${state}, ${attempts} attempts`,
      ),
    ];
    if (letter.kind === "job") return { ...page, lines };
    const exchange = await exchangeLines(deps, {
      ...{ id: letter.recordId, tenantId: letter.tenantId, attempts: details?.attempts ?? [] },
      ...{ webhookId: facts?.endpoint ?? "", eventId: facts?.eventId ?? "" },
      eventType: (facts?.eventType ?? "") as WebhookEventType,
    });
    return { ...page, lines: [...lines, ...exchange] };
  }
}

function histogram(sorted: readonly [reason: string, letters: number][], total: number): Fact[] {
  const bars = sorted.slice(0, barsShown).map(([name, letters]) => ({
    name,
    text: `${"█".repeat(Math.max(1, Math.round((letters / total) * barLength)))} ${count(letters)}`,
  }));
  const rest = sorted.slice(barsShown);
  if (rest.length === 0) return bars;
  const letters = rest.reduce((sum, [, each]) => sum + each, 0);
  return [...bars, { name: `${rest.length} other reasons`, text: count(letters) }];
}

/** The replay that runs, or the latest, also one that somebody else began. */
function replayFact(task: ReplayTask): Fact {
  const { status, heldBy, count: dealt, matched } = task;
  const state = status === "running" ? (heldBy === null ? "interrupted" : `running in ${heldBy}`) : status;
  return {
    name: "Latest replay",
    text: `${count(dealtWith(dealt))} of ${count(matched)}, ${state}`,
    tone: status === "running" ? "warning" : "faint",
  };
}
