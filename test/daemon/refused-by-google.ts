import t, { type Test } from "tap";
import { retryJob } from "../../src/domain/jobs/retry.ts";
import { carryOutPass } from "../../src/domain/passes/carry-out.ts";
import { updatePass } from "../../src/domain/passes/update.ts";
import type { GoogleCredentials } from "../../src/domain/providers/provider.ts";
import type { TemplateContent } from "../../src/domain/templates/template.ts";
import { createGoogleProvider } from "../../src/providers/google/provider.ts";
import { createDeviceStore } from "../../src/redis/devices.ts";
import { createJobHistory } from "../../src/redis/job-history.ts";
import { createPassWork } from "../../src/redis/pass-work.ts";
import { startGoogleSandbox } from "../providers/google/fixtures/sandbox-issuer.ts";
import { baseUrl, content, icon, openIssuer, passOf } from "../support/issuer.ts";
import { never, openReplays } from "../support/replays.ts";
import { openStore } from "../support/store.ts";
import { claimOf, openQueue } from "../support/work.ts";

const sandbox = await startGoogleSandbox(t);

/** A pass for both wallets, whose Google is the sandbox's; Apple takes all. */
async function opened(t: Test) {
  const store = await openStore(t);
  store.clock.setTo(Date.now());
  const issuer = await openIssuer(store);
  const { tenantId, templateId } = issuer;
  const queue = await openQueue(store);
  const { credentials, state } = await sandbox.openIssuer();
  const google = createGoogleProvider({
    clock: store.clock,
    imageUrl: (_owner, sha256) => `https://passes.example.com/${sha256}.png`,
  });
  t.teardown(() => google.close());
  const deps = {
    ...issuer,
    passWork: createPassWork(store, store.clock),
    providers: {
      apple: {
        key: "apple" as const,
        issue: async () => ({ saveLink: "/p/x/pass.pkpass" }),
        close: async () => {},
      },
      google,
    },
    devices: createDeviceStore(store),
    jobRetrySchedule: [0, 5000],
    baseUrl,
  };
  const replays = openReplays(store);
  let passId = "";
  return {
    credentials,
    state,
    use: (by: GoogleCredentials) =>
      issuer.providerConfigurations.save(
        { ...{ tenantId, wallet: "google", enabled: true, sandbox: true, summary: {} }, updatedAtMs: 0 },
        by,
      ),
    async publish(google: TemplateContent["google"]) {
      const template = await issuer.templates.findOwn(tenantId, templateId);
      if (template === null) throw new Error("the template is gone");
      const next = { ...template, latestVersion: template.latestVersion + 1 };
      const images = new Map([["icon.png", icon]]);
      const written = { ...content, ...(google !== undefined && { google }) };
      await issuer.templates.publish({ template: next, content: written, images, publishedAtMs: Date.now() });
    },
    async create(): Promise<string> {
      const { id, job_id } = passOf(await issuer.create());
      passId = id;
      return job_id;
    },
    async update() {
      const accepted = { workClass: "interactive", idempotency: null, traceId: "t" } as const;
      await updatePass(issuer, { tenantId, name: { passId }, data: {}, ...accepted });
    },
    /** Does all that waits; the outcome of each wallet. */
    async work() {
      const tasks = await claimOf(queue, issuer);
      const done = tasks.map(async (task) => [task.lane, (await carryOutPass(deps, task, never)).outcome]);
      return Object.fromEntries(await Promise.all(done));
    },
    pass: () => issuer.passes.find(tenantId, passId),
    retry: (jobId: string) =>
      retryJob(
        { ...replays.deps, jobHistory: createJobHistory(store, store.clock), ids: store.ids },
        { tenantId, jobId, by: "ada@host", replayLimit: 10, signal: never },
      ),
  };
}

const partial = (code: string, description: RegExp) => ({
  status: "partial",
  providers: {
    apple: { status: "completed", saveLink: /pkpass$/, error: null },
    google: { status: "failed", saveLink: null, error: { code, description } },
  },
});
const whole = { status: "active", providers: { google: { status: "completed", error: null } } };

t.test(
  "what Google refuses leaves Apple's part whole, and the next update of a mended template completes it",
  async (t) => {
    const at = await opened(t);
    await at.use(at.credentials);
    const both = { string: "7", int: 7 };
    await at.publish({ object: { loyaltyPoints: { balance: both } } });
    const jobId = await at.create();
    t.strictSame(await at.work(), { apple: "completed", google: "failed" });
    const refusal = /^Google refused loyaltyObject .*exactly one of string, int/;
    t.match(await at.pass(), partial("provider_rejected", refusal));

    t.match((await at.retry(jobId)).replay, { replayed: 1 });
    t.strictSame(
      await at.work(),
      { google: "failed" },
      "as long as nothing is mended, the answer is the same",
    );
    await at.publish({ object: { loyaltyPoints: { balance: { int: 7 } } } });
    await at.update();
    t.strictSame(await at.work(), { apple: "completed", google: "completed" });
    t.match(await at.pass(), whole);
    t.match((await at.state()).objects, [{ resource: { loyaltyPoints: { balance: { int: 7 } } } }]);
  },
);

t.test(
  "an issuer that the service account may not use does so, and a retry completes it when it may",
  async (t) => {
    const at = await opened(t);
    await at.use({ ...at.credentials, issuerId: "3388000000099999999" });
    const jobId = await at.create();
    t.strictSame(await at.work(), { apple: "completed", google: "failed" });
    t.match(
      await at.pass(),
      partial("provider_credentials_invalid", /denies .* the issuer 3388000000099999999/),
    );
    await at.use(at.credentials);
    t.match((await at.retry(jobId)).replay, { replayed: 1 });
    t.strictSame(await at.work(), { google: "completed" });
    t.match(await at.pass(), whole);
    t.equal((await at.state()).objects.length, 1);
  },
);
