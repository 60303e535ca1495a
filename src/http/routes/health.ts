import { livenessSchema, readinessSchema, unreadinessSchema } from "../openapi/schemas/health.ts";
import { type Answer, open, type Reply } from "../route.ts";
import type { ServingDeps } from "../serving.ts";

const livenessAnswer: Answer = {
  status: 200,
  description: "It does.",
  schema: livenessSchema,
  example: { status: "ok" },
  headers: ["Cache-Control"],
};
const readinessAnswer: Answer = {
  status: 200,
  description: "It can.",
  schema: readinessSchema,
  example: { status: "ready" },
  headers: ["Cache-Control"],
};
const unreadinessAnswer: Answer = {
  status: 503,
  description: "It cannot.",
  schema: unreadinessSchema,
  example: { status: "unavailable", store: "unreachable" },
  headers: ["Cache-Control", "Retry-After"],
};

export const healthRoutes = [
  open({
    method: "GET",
    path: "/healthz",
    operationId: "getLiveness",
    tag: "Service",
    summary: "Whether this process answers",
    description: "For whoever restarts processes that hang. Says nothing of what the process depends on.",
    answers: [livenessAnswer],
    handle: () => ({ status: 200, body: { status: "ok" }, headers: { "Cache-Control": "no-store" } }),
  }),
  open({
    method: "GET",
    path: "/readyz",
    operationId: "getReadiness",
    tag: "Service",
    summary: "Whether this process can take requests now",
    description:
      "For whoever spreads requests over processes: 503 while the store is out of reach, and from the moment that the process begins to stop.",
    answers: [readinessAnswer, unreadinessAnswer],
    handle: readiness,
  }),
];

async function readiness(_call: unknown, deps: ServingDeps): Promise<Reply> {
  const headers = { "Cache-Control": "no-store" };
  if (deps.stopping.aborted) return { status: 503, body: { status: "stopping" }, headers };
  try {
    await deps.probeStore();
    return { status: 200, body: { status: "ready" }, headers };
  } catch {
    return {
      status: 503,
      body: { status: "unavailable", store: "unreachable" },
      headers: { ...headers, "Retry-After": "1" },
    };
  }
}
