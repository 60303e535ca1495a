import { PasswrightError } from "../../domain/errors.ts";
import { isFinished } from "../../domain/jobs/job.ts";
import { jobResource } from "../../domain/jobs/resource.ts";
import { querySchema } from "../query.ts";
import { checked, guarded } from "../route.ts";

const waitQuery = checked<{ wait?: number }>(
  querySchema({ wait: { type: "integer", minimum: 0, maximum: 20, default: 0 } }),
);

export const jobRoutes = [
  guarded({
    method: "GET",
    path: "/api/v1/jobs/{id}",
    summary: "Read the status of an asynchronous operation, or wait for its end",
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
