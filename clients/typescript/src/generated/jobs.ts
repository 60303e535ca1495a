// Made by scripts/generate-client.mjs from the OpenAPI document. Do not edit: run it again.

import type { CallOptions, Send } from "../call.ts";
import type { Job } from "./schemas.ts";

export type GetJobQuery = {
  /** How many seconds to wait for the end. Without it: 0. */
  wait?: number | undefined;
};

/** How far accepted work is. */
export function createJobs(send: Send) {
  return {
    /**
     * Read the status of an asynchronous operation, or wait for its end.
     *
     * Any token of the tenant will do. With `wait`, the answer comes as soon as the job is finished, or after
     * that many seconds. Jobs are kept for 30 days after their end.
     */
    get(id: string, query: GetJobQuery = {}, options: CallOptions = {}): Promise<Job> {
      return send({ method: "GET", path: "/api/v1/jobs/{id}", params: { id }, query }, options);
    },
  };
}
