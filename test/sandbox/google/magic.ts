import t from "tap";
import { call } from "../fixtures/calls.ts";
import { becomeIssuer, genericObject } from "../fixtures/google.ts";
import { running } from "../fixtures/running.ts";

const { controlUrl } = await running(t, { googleSlowMs: 60 });
const issuer = await becomeIssuer(controlUrl);
const classId = `${issuer.issuerId}.c`;
await issuer.wallet("POST", "genericClass", { id: classId });

const idOf = (name: string) => `${issuer.issuerId}.${name}`;
const saying = (text: string) => ({ textModulesData: [{ id: "note", header: "Note", body: text }] });
const insert = (name: string, more: object = {}) =>
  issuer.wallet("POST", "genericObject", genericObject(idOf(name), classId, more));
const statuses = async (count: number, name: string, more: object = {}) => {
  const found: number[] = [];
  for (let n = 0; n < count; n++) found.push((await insert(name, more)).status);
  return found;
};

t.test("a text in a pass makes its calls fail, in Google's words", async (t) => {
  const reasons = {
    403: "permissionDenied",
    429: "rateLimitExceeded",
    500: "backendError",
    503: "backendError",
  };
  for (const [status, reason] of Object.entries(reasons)) {
    const { status: answered, json } = await insert(`text-${status}`, saying(`sandbox:google:${status}`));
    t.equal(answered, Number(status));
    t.match(json.error.errors, [{ reason }]);
    t.equal(
      (await insert(`text-${status}`, saying(`Then sandbox:google:${status}!`))).status,
      Number(status),
    );
  }
  const title = { cardTitle: { defaultValue: { language: "en", value: "sandbox:google:500" } } };
  t.equal((await insert("title", title)).status, 500);
  const path = `genericObject/${idOf("text-429")}`;
  t.equal((await insert("text-429", saying("well again"))).status, 200);
  t.equal((await issuer.wallet("PATCH", path, saying("sandbox:google:503"))).status, 503);
  t.equal((await issuer.wallet("GET", path)).status, 200);
});

t.test("once is once, x3 is three times, for each pass anew", async (t) => {
  t.strictSame(await statuses(2, "once", saying("sandbox:google:429:once")), [429, 200]);
  t.strictSame(await statuses(2, "other", saying("sandbox:google:429:once")), [429, 200]);
  t.strictSame(await statuses(4, "thrice", saying("sandbox:google:503:x3")), [503, 503, 503, 200]);
  const patched = issuer.wallet("PATCH", `genericObject/${idOf("once")}`, saying("sandbox:google:429:once"));
  t.equal((await patched).status, 200, "the same text of the same pass");
});

t.test("an id does the same, to all its calls", async (t) => {
  t.strictSame(await statuses(3, "fault-500-x2"), [500, 500, 200]);
  t.equal((await insert("my-fault-403")).status, 403);
  t.equal((await issuer.wallet("GET", `genericObject/${idOf("my-fault-403")}`)).status, 403);
  t.equal((await issuer.wallet("POST", "genericClass", { id: idOf("fault-429") })).status, 429);
});

t.test("a slow pass is answered late and truly, a reset one not at all", async (t) => {
  const began = performance.now();
  t.equal((await insert("slow", saying("sandbox:google:slow"))).status, 200);
  t.ok(performance.now() - began >= 59);
  await t.rejects(insert("cut", saying("sandbox:google:reset:once")), { code: "ECONNRESET" });
  t.equal((await insert("cut", saying("sandbox:google:reset:once"))).status, 200);
});

t.test("what only resembles it has no effect", async (t) => {
  for (const text of [
    "sandbox:google:404",
    "sandbox:google:4290",
    "mysandbox:google:429",
    "fault-429",
    "sandbox:apns:429",
  ]) {
    t.equal(
      (await insert(`no-${text.replaceAll(":", ".")}`.replace("fault", "default"), saying(text))).status,
      200,
      text,
    );
  }
  t.equal((await insert("fault-4290")).status, 200);
});

t.test("what the control API scripts comes first", async (t) => {
  const script = { status: 500, resource_prefix: `genericObject/${idOf("first")}` };
  await call(`${controlUrl}/sandbox/google/faults`, { method: "POST", body: script });
  t.strictSame(await statuses(3, "first", saying("sandbox:google:429:once")), [500, 429, 200]);
});
