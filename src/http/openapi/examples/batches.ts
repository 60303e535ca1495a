import { ids, instants, pageOf } from "./ids.ts";
import { dataToUpdate, passToCreate } from "./passes.ts";

export const batchToCreate = {
  name: "Nightly points",
  operations: [
    { type: "create", pass: { ...passToCreate, external_ref: "customer-4712" } },
    { type: "update", external_ref: "customer-4711", ...dataToUpdate },
    { type: "revoke", pass_id: ids.pass },
  ],
};

export const queuedBatch = {
  id: ids.batch,
  name: batchToCreate.name,
  status: "queued",
  total: 3,
  succeeded: 0,
  failed: 0,
  errors: [],
  job_id: ids.job,
  created_at: instants.created,
  started_at: null,
  finished_at: null,
};

export const completedBatch = {
  ...queuedBatch,
  status: "completed",
  succeeded: 2,
  failed: 1,
  errors: [
    {
      index: 1,
      error: "not_found",
      error_description: "There is no pass with this external reference.",
    },
  ],
  started_at: instants.started,
  finished_at: instants.finished,
};

export const cancelledBatch = { ...queuedBatch, status: "cancelled", finished_at: instants.finished };

export const batchList = pageOf(completedBatch);
