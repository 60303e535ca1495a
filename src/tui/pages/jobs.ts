import type { JobDetails, JobHistory } from "../../domain/jobs/history.ts";
import { type Job, jobStatuses } from "../../domain/jobs/job.ts";
import { listJobs } from "../../domain/jobs/list.ts";
import type { QueuedWork, QueueLook } from "../../domain/jobs/queue-look.ts";
import { workStates } from "../../domain/jobs/queue-look.ts";
import type { DeliveryStore } from "../../domain/webhooks/webhook.ts";
import { mostRows, type Page, type Place } from "../page.ts";
import { duration, instant } from "../shown.ts";
import { type DeliveryLooks, deliveryLines } from "./delivery-lines.ts";

/** Of a tenant's jobs so many are looked at for those of a status, every few seconds. */
const mostLookedAt = 2000;

type Deps = {
  queueLook: Pick<QueueLook, "work">;
  jobHistory: Pick<JobHistory, "details" | "stretches">;
  deliveries: Pick<DeliveryStore, "find" | "body">;
  nowMs(): number;
} & DeliveryLooks;

/**
 * What is in the queue: in hand, next, or put off; of a tenant that is chosen its jobs, whatever became of them. Of one of it,
 * all that its record says.
 */
export function createJobs(deps: Deps): (place: Place) => Promise<Page> {
  return async ({ path: [opened], scope, choice }) => {
    if (opened !== undefined) return detailPage(deps, opened);
    return scope === null ? queuePage(deps, choice) : jobsPage(deps, scope.id, choice);
  };
}

async function queuePage(deps: Deps, choice: string | null): Promise<Page> {
  const limit = choice === null ? Math.floor(mostRows / workStates.length) : mostRows;
  const work = await deps.queueLook.work(limit);
  const shown = work.filter(({ state }) => choice === null || state === choice);
  const counts = workStates.map((state) => {
    const found = work.filter((each) => each.state === state).length;
    return `${found}${found === limit ? "+" : ""} ${state}`;
  });
  return {
    facts: [{ name: "Shown", text: `the first of each state: ${counts.join(", ")}` }],
    columns: [
      { title: "state" },
      { title: "class" },
      { title: "kind" },
      { title: "lane" },
      { title: "time", align: "right" },
      { title: "tenant", isLong: true },
      { title: "id", isLong: true },
    ],
    rows: shown.map((each) => ({
      id: `${each.tenantId}:${each.kind}:${each.id} ${each.lane}`,
      cells: [
        ...[each.state, each.workClass, each.kind, each.lane],
        timeOf(each, deps.nowMs()),
        ...[each.tenantId, each.id],
      ],
      opens: true,
    })),
    empty: "Nothing is in the queue.",
    choices: [...workStates],
  };
}

async function jobsPage(deps: Deps, tenantId: string, choice: string | null): Promise<Page> {
  const status = jobStatuses.find((each) => each === choice) ?? null;
  const asked = { tenantId, status, type: null, limit: mostRows, mostLookedAt };
  const { jobs, isWhole } = await listJobs(deps, asked);
  const part =
    jobs.length === mostRows ? `the newest ${mostRows}` : isWhole ? "all" : "those among the newest";
  return {
    facts: [{ name: "Shown", text: `${part}${status === null ? " of 30 days" : `, ${status}`}` }],
    columns: [
      { title: "status" },
      { title: "type" },
      { title: "tries", align: "right" },
      { title: "age", align: "right" },
      { title: "error" },
      { title: "about", isLong: true },
      { title: "id", isLong: true },
    ],
    rows: jobs.map((job) => ({
      id: `${tenantId}:job:${job.id}`,
      cells: [
        ...[job.status, job.type, String(job.attempts), duration(deps.nowMs() - job.createdAtMs)],
        ...[job.error?.code ?? "-", job.resource.id, job.id],
      ],
      opens: true,
      ...(job.status === "failed" && { tone: "bad" as const }),
      ...(job.status === "retrying" && { tone: "warning" as const }),
    })),
    empty: "It has no such job.",
    choices: [...jobStatuses],
  };
}

function timeOf({ state, atMs }: QueuedWork, nowMs: number): string {
  if (atMs === null) return "-";
  if (state === "active") return `for ${duration(nowMs - atMs)}`;
  return atMs > nowMs ? `in ${duration(atMs - nowMs)}` : "due";
}

async function detailPage(deps: Deps, opened: string): Promise<Page> {
  const [record = ""] = opened.split(" ");
  const [tenantId = "", kind, id = ""] = record.split(":");
  const lines =
    kind === "job"
      ? jobLines(await deps.jobHistory.details(tenantId, id))
      : await deliveryLines(deps, await deps.deliveries.find(tenantId, id));
  return {
    facts: [{ name: kind === "job" ? "Job" : "Delivery", text: id }],
    columns: [],
    rows: [],
    empty: "",
    lines: lines ?? ["Its record is gone."],
  };
}

function jobLines(details: JobDetails | null): string[] | null {
  if (details === null) return null;
  const { job, lanes } = details;
  return [
    ...factLines(job),
    "",
    "ATTEMPTS",
    ...(lanes.length === 0 ? [`${job.attempts} at most for a wallet; a job that is done keeps no more`] : []),
    ...lanes.map(({ lane, state, attempts, replays, deadLetterId, nextAttemptAtMs }) =>
      [
        `${lane}: ${state}, ${attempts} attempts`,
        ...(replays > 0 ? [`replayed ${replays} times`] : []),
        ...(nextAttemptAtMs === null ? [] : [`next ${instant(nextAttemptAtMs)}`]),
        ...(deadLetterId === null ? [] : [`dead letter ${deadLetterId}`]),
      ].join(", "),
    ),
  ];
}

function factLines(job: Job): string[] {
  const { error } = job;
  const at = (ms: number | null): string => (ms === null ? "-" : instant(ms));
  return [
    `tenant    ${job.tenantId}`,
    `type      ${job.type}`,
    `status    ${job.status}`,
    `about     ${job.resource.type} ${job.resource.id}`,
    `attempts  ${job.attempts}`,
    `progress  ${job.progress.done} of ${job.progress.total}`,
    `trace id  ${job.traceId}`,
    `created   ${at(job.createdAtMs)}`,
    `started   ${at(job.startedAtMs)}`,
    `finished  ${at(job.finishedAtMs)}`,
    ...(error === null ? [] : [`error     ${error.code}: ${error.description}`]),
    ...job.warnings.map(({ code, description }) => `warning   ${code}: ${description}`),
  ];
}
