import t, { type Test } from "tap";
import { PasswrightError } from "../../../src/domain/errors.ts";
import type { TemplateToPrepare } from "../../../src/domain/providers/provider.ts";
import { preparePublished } from "../../../src/domain/templates/prepare-published.ts";
import type { Template, WalletKey } from "../../../src/domain/templates/template.ts";
import { createPublishedVersions } from "../../../src/redis/published-versions.ts";
import { createTemplateStore } from "../../../src/redis/templates.ts";
import { idleWallets } from "../../support/idle-wallets.ts";
import { content, openIssuer } from "../../support/issuer.ts";
import { openStore } from "../../support/store.ts";

const never = new AbortController().signal;
const minute = 60_000;

/** A tenant with a published template, and a worker of `atMs` whose Google does as it is told. */
async function opened(t: Test, wallets: readonly WalletKey[] = ["apple", "google"]) {
  const store = await openStore(t);
  const issuer = await openIssuer(store, { wallets });
  const publishedAtMs = store.clock.nowMs();
  const told: TemplateToPrepare[] = [];
  const faults: unknown[] = [];
  const providers = idleWallets({
    async prepare(job) {
      told.push(job);
      const fault = faults.shift();
      if (fault !== undefined) throw fault;
    },
  });
  const template = await issuer.templates.findOwn(issuer.tenantId, issuer.templateId);
  if (template === null) throw new Error("the template is not there");
  return {
    ...issuer,
    store,
    faults,
    /** Which versions Google was told of since the last time. */
    told: () => told.splice(0).map(({ template }) => template.version.version),
    async prepare(afterMs = 0) {
      const clock = { nowMs: () => publishedAtMs + afterMs };
      // Another process than the one that publishes.
      const through = await store.another();
      const publishedVersions = createPublishedVersions(through);
      const templates = createTemplateStore(through);
      const deps = { ...issuer, publishedVersions, templates, providers, clock };
      const { prepared } = await preparePublished(deps, never);
      return prepared.map(({ outcome }) => outcome);
    },
    publish: (changes: Partial<Template>, atMs = publishedAtMs) =>
      issuer.templates.publish({
        template: { ...template, ...changes },
        content,
        images: new Map(),
        publishedAtMs: atMs,
      }),
    waiting: () => store.connection.zcard(store.keys.published(issuer.partition)),
  };
}

t.test(
  "a published version is told to the wallets at once, and once more when every process knows it",
  async (t) => {
    const { prepare, told, waiting } = await opened(t);
    t.strictSame(await prepare(), ["prepared"]);
    t.strictSame(told(), [1]);
    t.strictSame(await prepare(minute - 1), []);
    t.strictSame(await prepare(minute), ["prepared"]);
    t.strictSame(told(), [1]);
    t.equal(await waiting(), 0);
  },
);

t.test("a worker that dies over it leaves it to the next", async (t) => {
  const { prepare, told, store, partition } = await opened(t);
  const key = store.keys.published(partition);
  const now = store.clock.nowMs();
  t.equal(((await store.run("take-published", [key], [now, 20, 1000])) as string[]).length, 1);
  t.strictSame(await prepare(), [], "while its lease lasts");
  t.strictSame(await prepare(1000), ["prepared"]);
  t.strictSame(told(), [1]);
});

t.test("of two versions the newer one is told, whichever is taken first", async (t) => {
  const { prepare, told, publish, waiting } = await opened(t);
  t.ok(await publish({ latestVersion: 2 }));
  t.strictSame((await prepare()).sort(), ["nothing to do", "prepared"]);
  t.strictSame(told(), [2]);
  t.strictSame((await prepare(minute)).sort(), ["nothing to do", "prepared"]);
  t.strictSame(told(), [2]);
  t.equal(await waiting(), 0);
});

t.test("what Google cannot take now comes again, and what it refuses does not", async (t) => {
  const { prepare, told, faults, waiting } = await opened(t);
  faults.push(new PasswrightError("provider_unavailable", "Away."));
  t.strictSame(await prepare(), ["later"]);
  t.strictSame(await prepare(minute - 1), []);
  faults.push(new PasswrightError("provider_rejected", "No."));
  t.strictSame((await prepare(minute)).sort(), ["prepared", "refused"]);
  t.strictSame(told(), [1, 1, 1]);
  t.equal(await waiting(), 0);
});

t.test("a Google that is away for a day is not asked for ever: passes make what is missing", async (t) => {
  const { prepare, faults, waiting } = await opened(t);
  const away = new PasswrightError("provider_unavailable", "Away.");
  faults.push(away, away);
  t.strictSame(await prepare(25 * 60 * minute), ["refused", "refused"]);
  t.equal(await waiting(), 0);
});

t.test("without Google, and for what is archived, there is nothing to do", async (t) => {
  const { prepare, told, waiting } = await opened(t, ["apple"]);
  t.strictSame(await prepare(minute), ["nothing to do", "nothing to do"]);
  const archived = await opened(t);
  await archived.templates.setStatus(archived.tenantId, archived.templateId, "archived");
  t.strictSame(await archived.prepare(minute), ["nothing to do", "nothing to do"]);
  t.strictSame([...told(), ...archived.told()], []);
  t.equal(await waiting(), 0);
});

t.test("a system template is nobody's to tell of, and a refused publication tells of nothing", async (t) => {
  const { publish, prepare, templateId, waiting, store } = await opened(t);
  await prepare(minute);
  t.notOk(await publish({ latestVersion: 5 }));
  t.ok(await publish({ tenantId: null, id: store.ids.uuid(), name: "System" }));
  t.equal(await waiting(), 0);
  t.ok(templateId);
});
