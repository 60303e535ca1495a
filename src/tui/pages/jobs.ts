import type { Job, JobStore } from "../../domain/jobs/job.ts";
import type { QueuedWork, QueueLook } from "../../domain/jobs/queue-look.ts";
import { workStates } from "../../domain/jobs/queue-look.ts";
import type { DeliveryStore } from "../../domain/webhooks/webhook.ts";
import { mostRows, type Page, type Place } from "../page.ts";
import { duration, instant } from "../shown.ts";
import { deliveryLines } from "./delivery-lines.ts";

/** What is in the queue: in hand, next, or put off. Of one of it, all that its record says. */
export function createJobs(deps: {
  queueLook: Pick<QueueLook, "work">;
  jobs: Pick<JobStore, "find">;
  deliveries: Pick<DeliveryStore, "find" | "body">;
  nowMs(): number;
}): (place: Place) => Promise<Page> {
  return async ({ path: [opened], scope, choice }) => {
    if (opened !== undefined) return detail(opened);
    const limit = choice === null ? Math.floor(mostRows / workStates.length) : mostRows;
    const work = await deps.queueLook.work({ tenantId: scope?.id ?? null, limit });
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
        cells: [each.state, each.workClass, each.kind, each.lane, time(each), each.tenantId, each.id],
        opens: true,
      })),
      empty: "Nothing is in the queue.",
      choices: [...workStates],
    };
  };

  function time({ state, atMs }: QueuedWork): string {
    if (atMs === null) return "-";
    if (state === "active") return `for ${duration(deps.nowMs() - atMs)}`;
    return atMs > deps.nowMs() ? `in ${duration(atMs - deps.nowMs())}` : "due";
  }

  async function detail(opened: string): Promise<Page> {
    const [record = ""] = opened.split(" ");
    const [tenantId = "", kind, id = ""] = record.split(":");
    const lines =
      kind === "job"
        ? jobLines(await deps.jobs.find(tenantId, id))
        : await deliveryLines(deps, await deps.deliveries.find(tenantId, id));
    return {
      facts: [{ name: kind === "job" ? "Job" : "Delivery", text: id }],
      columns: [],
      rows: [],
      empty: "",
      lines: lines ?? ["Its record is gone."],
    };
  }
}

function jobLines(job: Job | null): string[] | null {
  if (job === null) return null;
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
