import t from "tap";
import { errorKinds, invalidRequest, PasswrightError } from "../../src/domain/errors.ts";

t.test("an error has the kind of its code, and tells both to a log", async (t) => {
  for (const [code, kind] of Object.entries(errorKinds)) {
    const error = new PasswrightError(code as keyof typeof errorKinds, "A sentence.");
    t.equal(error.kind, kind, code);
    t.match(error, { name: "PasswrightError", code, detail: "A sentence.", message: `${code}: A sentence.` });
  }
});

t.test("what really happened is the cause, and not in what may be shown", async (t) => {
  const cause = new Error("password is hunter2");
  const error = new PasswrightError("unavailable", "Try again.", { cause, retryAfterSeconds: 3 });
  t.equal(error.cause, cause);
  t.notMatch(`${error.detail} ${error.message}`, /hunter2/);
  t.equal(error.retryAfterSeconds, 3);
  t.notOk("cause" in new PasswrightError("unavailable", "Try again."), "no cause is not an undefined cause");
});

t.test(
  "codes are closed, lower case words, and those that the interface documents have their kinds",
  async (t) => {
    for (const code of Object.keys(errorKinds)) t.match(code, /^[a-z]+(_[a-z]+)*$/);
    t.match(errorKinds, {
      invalid_request: "invalid",
      invalid_client: "unauthorized",
      unauthorized_client: "forbidden",
      insufficient_scope: "forbidden",
      not_found: "not_found",
      invalid_template: "invalid",
      intent_mismatch: "invalid",
      no_providers: "invalid",
      invalid_state: "conflict",
      too_many_requests: "rate_limited",
      insufficient_credits: "payment",
      contract_cap_reached: "payment",
    });
  },
);

t.test(
  "an invalid request names its first violation in the sentence, and all of them in details",
  async (t) => {
    const one = { path: "/data/points", message: "must be string" };
    const other = { path: "", message: "must be a JSON object" };
    t.match(invalidRequest([one]), {
      code: "invalid_request",
      detail: "/data/points must be string",
      details: [one],
    });
    t.match(invalidRequest([one, other]), {
      detail: "/data/points must be string (and 1 more, see details)",
      details: [one, other],
    });
    t.equal(invalidRequest([other]).detail, "the body must be a JSON object");
    t.equal(invalidRequest([]).detail, "the body is not valid");
  },
);
