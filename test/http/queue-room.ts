import t from "tap";
import { openApi } from "../support/api.ts";
import { addJob } from "../support/work.ts";

const nobody = "0199d1c5-8a4e-7c3b-9f00-5b1f6a2d7e10";

/** A body that each of these would take, were there something to take it for. */
const enqueueing: [method: string, path: string, body: unknown][] = [
  ["POST", "/api/v1/passes", { template_id: nobody, intent: "generic", external_ref: "a", data: {} }],
  ["PATCH", `/api/v1/passes/${nobody}`, { data: {} }],
  ["DELETE", `/api/v1/passes/${nobody}`, undefined],
  [
    "PUT",
    "/api/v1/passes/by-external-ref/a",
    { template_id: nobody, intent: "generic", external_ref: "a", data: {} },
  ],
  ["PATCH", "/api/v1/passes/by-external-ref/a", { data: {} }],
  ["POST", "/api/v1/batches", { operations: [{ type: "revoke", external_ref: "a" }] }],
  ["POST", "/api/v1/messages", { template_id: nobody, header: "Hello", body: "there" }],
];

t.test("a queue that is full refuses new work with 503 and says when to come again", async (t) => {
  const api = await openApi(t, { settings: { PASSWRIGHT_QUEUE_LIMIT: "1" } });
  const caller = await api.caller();
  await addJob(api.store, { tenantId: caller.tenantId });
  for (const [method, path, body] of enqueueing) {
    const refused = await caller.ask(path, { method, body });
    t.equal(refused.status, 503, `${method} ${path}`);
    t.match(refused.json, { error: "unavailable", error_description: /waits/ });
    t.equal(refused.headers["retry-after"], "10");
  }
  t.equal((await caller.get("/api/v1/passes")).status, 200, "reading goes on");
});
