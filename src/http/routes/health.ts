import { open, type Reply } from "../route.ts";
import type { ServingDeps } from "../serving.ts";

export const healthRoutes = [
  open({
    method: "GET",
    path: "/healthz",
    summary: "Whether this process answers",
    handle: () => ({ status: 200, body: { status: "ok" }, headers: { "Cache-Control": "no-store" } }),
  }),
  open({
    method: "GET",
    path: "/readyz",
    summary: "Whether this process can take requests now",
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
