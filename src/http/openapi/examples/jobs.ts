import { ids, instants } from "./ids.ts";

export const finishedJob = {
  id: ids.job,
  type: "pass.create",
  status: "completed",
  resource: { type: "pass", id: ids.pass },
  attempts: 1,
  progress: { done: 2, total: 2 },
  error: null,
  created_at: instants.created,
  started_at: instants.started,
  finished_at: instants.finished,
};

export const failedJob = {
  ...finishedJob,
  status: "failed",
  attempts: 5,
  progress: { done: 1, total: 2 },
  error: {
    error: "provider_unavailable",
    error_description: "Google Wallet answered 503.",
  },
};
