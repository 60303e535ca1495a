import t, { type Test } from "tap";
import { passId, sampleJob, samplePass, sampleTemplate, templateId } from "./fixtures/sample-pass.ts";
import { issuerId } from "./fixtures/service-account.ts";
import { startedProvider } from "./fixtures/started-provider.ts";

const never = new AbortController().signal;
const classId = `${issuerId}.${templateId}.${samplePass().tenantId}`;

async function started(t: Test) {
  const { google, provider, credentials } = await startedProvider(t);
  return {
    google,
    stored: (kind: string, id: string) => google.stored.get(`${kind} ${id}`),
    issue: (demoMode: boolean, job: Parameters<typeof sampleJob>[0] = {}) =>
      provider.issue(sampleJob(job), demoMode ? { ...credentials, demoMode } : credentials, never),
  };
}

t.test("an issuer in demo mode marks its class, and its passes are for test accounts only", async (t) => {
  const { google, stored, issue } = await started(t);
  t.match(await issue(true), { testOnly: true, saveLink: /^https:/ });
  t.match(stored("loyaltyClass", classId), { issuerName: "[TEST ONLY] Baconrista" });
  await issue(true);
  t.equal(google.calls.filter((call) => call.endsWith("/loyaltyClass")).length, 1, "marked once is enough");

  t.notOk("testOnly" in (await issue(false)));
  t.match(stored("loyaltyClass", classId), { issuerName: "Baconrista" }, "the next update brings it right");
  t.match(await issue(true), { testOnly: true });
  t.match(stored("loyaltyClass", classId), { issuerName: "[TEST ONLY] Baconrista" }, "and back");
});

t.test("of a generic pass it is the title that is marked", async (t) => {
  const { stored, issue } = await started(t);
  const template = sampleTemplate("Generic", {
    google: {
      object: {
        cardTitle: {
          defaultValue: { language: "en-US", value: "Bacon Club" },
          translatedValues: [{ language: "de", value: "Speckverein" }],
        },
      },
    },
  });
  await issue(true, { template });
  const id = `${issuerId}.${passId}`;
  t.match(stored("genericObject", id), {
    cardTitle: {
      defaultValue: { value: "[TEST ONLY] Bacon Club" },
      translatedValues: [{ language: "de", value: "[TEST ONLY] Speckverein" }],
    },
  });
  await issue(false, { template });
  t.match(stored("genericObject", id), { cardTitle: { defaultValue: { value: "Bacon Club" } } });
});
