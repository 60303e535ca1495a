import t from "tap";
import { parseTemplate } from "../../../src/domain/templates/parse.ts";
import { publishTemplate } from "../../../src/domain/templates/publish.ts";
import { createTemplateStore } from "../../../src/redis/templates.ts";
import { openStore } from "../../support/store.ts";
import { content } from "../fixtures/examples.ts";
import { refusalOf } from "../fixtures/refusal.ts";

const store = await openStore(t);
const deps = { templates: createTemplateStore(store), ids: store.ids, clock: store.clock };
const images = new Map([["icon.png", new Uint8Array([1, 2, 3])]]);
const parsed = (other: object = {}) =>
  parseTemplate({ name: "Card", template_type: "LoyaltyCard", ...content, ...other }, images);
const tenantId = store.ids.uuid();

t.test(
  "a new name becomes a template with version 1, and the same name the next version of it",
  async (t) => {
    const first = await publishTemplate(deps, tenantId, parsed({ description: "One" }));
    t.match(first, { tenantId, latestVersion: 1, status: "active", createdAtMs: store.clock.nowMs() });
    store.clock.forward(1000);
    const second = await publishTemplate(
      deps,
      tenantId,
      parsed({ description: "Two", providers: ["google"] }),
    );
    t.strictSame(second, { ...first, latestVersion: 2, description: "Two", providers: ["google"] });
    const [one, two] = await Promise.all([1, 2].map((version) => deps.templates.renderable(second, version)));
    t.equal(
      (two?.version.createdAtMs ?? 0) - (one?.version.createdAtMs ?? 0),
      1000,
      "each has its own instant",
    );
  },
);

t.test("the same name of another owner is another template", async (t) => {
  const mine = await deps.templates.findByName(tenantId, "Card");
  const system = await publishTemplate(deps, null, parsed());
  const other = await publishTemplate(deps, store.ids.uuid(), parsed());
  t.equal(new Set([mine?.id, system.id, other.id]).size, 3);
  t.match([system.latestVersion, other.latestVersion], [1, 1]);
});

t.test("a template keeps its type", async (t) => {
  const refusal = await refusalOf(() => publishTemplate(deps, tenantId, parsed({ template_type: "Coupon" })));
  t.equal(refusal.code, "invalid_template");
  t.match(refusal.detail, /«Card» exists with the type LoyaltyCard/);
  t.match(await deps.templates.findByName(tenantId, "Card"), { type: "LoyaltyCard", latestVersion: 2 });
});

t.test("of several who publish at the same moment each gets a version of its own or is told", async (t) => {
  const owner = store.ids.uuid();
  const results = await Promise.allSettled(
    Array.from({ length: 8 }, () => publishTemplate(deps, owner, parsed())),
  );
  const versions = results.flatMap((result) =>
    result.status === "fulfilled" ? [result.value.latestVersion] : [],
  );
  t.equal(new Set(versions).size, versions.length);
  t.ok(versions.length > 0);
  for (const result of results) {
    if (result.status === "rejected") t.match(result.reason, { code: "invalid_state", kind: "conflict" });
  }
  t.match(await deps.templates.findByName(owner, "Card"), { latestVersion: Math.max(...versions) });
  t.equal(
    (await deps.templates.list(owner, {}, { page: 1, pageSize: 100 })).items.filter(
      ({ tenantId }) => tenantId === owner,
    ).length,
    1,
  );
});
