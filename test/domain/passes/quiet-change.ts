import t from "tap";
import { isQuietChange } from "../../../src/domain/passes/quiet-change.ts";
import { updatePass } from "../../../src/domain/passes/update.ts";
import type { TemplateContent } from "../../../src/domain/templates/template.ts";
import { createJobStore } from "../../../src/redis/jobs.ts";
import { openIssuer, content as plain } from "../../support/issuer.ts";
import { wholePass } from "../../support/pass.ts";
import { openStore } from "../../support/store.ts";

/** `points` notifies; `name` does not; `version` is computed, and notifies. */
const content: TemplateContent = {
  ...plain,
  fields: [
    { key: "name", label: "Name", kind: "Placeholder" },
    { key: "points", label: "Points", kind: "Placeholder", default: "0", change_message: "Now %@" },
    { key: "hidden", label: "Hidden", kind: "Placeholder", default: "", change_message: "%@" },
  ],
};
const before = wholePass({
  ...{ id: "pass", tenantId: "tenant", templateId: "template", templateVersion: 1, intent: "loyalty_card" },
  ...{ externalRef: "ref", data: { name: "Ada", points: "1" }, status: "active", version: 1, providers: {} },
  ...{ jobId: "job", pageToken: "page", authenticationToken: "token", createdAtMs: 1, updatedAtMs: 1 },
});
const isQuiet = (data: Record<string, string>, of: TemplateContent = content) =>
  isQuietChange(of, before, { data: { ...before.data, ...data }, version: 2, updatedAtMs: 2 });
const withApple = (field: object): TemplateContent => ({
  ...content,
  apple: { storeCard: { backFields: [field] } },
});

t.test("a change is quiet where no field that changes says so", async (t) => {
  t.equal(isQuiet({ name: "Grace" }), true);
  t.equal(isQuiet({ points: "2" }), false);
  t.equal(isQuiet({ name: "Grace", points: "2" }), false);
  t.equal(isQuiet({ hidden: "x" }), true, "what is not shown notifies nobody");
  t.equal(isQuiet({}), false, "what changes nothing is no change");
  t.equal(isQuiet({ points: "1" }), false);
});

t.test(
  "a field of the apple part counts, with its tokens, and may speak for one of the template",
  async (t) => {
    const level = { key: "level", value: "Level of {{name}}", changeMessage: "%@" };
    t.equal(isQuiet({ name: "Grace" }, withApple(level)), false);
    t.equal(isQuiet({ name: "Grace" }, withApple({ ...level, value: "fixed" })), true);
    t.equal(isQuiet({ name: "Grace" }, withApple({ key: "name", changeMessage: "%@" })), false);
    t.equal(isQuiet({ points: "2" }, withApple({ key: "points", changeMessage: null })), true);
  },
);

t.test("what is computed changes each time, and makes no change of its own", async (t) => {
  const version = {
    key: "version",
    label: "",
    kind: "Computed",
    source: "version",
    change_message: "%@",
  } as const;
  const computed = {
    ...content,
    fields: [...content.fields, version],
    body: { ...content.body, back: ["version"] },
  };
  t.equal(isQuiet({}, computed), false);
  t.equal(isQuiet({ name: "Grace" }, computed), false, "but it notifies");
});

t.test("the job of an update says so, where the pass is in Apple Wallet", async (t) => {
  const store = await openStore(t);
  for (const [wallets, expected] of [
    [["apple", "google"], [{ code: "change_not_notified", description: /change_message/ }]],
    [["google"], []],
  ] as const) {
    const issuer = await openIssuer(store, { wallets });
    const created = await issuer.create();
    const jobs = createJobStore(store, () => store.connect());
    t.match(await jobs.find(issuer.tenantId, created.jobId), { warnings: [] }, "a creation never does");
    const accepted = { workClass: "interactive", idempotency: null, traceId: "t" } as const;
    const name = { passId: created.passId };
    const updated = await updatePass(issuer, {
      tenantId: issuer.tenantId,
      name,
      data: { points: "7" },
      ...accepted,
    });
    const { warnings } = (await jobs.find(issuer.tenantId, updated.jobId)) ?? {};
    t.equal(warnings?.length, expected.length);
    t.match(warnings, expected);
  }
});
