import t, { type Test } from "tap";
import { firstDigest } from "../../../src/domain/backups/line.ts";
import type { BackupRecord } from "../../../src/domain/backups/record.ts";
import { surveyBackup } from "../../../src/domain/backups/survey.ts";
import { createAuditLog } from "../../../src/redis/audit.ts";
import { createRestorations } from "../../../src/redis/backup/restorations.ts";
import { createSigningKeyStore } from "../../../src/redis/signing-keys.ts";
import type { StoreParts } from "../../../src/redis/store.ts";
import { backedUp, emptyBeside, restored } from "../../support/backups.ts";
import { openDeadLetters } from "../../support/dead-letters.ts";
import { type Issuer, openIssuer, passOf } from "../../support/issuer.ts";
import { keySpace } from "../../support/key-space.ts";
import { openOutbox } from "../../support/outbox.ts";
import { keysOf, openStore, type TestStore } from "../../support/store.ts";
import { claimOf, completed, failed, openQueue, settle } from "../../support/work.ts";

/** A store with tenants, each with a pass that is active, one that failed, one in hand, one put off, and one that waits. */
async function furnished(t: Test, tenantCount = 2) {
  const store = await openStore(t);
  const privateKey = "private";
  const publicJwk = { kty: "RSA", n: "modulus", e: "AQAB", kid: "kid", alg: "RS256", use: "sig" } as const;
  await createSigningKeyStore(store).seed([
    {
      kid: "kid",
      state: "active",
      publicJwk,
      privateKey,
      publishedAtMs: 1,
      activatedAtMs: 1,
      retiredAtMs: null,
    },
  ]);
  const what = { who: "the tests", action: "tenants.create", tenant_id: null, target: null };
  await createAuditLog(store).append({ ...what, result: "done", details: {} });
  const tenants: Issuer[] = [];
  for (let i = 0; i < tenantCount; i += 1) tenants.push(await busy(store));
  const [first] = tenants;
  if (first === undefined) throw new Error("there is a tenant");
  return { store, tenants, first };
}

async function busy(store: TestStore): Promise<Issuer> {
  const issuer = await openIssuer(store);
  await issuer.subscribe("pass.created");
  const queue = await openQueue(store);
  const failure = { code: "provider_unavailable", description: "away" };
  for (const outcome of [completed, failed("provider_unavailable", { bury: true }), null]) {
    await issuer.create();
    for (const task of await claimOf(queue, issuer)) {
      if (outcome === null) await queue.retryLater(task, failure, 1e15);
      else await settle(store, task, outcome);
    }
  }
  await openOutbox(store).fanOut(10);
  await issuer.create();
  await claimOf(queue, issuer);
  await issuer.create();
  return issuer;
}

/** The keys of a tenant and what is in them, without what a restore moves: leases and ids of dead letters. */
async function recordsOf(store: StoreParts, tenantId: string): Promise<Record<string, unknown>> {
  const own = store.keys.ofTenant(tenantId);
  const all = Object.entries(await keySpace(store)).filter(([key]) => key.startsWith(own));
  const moving = /:(entry|state|missed)$/;
  const steady = all.map(([key, value]) => {
    const { content, expiresAt } = value as { content: unknown; expiresAt: number };
    if (typeof content !== "object" || content === null || Array.isArray(content))
      return [key.slice(own.length), value];
    const fields = Object.entries(content).filter(([name]) => !moving.test(name));
    return [key.slice(own.length), { content: Object.fromEntries(fields), expiresAt }];
  });
  return Object.fromEntries(steady);
}

function recordOf(line: string): BackupRecord {
  return JSON.parse(line.slice(firstDigest.length + 1));
}

async function surveyOf(lines: readonly string[]) {
  async function* all() {
    yield* lines;
  }
  return surveyBackup(all());
}

t.test(
  "what is restored is what there was: records, credits, pages, dead letters, keys and audit log",
  async (t) => {
    const { store, tenants } = await furnished(t);
    const lines = await backedUp(store);
    const target = emptyBeside(t, store);
    t.match(await restored(target, lines), { complete: true, tenants: 2, skipped: 0, records: lines.length });
    for (const { tenantId } of tenants) {
      t.strictSame(await recordsOf(target, tenantId), await recordsOf(store, tenantId));
    }
    const rest = (parts: StoreParts) =>
      keySpace(parts).then(
        (all) =>
          new Map(Object.entries(all).map(([key, value]) => [key.slice(parts.keys.prefix.length), value])),
      );
    const [before, after] = [await rest(store), await rest(target)];
    const shared = [...before.keys()].filter((key) =>
      /page:|application:|signing-keys|audit$|system|:delayed|:dead/.test(key),
    );
    t.ok(shared.length > 10, `${shared.length} keys`);
    for (const key of shared) t.strictSame(after.get(key), before.get(key), key);
    t.strictSame(
      [...after.keys()].filter((key) => key.includes("restore")),
      [],
      "nothing of the restore is left",
    );
  },
);

t.test("work that waited, was in hand or was put off waits again, once each", async (t) => {
  const { store, first } = await furnished(t, 1);
  const target = emptyBeside(t, store);
  await restored(target, await backedUp(store, { tenantId: first.tenantId }), { tenantId: first.tenantId });
  const queue = await openQueue(target);
  // Two wallets of the one in hand and of the one that waited; and the deliveries of the three before.
  t.equal((await claimOf(queue, first)).length, 4 + 3);
  t.equal((await queue.promoteDue(1e15)).promoted, 2);
  t.equal(await openOutbox(target).fanOut(10), 2, "and the events that had not been fanned out are");
  const letters = await openDeadLetters(target).list();
  t.strictSame(
    letters.map(({ id }) => id),
    (await openDeadLetters(store).list()).map(({ id }) => id),
  );
});

t.test("a tenant alone is taken out of a backup of everything", async (t) => {
  const { store, tenants } = await furnished(t);
  const target = emptyBeside(t, store);
  const lines = await backedUp(store);
  const [one, other] = tenants.map(({ tenantId }) => tenantId);
  t.match(await restored(target, lines, { tenantId: one ?? "" }), { complete: true, tenants: 1 });
  t.strictSame(await recordsOf(target, one ?? ""), await recordsOf(store, one ?? ""));
  t.strictSame(
    Object.entries(await keySpace(target)).filter((entry) => JSON.stringify(entry).includes(other ?? "none")),
    [],
  );
  t.equal(await target.connection.exists(target.keys.signingKeys), 0);
  await t.rejects(restored(emptyBeside(t, store), lines, { tenantId: store.ids.uuid() }), {
    code: "not_found",
  });
});

t.test("a restore that is interrupted anywhere goes on, and ends as one that was not", async (t) => {
  const { store, first } = await furnished(t, 1);
  const { tenantId } = first;
  const lines = await backedUp(store);
  const whole = emptyBeside(t, store);
  await restored(whole, lines);
  for (const share of [0.1, 0.5, 0.8, 0.95]) {
    const target = emptyBeside(t, store);
    await t.rejects(restored(target, lines.slice(0, Math.floor(lines.length * share))), {
      code: "invalid_backup",
    });
    t.match(await restored(target, lines), { complete: true, tenants: 1 });
    t.strictSame(await recordsOf(target, tenantId), await recordsOf(whole, tenantId), `after ${share}`);
    for (const of of [
      (parts: StoreParts) => parts.keys.outbox(first.partition),
      (parts: StoreParts) => parts.keys.deadLetters(first.partition),
    ]) {
      t.equal(await target.connection.xlen(of(target)), await whole.connection.xlen(of(whole)));
    }
    t.equal((await keysOf(target)).length, (await keysOf(whole)).length);
  }
});

t.test("each change of a file is noticed at its record, and nothing is written of it", async (t) => {
  const { store } = await furnished(t, 1);
  const lines = await backedUp(store);
  t.equal((await surveyOf(lines)).damage, null);
  const at = Math.floor(lines.length / 2);
  const line = lines[at] ?? "";
  const flipped = line.slice(0, -5) + (line.at(-5) === "a" ? "b" : "a") + line.slice(-4);
  for (const [what, broken, said] of [
    ["a letter", lines.with(at, flipped), `Record ${at + 1} is not as it was written`],
    ["a missing line", lines.toSpliced(at, 1), `Record ${at + 1} is not as it was written`],
    ["a line twice", lines.toSpliced(at, 0, line), `Record ${at + 2} is not as it was written`],
    ["a short line", lines.with(at, line.slice(0, 30)), `Record ${at + 1} is damaged or cut short`],
    ["a missing end", lines.slice(0, -1), `ends after record ${lines.length - 1}`],
    ["something behind it", [...lines, line], "goes on behind its last record"],
    ["no backup", ["hello"], "is no backup of Passwright"],
    ["nothing", [], "The backup is empty"],
  ] as const) {
    const { damage } = await surveyOf(broken);
    t.equal(damage?.code, "invalid_backup", what);
    t.match(damage?.detail, said, what);
  }
});

t.test(
  "a file of another layout, another version or another master key is refused before anything is written",
  async (t) => {
    const { store } = await furnished(t, 1);
    const lines = await backedUp(store);
    for (const [change, said] of [
      [{ partitions: 4 }, /with 2 partitions, and this one has 4/],
      [{ otherMasterKey: true }, /under a master key that is not configured here/],
    ] as const) {
      const target = emptyBeside(t, store, change);
      await t.rejects(restored(target, lines), { message: said });
      t.strictSame(await keysOf(target), []);
    }
  },
);

t.test("a tenant that is there is not overwritten unless that is meant, and then wholly", async (t) => {
  const { store, first } = await furnished(t, 1);
  const { tenantId } = first;
  const lines = await backedUp(store, { tenantId });
  await t.rejects(restored(store, lines), {
    code: "invalid_state",
    detail: new RegExp(`${tenantId} is there already`),
  });
  const cleared: string[] = [];
  await restored(store, lines, {
    overwrite: true,
    async clear(id) {
      cleared.push(id);
      await store.connection.unlink(store.keys.tenant(id));
    },
  });
  t.strictSame(cleared, [tenantId]);
  await t.rejects(restored(store, await backedUp(store)), {
    code: "invalid_state",
    detail: /signing keys, templates or packages of its own/,
  });
});

t.test(
  "of two processes that restore the same, the later one has it, and the other does nothing more",
  async (t) => {
    const { store, first } = await furnished(t, 1);
    const target = emptyBeside(t, store);
    const section = { name: "tenant", partition: first.partition } as const;
    const [early, late] = ["early", "late"].map((holder) => createRestorations(target, { holder }));
    const overtaken = await early?.begin(section, "restore");
    const going = await late?.begin(section, "restore");
    const key = { kind: "key", tenant: first.tenantId, key: "credits", dump: null } as const;
    for (const act of [
      () => overtaken?.write([key], 1),
      () => overtaken?.publish(first.tenantId, key),
      () => overtaken?.resumeWork([], 2),
    ]) {
      await t.rejects(Promise.resolve(act()), { code: "invalid_state", detail: /Another process/ });
    }
    await going?.write([key], 1);
    t.equal(going?.position, 1);
  },
);

t.test("an interrupted backup goes on behind its last whole section", async (t) => {
  const { store } = await furnished(t);
  const whole = await backedUp(store);
  for (const cut of [1, 4, Math.floor(whole.length / 2), whole.length - 1]) {
    const begun = whole.slice(0, cut);
    const { header, safe, damage } = await surveyOf([...begun, "half a li"]);
    t.equal(damage?.code, "invalid_backup");
    if (header === null) throw new Error("there is a header");
    const rest = await backedUp(store, { beginning: { header, ...safe } });
    const lines = [...begun.slice(0, safe.records), ...rest];
    t.equal((await surveyOf(lines)).damage, null, `cut behind record ${cut}`);
    t.match(await restored(emptyBeside(t, store), lines), { complete: true, tenants: 2 });
  }
});

t.test("who is told to stop leaves something to go on with, in both directions", async (t) => {
  const { store, first } = await furnished(t, 1);
  const stop = new AbortController();
  let taken = 0;
  const begun = await backedUp(store, { signal: stop.signal, taking: () => ++taken === 8 && stop.abort() });
  t.equal(begun.length, 8);
  const { header, safe } = await surveyOf(begun);
  if (header === null) throw new Error("there is a header");
  const lines = [
    ...begun.slice(0, safe.records),
    ...(await backedUp(store, { beginning: { header, ...safe } })),
  ];
  const target = emptyBeside(t, store);
  const now = AbortSignal.abort();
  t.match(await restored(target, lines, { signal: now }), { complete: false, tenants: 0 });
  t.match(await restored(target, lines), { complete: true, tenants: 1 });
  t.strictSame(await recordsOf(target, first.tenantId), await recordsOf(store, first.tenantId));
});

t.test("a backup names no secret, nor where it was made of the prefix", async (t) => {
  const { store, first } = await furnished(t, 1);
  const lines = await backedUp(store, { tenantId: first.tenantId });
  t.match(recordOf(lines[0] ?? ""), {
    kind: "header",
    format: "passwright-backup",
    version: 1,
    tenant_id: first.tenantId,
    partitions: 2,
  });
  t.notOk(lines.some((line) => line.includes(store.keys.prefix)));
  t.ok(passOf(await first.create()).id);
});
