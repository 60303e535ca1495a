import { createHash } from "node:crypto";
import t, { type Test } from "tap";
import type { PassToIssue } from "../../../src/domain/providers/provider.ts";
import type { RenderableTemplate } from "../../../src/domain/templates/template.ts";
import { refuse } from "./fixtures/google-server.ts";
import { passId, sampleJob, samplePass, sampleTemplate, templateId } from "./fixtures/sample-pass.ts";
import { issuerId } from "./fixtures/service-account.ts";
import { startedProvider } from "./fixtures/started-provider.ts";

const never = new AbortController().signal;
const { tenantId } = samplePass();
// The sample is a system template: each tenant has a class of its own.
const classId = `${issuerId}.${templateId}.${tenantId}`;
const classKey = `loyaltyClass ${classId}`;
const objectKey = `loyaltyObject ${issuerId}.${passId}`;

async function start(t: Test) {
  const { google, provider, credentials } = await startedProvider(t);
  return {
    google,
    credentials,
    issue: (job: Partial<PassToIssue> = {}, signal = never) =>
      provider.issue(sampleJob(job), credentials, signal),
    prepare: (template: RenderableTemplate) => provider.prepare?.({ tenantId, template }, credentials, never),
    /** What was asked since the last time, without the token requests. */
    calls: () => google.calls.splice(0).filter((one) => one !== "POST /token"),
    close: () => provider.close(),
  };
}

t.test("a first pass makes its class, its object and a save link", async (t) => {
  const { google, issue, calls } = await start(t);
  const { saveLink } = await issue();
  t.match(saveLink, /^https:\/\/pay\.google\.com\/gp\/v\/save\/[\w-]+\.[\w-]+\.[\w-]+$/);
  t.strictSame(calls(), ["POST /loyaltyClass", "POST /loyaltyObject"]);
  const icon = createHash("sha256").update("bytes of icon@2x.png").digest("hex");
  t.match(google.stored.get(classKey), {
    programLogo: { sourceUri: { uri: `https://passes.example.com/images/system/${icon}.png` } },
    callbackOptions: { url: `https://passes.example.com/google/${samplePass().tenantId}/callback` },
  });
  t.match(google.stored.get(objectKey), { classId, state: "ACTIVE" });
});

t.test("issuing again changes nothing but makes no trouble, and needs no class any more", async (t) => {
  const { issue, calls } = await start(t);
  const first = await issue();
  calls();
  t.strictSame(await issue(), first);
  t.strictSame(calls(), ["POST /loyaltyObject", "PATCH /loyaltyObject"]);
});

t.test("an update patches, and a revocation expires", async (t) => {
  const { google, issue, calls } = await start(t);
  await issue();
  calls();
  const pass = samplePass({ version: 2, data: { points: "7" } });
  await issue({ pass });
  t.match(google.stored.get(objectKey), { loyaltyPoints: { balance: { string: "7" } } });
  await issue({ pass, voided: true });
  t.match(google.stored.get(objectKey), { state: "EXPIRED" });
  t.strictSame(calls(), ["PATCH /loyaltyObject", "PATCH /loyaltyObject"]);
});

t.test("passes of one template that are issued at once make one class", async (t) => {
  const { google, issue, calls } = await start(t);
  const passes = ["a", "b", "c"].map((id) => samplePass({ id }));
  await Promise.all(passes.map((pass) => issue({ pass })));
  t.strictSame(
    calls().filter((one) => one.endsWith("Class")),
    ["POST /loyaltyClass"],
  );
  t.equal(google.stored.size, 4);
});

t.test(
  "a new version of the template patches the class once, and an older one leaves it alone",
  async (t) => {
    const { google, issue, calls } = await start(t);
    await issue();
    calls();
    const header = { ...sampleTemplate().version.content.header, logo_text: "New Club" };
    const second = sampleTemplate("LoyaltyCard", { header }, { version: 2 });
    await issue({ template: second });
    await issue({ template: second });
    await issue({ template: sampleTemplate("LoyaltyCard", {}, { version: 1, latestVersion: 2 }) });
    t.strictSame(
      calls().filter((one) => one.endsWith("Class")),
      ["PATCH /loyaltyClass"],
    );
    t.match(google.stored.get(classKey), { programName: "New Club" });
  },
);

t.test("a newer version waits for an older one that is on its way, so that it comes last", async (t) => {
  const { google, issue, calls } = await start(t);
  const held = Promise.withResolvers<void>();
  const arrived = google.meet("POST /loyaltyClass", { status: 200, after: held.promise });
  const older = issue({ pass: samplePass({ id: "older" }) });
  await arrived;
  const newer = issue({ template: sampleTemplate("LoyaltyCard", {}, { version: 2 }) });
  // By the time that a whole other pass is through, the newer class would have been sent as well.
  await issue({ template: sampleTemplate("Coupon"), pass: samplePass({ id: "coupon" }) });
  google.calls.push("the older Class");
  held.resolve();
  google.stored.set(classKey, {});
  await Promise.all([older, newer]);
  t.strictSame(
    calls().filter((one) => one.endsWith("Class")),
    ["POST /loyaltyClass", "POST /offerClass", "the older Class", "PATCH /loyaltyClass"],
  );
});

t.test("a fresh process with a pass of an older version does not take the class back to it", async (t) => {
  const { google, issue, calls } = await start(t);
  google.stored.set(classKey, { programName: "New Club" });
  await issue({ template: sampleTemplate("LoyaltyCard", {}, { version: 1, latestVersion: 2 }) });
  t.strictSame(calls(), ["POST /loyaltyClass", "POST /loyaltyObject"]);
  t.strictSame(google.stored.get(classKey), { programName: "New Club" });
});

t.test("a class that the issuer has lost is made again", async (t) => {
  const { google, issue, calls } = await start(t);
  await issue();
  google.stored.clear();
  calls();
  await issue({ pass: samplePass({ version: 2 }) });
  t.strictSame(calls(), [
    "PATCH /loyaltyObject",
    "POST /loyaltyObject",
    "POST /loyaltyClass",
    "PATCH /loyaltyObject",
    "POST /loyaltyObject",
  ]);
  t.ok(google.stored.has(classKey) && google.stored.has(objectKey));
});

t.test("a class that stays unknown is refused after one more try", async (t) => {
  const { google, issue, calls } = await start(t);
  const missing = refuse(404, "Wallet Object Class not found.", "classNotFound");
  google.meet("POST /loyaltyObject", missing);
  google.meet("POST /loyaltyObject", missing);
  await t.rejects(issue(), { code: "provider_rejected", detail: /Class not found/ });
  t.equal(calls().filter((one) => one === "POST /loyaltyObject").length, 2);
});

t.test("a class that failed is tried again with the next pass, and no object goes before it", async (t) => {
  const { google, issue, calls } = await start(t);
  google.meet("POST /loyaltyClass", { status: 503 });
  await t.rejects(issue(), { code: "provider_unavailable" });
  t.strictSame(calls(), ["POST /loyaltyClass"]);
  await issue();
  t.strictSame(calls(), ["POST /loyaltyClass", "POST /loyaltyObject"]);
});

t.test("of a class that Google's review has rejected, the reason and the remedy are said", async (t) => {
  const { google, issue } = await start(t);
  const refusal = refuse(400, "Class is not approved.", "invalidClass");
  const comments = "The logo is\nnot yours.";
  google.meet("POST /loyaltyObject", refusal);
  google.meet("GET /loyaltyClass", { status: 200, body: { reviewStatus: "REJECTED", review: { comments } } });
  await t.rejects(issue(), {
    code: "provider_rejected",
    detail:
      /review has rejected the class .*\(The logo is not yours\.\)\. Change the template .* publish it again/,
  });
  for (const status of [{ status: 200, body: { reviewStatus: "APPROVED" } }, { status: 503 }]) {
    google.meet("POST /loyaltyObject", refusal);
    google.meet("GET /loyaltyClass", status);
    await t.rejects(issue(), { code: "provider_rejected", detail: /^Google refused .*not approved/ });
  }
});

t.test("a version that is published makes the class, or brings it up to date, without a pass", async (t) => {
  const { google, calls, prepare } = await start(t);
  await prepare(sampleTemplate());
  await prepare(sampleTemplate());
  t.strictSame(calls(), ["POST /loyaltyClass", "POST /loyaltyClass", "PATCH /loyaltyClass"]);
  await prepare(sampleTemplate("LoyaltyCard", {}, { version: 2 }));
  t.strictSame(calls(), ["PATCH /loyaltyClass"]);
  t.match(google.stored.get(classKey), { reviewStatus: "UNDER_REVIEW" });
  t.notOk(google.stored.has(objectKey));
});

t.test("a job whose deadline passes while another makes the class leaves alone", async (t) => {
  const { google, issue } = await start(t);
  const deadline = new AbortController();
  const held = Promise.withResolvers<void>();
  const arrived = google.meet("POST /loyaltyClass", { status: 200, after: held.promise });
  const staying = issue({ pass: samplePass({ id: "stays" }) });
  const leaving = t.rejects(issue({}, deadline.signal), { code: "provider_unavailable" });
  await arrived;
  google.stored.set(classKey, {});
  deadline.abort();
  await leaving;
  held.resolve();
  t.ok((await staying).saveLink);
});

t.test("closing breaks off what is under way", async (t) => {
  const { google, issue, close } = await start(t);
  const arrived = google.meet("POST /loyaltyObject", "silence");
  const outcome = t.rejects(issue(), { code: "provider_unavailable" });
  await arrived;
  await close();
  await outcome;
});
