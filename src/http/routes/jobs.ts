import { PasswrightError } from "../../domain/errors.ts";
import { isFinished } from "../../domain/jobs/job.ts";
import { jobResource } from "../../domain/jobs/resource.ts";
import { finishedJob } from "../openapi/examples/jobs.ts";
import { jobSchema } from "../openapi/schemas/job.ts";
import { querySchema } from "../query.ts";
import { type Answer, checked, guarded } from "../route.ts";

const waitQuery = checked<{ wait?: number }>(
  querySchema({
    wait: {
      type: "integer",
      minimum: 0,
      maximum: 20,
      default: 0,
      description: "How many seconds to wait for the end.",
    },
  }),
);

const jobAnswer: Answer = {
  status: 200,
  description: "The job; `Retry-After` until it is finished.",
  schema: jobSchema,
  example: finishedJob,
  headers: ["Cache-Control", "Retry-After"],
};

export const jobRoutes = [
  guarded({
    method: "GET",
    path: "/api/v1/jobs/{id}",
    operationId: "getJob",
    tag: "Jobs",
    summary: "Read the status of an asynchronous operation, or wait for its end",
    description:
      "Any token of the tenant will do. With `wait`, the answer comes as soon as the job is finished, or after that many seconds. Jobs are kept for 30 days after their end.",
    answers: [jobAnswer],
    access: "token",
    query: waitQuery,
    async handle({ http, params, query, claims }, { jobs, stopping }) {
      const { id = "" } = params;
      const waitMs = (query.wait ?? 0) * 1000;
      const job =
        waitMs === 0
          ? await jobs.find(claims.tenantId, id)
          : await jobs.awaitFinish(claims.tenantId, id, waitMs, AbortSignal.any([http.signal, stopping]));
      if (job === null) throw new PasswrightError("not_found", "There is no job with this id.");
      return {
        status: 200,
        body: jobResource(job),
        headers: { "Cache-Control": "no-store", ...(!isFinished(job) && { "Retry-After": "1" }) },
      };
    },
  }),
];
