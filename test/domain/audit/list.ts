import t from "tap";
import { audited } from "../../../src/domain/audit/audited.ts";
import type { AuditEntry } from "../../../src/domain/audit/entry.ts";
import { type AuditFilter, listAudit } from "../../../src/domain/audit/list.ts";
import { PasswrightError } from "../../../src/domain/errors.ts";
import { createAuditLog } from "../../../src/redis/audit.ts";
import { drain } from "../../support/dead-letters.ts";
import { openStore } from "../../support/store.ts";

const everything: AuditFilter = {
  tenantId: null,
  action: null,
  sinceMs: 0,
  untilMs: Number.MAX_SAFE_INTEGER,
  limit: 1000,
};

const purge: AuditEntry = {
  who: "ada@host",
  action: "deadletter.purge",
  tenant_id: null,
  target: null,
  result: "done",
  details: { purged: 3 },
};

t.test("entries are read newest first, by tenant, action and time, however many there are", async (t) => {
  const store = await openStore(t);
  const audit = createAuditLog(store);
  for (let each = 0; each < 450; each += 1) await audit.append({ ...purge, details: { each } });
  await audit.append({ ...purge, action: "deadletters.other", tenant_id: "t1" });
  const list = (filter: Partial<AuditFilter> = {}) =>
    drain(listAudit({ audit }, { ...everything, ...filter }));

  const all = await list();
  t.equal(all.length, 451);
  t.strictSame(
    all.slice(1).map(({ details }) => details.each),
    Array.from({ length: 450 }, (_, i) => 449 - i),
  );
  t.match(all[1], { ...purge, id: /^\d+-\d+$/, at: /^\d{4}-.*Z$/, details: { each: 449 } });
  t.equal((await list({ limit: 7 })).length, 7);
  t.match(await list({ tenantId: "t1" }), [{ action: "deadletters.other" }]);
  t.equal((await list({ action: "deadletter.purge" })).length, 450);
  t.equal((await list({ action: "deadletter" })).length, 450, "a topic is whole words");
  t.equal((await list({ action: "deadletter.pur" })).length, 0);
  const newestMs = Date.parse(all[0]?.at ?? "");
  t.equal((await list({ sinceMs: newestMs + 1 })).length, 0);
  t.equal((await list({ untilMs: newestMs })).length, 451);
  t.equal((await list({ untilMs: 5 })).length, 0);
});

t.test("what was done is written down, and what was refused, with its code", async (t) => {
  const store = await openStore(t);
  const audit = createAuditLog(store);
  const act = {
    who: "ada@host",
    action: "tenants.suspend",
    tenant_id: "t1",
    target: { type: "tenant", id: "t1" },
  };
  const unrecorded = (): void => {
    t.fail("everything can be written down");
  };
  t.equal(await audited({ audit, unrecorded }, { ...act, details: { why: "unpaid" } }, async () => 42), 42);
  const refusal = new PasswrightError("invalid_state", "It is suspended already.");
  await t.rejects(
    audited({ audit, unrecorded }, act, async () => {
      throw refusal;
    }),
    refusal,
  );
  const kept = (await drain(listAudit({ audit }, everything))).map(({ id: _, at: __, ...entry }) => entry);
  t.strictSame(kept, [
    { ...act, result: "failed", details: { error: "invalid_state" } },
    { ...act, result: "done", details: { why: "unpaid" } },
  ]);
});

t.test("what was done is told although it could not be written down", async (t) => {
  const act = { who: "ada@host", action: "applications.create", tenant_id: "t1", target: null };
  const away = new Error("Redis is away");
  const missing: unknown[] = [];
  const deps = {
    audit: { append: () => Promise.reject(away) },
    unrecorded: (error: unknown) => void missing.push(error),
  };
  t.equal(await audited(deps, act, async () => "the secret"), "the secret");
  t.strictSame(missing, [away]);
});
