import t from "tap";
import { retryAfterOf } from "../../../clients/typescript/src/answer.ts";
import { PasswrightError } from "../../../clients/typescript/src/index.ts";
import { startService } from "./fixtures/service.ts";

const trace_id = "0af7651916cd43dd8448eb211c80319c";

async function errorOf(call: Promise<unknown>): Promise<PasswrightError> {
  const error = await call.then(
    () => undefined,
    (reason: unknown) => reason,
  );
  if (error instanceof PasswrightError) return error;
  throw new Error(`not rejected with a PasswrightError, but ${error}`);
}

t.test("an error says all that the answer says", async (t) => {
  const details = [{ path: "/data/points", message: "must be string" }];
  const body = {
    error: "invalid_request",
    error_description: "/data/points must be string",
    trace_id,
    details,
  };
  const service = await startService(t, () => ({ status: 400, body }));
  const error = await errorOf(service.client().passes.get("a"));
  t.equal(error.name, "PasswrightError");
  t.equal(error.message, "400 invalid_request: /data/points must be string");
  t.equal(error.status, 400);
  t.equal(error.code, "invalid_request");
  t.equal(error.description, "/data/points must be string");
  t.equal(error.traceId, trace_id);
  t.strictSame(error.details, details);
  t.equal(error.retryAfter, undefined);
  t.equal(error.problem, undefined);
});

t.test("problem details of billing are there whole", async (t) => {
  const problem = {
    type: "https://passes.example/docs/problems/payments_not_configured",
    title: "Payments not configured",
    status: 400,
    detail: "Payments are not configured.",
    instance: "/api/v1/billing/topup",
    error: "payments_not_configured",
    error_description: "Payments are not configured.",
    trace_id,
  };
  const service = await startService(t, () => ({
    status: 400,
    body: problem,
    headers: { "content-type": "application/problem+json" },
  }));
  const error = await errorOf(service.client().billing.topup({ package_id: "starter" }));
  t.equal(error.code, "payments_not_configured");
  t.strictSame(error.problem, problem);
});

t.test("a 402 says what is missing, and the way out", async (t) => {
  const body = { error: "insufficient_credits", error_description: "No.", trace_id, required: 4, balance: 3 };
  const buy = "https://passes.example/api/v1/billing/topup";
  const { required, balance, ...older } = body;
  const service = await startService(t, ({ path }) => ({
    status: 402,
    body: path.endsWith("/a") ? { ...body, purchase_url: buy } : older,
  }));
  const client = service.client();
  const error = await errorOf(client.passes.get("a"));
  t.strictSame(error.shortage, { required, balance, purchaseUrl: buy, resetsAt: undefined });
  t.equal((await errorOf(client.passes.get("b"))).shortage, undefined, "as an older service answers");
});

t.test("an answer of somebody else says so, and shows nothing of it", async (t) => {
  const service = await startService(t, () => ({ status: 404, body: "<h1>nginx</h1>" }));
  const error = await errorOf(service.client().passes.get("a"));
  t.equal(error.code, "unexpected_response");
  t.equal(error.status, 404);
  t.match(error.description, /base URL/);
});

t.test("a success that holds no JSON is no success", async (t) => {
  const html = {
    status: 200,
    body: "<h1>Welcome to the hotel</h1>",
    headers: { "content-type": "text/html" },
  };
  const service = await startService(t, () => html);
  const error = await errorOf(service.client().passes.get("a"));
  t.equal(error.code, "unexpected_response");
  t.match(error.description, /text\/html/);
});

t.test("a redirect is not followed: it would carry the secret to where it leads", async (t) => {
  const elsewhere = await startService(t, () => ({ status: 200, body: {} }));
  const moved = { status: 307, headers: { location: `${elsewhere.baseUrl}/api/v1/auth/token` } };
  const service = await startService(
    t,
    () => moved,
    () => moved,
  );
  const error = await errorOf(service.client().passes.get("a"));
  t.equal(error.status, 307);
  t.equal(elsewhere.tokenRequests.length, 0);
});

t.test("without an answer there is the cause, and no status", async (t) => {
  const service = await startService(t, () => "cut");
  const error = await errorOf(service.client({ maxRetries: 0 }).passes.get("a"));
  t.equal(error.code, "connection_failed");
  t.equal(error.status, undefined);
  t.ok(error.cause instanceof Error);
  t.match(error.message, service.baseUrl);
});

t.test("no error holds the secret or a token", async (t) => {
  const service = await startService(t, () => "cut");
  const error = await errorOf(
    service.client({ maxRetries: 0, applicationSecret: "hush-hush" }).passes.get("a"),
  );
  const { inspect } = await import("node:util");
  t.notMatch(inspect(error, { depth: 10, showHidden: true }), /hush-hush|token-1/);
});

t.test("Retry-After is seconds or a date, and nothing else", async (t) => {
  const at = (value: string) =>
    retryAfterOf(new Headers({ "retry-after": value }), Date.parse("2026-11-21T06:43:46.500Z"));
  t.equal(at("7"), 7);
  t.equal(at("0"), 0);
  t.equal(at("Sat, 21 Nov 2026 06:43:50 GMT"), 4);
  t.equal(at("Sat, 21 Nov 2026 06:43:00 GMT"), 0);
  for (const nonsense of ["", "soon", "-1", "1.5"]) t.equal(at(nonsense), undefined, nonsense);
  t.equal(retryAfterOf(new Headers()), undefined);
});
