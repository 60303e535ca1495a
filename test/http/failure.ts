import t from "tap";
import { type ErrorCode, errorKinds, invalidRequest, PasswrightError } from "../../src/domain/errors.ts";
import { BodyTooLarge } from "../../src/http/exchange.ts";
import { failureReply, NoCredentials } from "../../src/http/failure.ts";

const traceId = "4bf92f3577b34da6a3ce929d0e0e4736";
const statuses: Partial<Record<ErrorCode, number>> = {
  invalid_request: 400,
  invalid_template: 400,
  intent_mismatch: 400,
  no_providers: 400,
  invalid_scope: 400,
  unsupported_grant_type: 400,
  invalid_token: 401,
  invalid_client: 401,
  insufficient_credits: 402,
  contract_cap_reached: 402,
  unauthorized_client: 403,
  insufficient_scope: 403,
  not_found: 404,
  method_not_allowed: 405,
  invalid_state: 409,
  duplicate_external_ref: 409,
  idempotency_key_reused: 409,
  too_many_webhooks: 409,
  gone: 410,
  too_many_requests: 429,
  unavailable: 503,
  internal_error: 500,
};

t.test("each documented code has its status, with the error object as the body", async (t) => {
  for (const [code, status] of Object.entries(statuses) as [ErrorCode, number][]) {
    const reply = failureReply(new PasswrightError(code, "A sentence."), traceId);
    t.equal(reply.status, status, code);
    if (status === 500) continue;
    t.strictSame(reply.body, { error: code, error_description: "A sentence.", trace_id: traceId });
  }
});

t.test("a 402 says what is missing, and where to buy or when to come again", async (t) => {
  const shortage = {
    required: 4,
    balance: 3,
    purchaseUrl: "https://passes.example.com/api/v1/billing/topup",
  };
  const prepaid = failureReply(new PasswrightError("insufficient_credits", "No.", { shortage }), traceId);
  t.strictSame(prepaid.body, {
    error: "insufficient_credits",
    error_description: "No.",
    trace_id: traceId,
    required: 4,
    balance: 3,
    purchase_url: shortage.purchaseUrl,
  });
  const capped = { required: 1, balance: 0, resetsAtMs: Date.UTC(2027, 0) };
  const contract = failureReply(
    new PasswrightError("contract_cap_reached", "No.", { shortage: capped }),
    traceId,
  );
  t.match(contract.body, { required: 1, balance: 0, resets_at: "2027-01-01T00:00:00.000Z" });
});

t.test("every code there is has a status from 400 to 503", async (t) => {
  for (const code of Object.keys(errorKinds) as ErrorCode[]) {
    const { status } = failureReply(new PasswrightError(code, "A sentence."), traceId);
    t.ok(status >= 400 && status <= 503, `${code}: ${status}`);
  }
});

t.test("a 500 shows nothing of the inside, whatever was thrown", async (t) => {
  const cause = new Error("hunter2 at /srv/app/dist/x.js:1");
  const thrown = [
    cause,
    new TypeError("x is not a function hunter2"),
    new PasswrightError("internal_error", "hunter2", { cause }),
    "hunter2",
    { message: "hunter2", status: 200 },
    null,
    undefined,
  ];
  const bodies = thrown.map((error) => {
    const reply = failureReply(error, traceId);
    t.equal(reply.status, 500);
    return JSON.stringify(reply);
  });
  t.equal(new Set(bodies).size, 1, "one fixed sentence");
  t.notMatch(bodies[0], /hunter2|\.js|Error/);
  t.match(bodies[0], traceId);
});

t.test("what caused a refusal is not shown", async (t) => {
  const reply = failureReply(
    new PasswrightError("unavailable", "Try again.", { cause: new Error("redis://:hunter2@h") }),
    traceId,
  );
  t.notMatch(JSON.stringify(reply), /hunter2/);
});

t.test("violations are in details", async (t) => {
  const details = [{ path: "/data/points", message: "must be string" }];
  const reply = failureReply(new PasswrightError("invalid_request", "x", { details }), traceId);
  t.match(reply.body, { details });
  t.notOk("details" in Object(failureReply(new PasswrightError("gone", "x"), traceId).body));
});

t.test("a body that is too large is 413 invalid_request", async (t) => {
  t.match(failureReply(new BodyTooLarge(65_536), traceId), {
    status: 413,
    body: { error: "invalid_request" },
  });
});

t.test("who may come back is told when, in whole seconds from 1", async (t) => {
  const retryAfter = (code: ErrorCode, retryAfterSeconds?: number): string | undefined => {
    const options = retryAfterSeconds === undefined ? {} : { retryAfterSeconds };
    return failureReply(new PasswrightError(code, "x", options), traceId).headers?.["Retry-After"];
  };
  t.equal(retryAfter("too_many_requests", 7), "7");
  t.equal(retryAfter("too_many_requests", 0), "1");
  t.match(retryAfter("unavailable"), /^[1-9]\d*$/, "a 503 always says so");
  t.equal(retryAfter("unavailable", 60), "60");
  t.equal(retryAfter("not_found"), undefined);
});

t.test("who has as many as there may be is told how many, and when there may be another", async (t) => {
  const failure = new PasswrightError("too_many_batches", "Wait.", { limit: 10, retryAfterSeconds: 5 });
  t.match(failureReply(failure, "0"), {
    status: 429,
    headers: {
      "Retry-After": "5",
      "RateLimit-Limit": "10",
      "RateLimit-Remaining": "0",
      "RateLimit-Reset": "5",
    },
  });
});

t.test("a 401 says how to authenticate, and a missing scope which one (RFC 6750 section 3)", async (t) => {
  const challenge = (code: ErrorCode, scope?: string): string | undefined =>
    failureReply(new PasswrightError(code, "x", scope === undefined ? {} : { scope }), traceId).headers?.[
      "WWW-Authenticate"
    ];
  t.match(challenge("invalid_token"), /^Bearer .*error="invalid_token"/);
  t.match(challenge("invalid_client"), /^Bearer/);
  t.match(
    challenge("insufficient_scope", "passes:write"),
    /^Bearer .*error="insufficient_scope".*scope="passes:write"/,
  );
  for (const code of ["not_found", "unauthorized_client", "internal_error", "invalid_request"] as const) {
    t.equal(challenge(code), undefined, code);
  }
});

t.test("who brought no credentials is told how to, and of no error (RFC 6750 section 3.1)", async (t) => {
  t.match(failureReply(new NoCredentials(), traceId), {
    status: 401,
    headers: { "WWW-Authenticate": 'Bearer realm="passwright"' },
    body: { error: "invalid_token" },
  });
  t.equal(
    failureReply(new NoCredentials(), traceId).headers?.["WWW-Authenticate"],
    'Bearer realm="passwright"',
  );
});

t.test("of many violations the first 100 are listed, and the rest is counted", async (t) => {
  const violation = (number: number) => ({ path: `/data/${number}`, message: "must be string" });
  const body = (count: number) =>
    failureReply(invalidRequest(Array.from({ length: count }, (_, i) => violation(i))), traceId)
      .body as ReturnType<typeof Object>;
  t.equal(body(100).details.length, 100);
  t.notMatch(body(100).error_description, /are listed/);
  t.equal(body(250).details.length, 100);
  t.strictSame(body(250).details[99], violation(99));
  t.match(body(250).error_description, /first 100 violations are listed; there are 150 more/);
});

t.test("a name as long as the body does not come back whole", async (t) => {
  const path = `/${"🎟".repeat(20_000)}`;
  const reply = failureReply(invalidRequest([{ path, message: "is not a known member" }]), traceId);
  const text = JSON.stringify(reply.body);
  t.ok(text.length < 2000, `${text.length} characters`);
  t.notMatch(text, /\\ud83c/i, "no half of a surrogate pair");
});
