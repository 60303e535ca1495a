import t, { type Test } from "tap";
import { insertOrPatch } from "../../../src/providers/google/insert-or-patch.ts";
import { createWalletApi } from "../../../src/providers/google/wallet-api.ts";
import { refuse, startGoogleServer } from "./fixtures/google-server.ts";
import { clientEmail, credentialsFor, issuerId } from "./fixtures/service-account.ts";

const never = new AbortController().signal;

async function start(t: Test) {
  const google = await startGoogleServer();
  const nowMs = Math.floor(Date.now() / 1000) * 1000;
  const api = createWalletApi({ clock: { nowMs: () => nowMs } });
  t.teardown(async () => {
    await api.close();
    await google.close();
  });
  const credentials = credentialsFor(google.url);
  const call = { credentials, collection: "loyaltyClass", body: { id: `${issuerId}.a`, programName: "x" } };
  /** Without the token requests. */
  const calls = () => google.calls.filter((one) => one !== "POST /token");
  return { google, nowMs, api, call, calls };
}

t.test("an insert leaves nulls out, a patch sends them", async (t) => {
  const { google, api, call } = await start(t);
  const body = { ...call.body, heroImage: null };
  t.strictSame(await api.insert({ ...call, body }, never), { outcome: "written" });
  t.strictSame(await api.patch({ ...call, body }, never), { outcome: "written" });
  t.strictSame(google.bodies("POST /loyaltyClass"), [call.body]);
  t.strictSame(google.bodies("PATCH /loyaltyClass"), [body]);
});

t.test("an insert of what exists becomes a patch", async (t) => {
  const { google, api, call, calls } = await start(t);
  await api.insert(call, never);
  const body = { ...call.body, programName: "y" };
  t.strictSame(await insertOrPatch(api, { ...call, body, first: "insert" }, never), { outcome: "written" });
  t.strictSame(calls(), ["POST /loyaltyClass", "POST /loyaltyClass", "PATCH /loyaltyClass"]);
  t.match(google.stored.get(`loyaltyClass ${call.body.id}`), { programName: "y" });
});

t.test("of two who write the same at once both succeed, and nobody looks first", async (t) => {
  const { google, api, call, calls } = await start(t);
  const write = () => insertOrPatch(api, { ...call, first: "insert" }, never);
  t.strictSame(await Promise.all([write(), write()]), [{ outcome: "written" }, { outcome: "written" }]);
  t.strictSame(calls(), ["POST /loyaltyClass", "POST /loyaltyClass", "PATCH /loyaltyClass"]);
  t.match(google.stored.get(`loyaltyClass ${call.body.id}`), { programName: "x" });
});

t.test("a patch of what is missing becomes an insert", async (t) => {
  const { api, call, calls } = await start(t);
  t.strictSame(await insertOrPatch(api, { ...call, first: "patch" }, never), { outcome: "written" });
  t.strictSame(calls(), ["PATCH /loyaltyClass", "POST /loyaltyClass"]);
});

t.test("somebody who inserts between our patch and our insert is patched", async (t) => {
  const { google, api, call, calls } = await start(t);
  await api.insert(call, never);
  google.meet("PATCH /loyaltyClass", refuse(404, "not found", "resourceNotFound"));
  t.strictSame(await insertOrPatch(api, { ...call, first: "patch" }, never), { outcome: "written" });
  t.strictSame(calls().slice(1), ["PATCH /loyaltyClass", "POST /loyaltyClass", "PATCH /loyaltyClass"]);
});

t.test("an id of another kind, taken and not found at once, is refused and not tried for ever", async (t) => {
  const { google, api, call, calls } = await start(t);
  for (const method of ["POST", "POST"])
    google.meet(`${method} /loyaltyClass`, refuse(409, "taken", "exists"));
  await t.rejects(insertOrPatch(api, { ...call, first: "insert" }, never), {
    code: "provider_rejected",
    detail: /both exists and does not.*taken \(exists\)/,
  });
  t.equal(calls().length, 3);
});

t.test("an object without a class is an outcome, with Google's reason", async (t) => {
  const { api, call } = await start(t);
  const object = {
    ...call,
    collection: "loyaltyObject",
    body: { id: `${issuerId}.p`, classId: call.body.id },
  };
  t.strictSame(await insertOrPatch(api, { ...object, first: "insert" }, never), {
    outcome: "not_found",
    reason: `Wallet Object Class ${call.body.id} not found. (classNotFound)`,
  });
});

t.test("a withdrawn token is replaced once; one more refusal is about the credentials", async (t) => {
  const { google, api, call } = await start(t);
  await api.insert(call, never);
  google.tokens.clear();
  t.strictSame(await api.patch(call, never), { outcome: "written" });
  t.equal(google.calls.filter((one) => one === "POST /token").length, 2);
  google.meet("PATCH /loyaltyClass", refuse(401, "Invalid Credentials", "authError"));
  google.meet("PATCH /loyaltyClass", refuse(401, "Invalid Credentials", "authError"));
  await t.rejects(api.patch(call, never), {
    code: "provider_credentials_invalid",
    detail: `Google does not accept the access tokens of ${clientEmail}: Invalid Credentials (authError)`,
  });
});

t.test("each refusal gets its code and keeps Google's words", async (t) => {
  const { google, nowMs, api, call } = await start(t);
  const meets = async (answer: Parameters<typeof google.meet>[1]) => {
    google.meet("POST /loyaltyClass", answer);
    const error = await api.insert(call, never).catch((error: unknown) => error);
    return error as { code: string; detail: string; retryAfterSeconds?: number };
  };

  const denied = await meets(refuse(403, "Permission denied.", "permissionDenied"));
  t.equal(denied.code, "provider_credentials_invalid");
  t.match(denied.detail, `${clientEmail} the issuer ${issuerId}: Permission denied. (permissionDenied)`);

  const limited = refuse(429, "Quota exceeded", "rateLimitExceeded");
  t.match(await meets({ ...limited, headers: { "retry-after": "3" } }), {
    code: "provider_rate_limited",
    retryAfterSeconds: 3,
  });
  t.match(await meets(limited), { code: "provider_rate_limited", retryAfterSeconds: 1 });
  const date = { "retry-after": new Date(nowMs + 60_000).toUTCString() };
  t.match(await meets({ ...limited, headers: date }), { retryAfterSeconds: 60 });
  t.match(await meets({ ...limited, headers: { "retry-after": "soon" } }), { retryAfterSeconds: 1 });
  t.match(await meets(refuse(403, "Too fast", "userRateLimitExceeded")), { code: "provider_rate_limited" });

  t.match(await meets(refuse(400, "Invalid\nresource ID\u0000: {1}", "invalidResource")), {
    code: "provider_rejected",
    detail: `Google refused loyaltyClass ${issuerId}.a: Invalid resource ID : {1} (invalidResource)`,
  });
  t.match(await meets({ status: 302, headers: { location: "/" } }), {
    code: "provider_rejected",
    detail: /HTTP 302/,
  });

  t.match(await meets({ status: 503, body: "<html>", headers: { "retry-after": "9" } }), {
    code: "provider_unavailable",
    retryAfterSeconds: 9,
  });
  t.match(await meets({ status: 500 }), {
    code: "provider_unavailable",
    detail: /failed on loyaltyClass.*HTTP 500/,
  });
  t.match(await meets("hang up"), { code: "provider_unavailable", detail: /could not be reached/ });
  const endless = { status: 200, body: "x".repeat(2 * 1024 * 1024) };
  t.match(await meets(endless), { code: "provider_unavailable" }, "an answer without end is not read on");
});

for (const [where, silent] of [
  ["while it waits for a token", "POST /token"],
  ["at the API", "POST /loyaltyClass"],
] as const) {
  t.test(`the caller's deadline ends a call ${where}`, async (t) => {
    const { google, api, call } = await start(t);
    const deadline = new AbortController();
    const arrived = google.meet(silent, "silence");
    const outcome = t.rejects(api.insert(call, deadline.signal), {
      code: "provider_unavailable",
      detail: /did not answer in time/,
    });
    await arrived;
    deadline.abort(new Error("the lease is over"));
    await outcome;
  });
}
