import { mkdirSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import t from "tap";
import { createBatch } from "../../../src/domain/batches/create.ts";
import { exportedTypes } from "../../../src/domain/exports/export-tenant.ts";
import { sendMessage } from "../../../src/domain/messages/send.ts";
import { updatePass } from "../../../src/domain/passes/update.ts";
import { createBatchStore } from "../../../src/redis/batches.ts";
import { createMessageStore } from "../../../src/redis/messages.ts";
import { openCommands } from "../../support/command.ts";
import { openIssuer, passOf, plainSecrets } from "../../support/issuer.ts";
import { openOutbox } from "../../support/outbox.ts";
import { openStore } from "../../support/store.ts";

t.setTimeout(120_000);

const store = await openStore(t, { partitions: 16 });
const run = openCommands(t, store.keys.prefix);
const issuer = await openIssuer(store);
const { tenantId, templateId } = issuer;
const traceId = "4bf92f3577b34da6a3ce929d0e0e4736";
const request = { tenantId, idempotency: null, workClass: "interactive", traceId } as const;
const secret = (
  await run("applications create", ["--tenant", tenantId, "--name", "Shop", "--type", "backend", "--json"])
).json.secret as string;
await issuer.subscribe("pass.created");
const { id: passId } = passOf(await issuer.create());
await updatePass({ ...issuer }, { ...request, name: { passId }, data: { points: "2" } });
await openOutbox(store).fanOut(10);
const messages = createMessageStore(store);
await sendMessage(
  { ...issuer, messages },
  { ...request, subject: { kind: "pass", id: passId }, header: "Hello", body: "there" },
);
await createBatch(
  { ...issuer, batches: createBatchStore(store) },
  { ...request, name: null, operations: [{ type: "revoke", name: { externalRef: "nobody" } }] },
);
await openIssuer(store).then((other) => other.create());

type Line = { type: string; data: Record<string, unknown> };

function linesOf(text: string): Line[] {
  return text
    .trimEnd()
    .split("\n")
    .map((line) => JSON.parse(line));
}

t.test("all that there is of a tenant comes, a line each, and nothing of another or secret", async (t) => {
  const { code, stdout, stderr } = await run("tenants export", [tenantId, "--to", "-"]);
  t.equal(code, 0, stderr);
  const lines = linesOf(stdout);
  t.match(lines[0], {
    type: "export",
    data: { format: "passwright-export", version: 1, tenant_id: tenantId },
  });
  t.match(lines.at(-1), {
    type: "end",
    data: {
      pass: 1,
      pass_version: 2,
      application: 1,
      provider: 2,
      webhook: 1,
      delivery: 1,
      message: 1,
      batch: 1,
    },
  });
  const types = new Set(lines.map(({ type }) => type));
  t.strictSame([...types].toSorted(), ["export", "end", ...exportedTypes].toSorted());
  const of = (type: string) => lines.filter((line) => line.type === type).map(({ data }) => data);
  t.match(of("pass"), [{ id: passId, data: { name: "Ada", points: "2" } }]);
  t.match(
    of("pass_version").map(({ version }) => version),
    [2, 1],
  );
  t.match(of("webhook"), [{ secret_prefix: "corr" }]);
  t.match(of("template"), [{ id: templateId }]);
  for (const word of [
    secret,
    "correct horse battery",
    plainSecrets.appleKey,
    plainSecrets.googleKey,
    "argon2",
  ]) {
    t.notOk(stdout.includes(word), word.slice(0, 12));
  }
  const others = await run("tenants list", ["--json"]);
  for (const { id } of others.json.filter((one: { id: string }) => one.id !== tenantId))
    t.notOk(stdout.includes(id));
  t.match(stderr, /is exported: 1 tenant, 1 application/);
});

t.test("a directory gets a file for each type, with the same lines; nothing is written over", async (t) => {
  const folder = t.testdir();
  const to = join(folder, "export");
  mkdirSync(to);
  const told = await run("tenants export", [tenantId, "--to", to, "--json"]);
  t.equal(told.code, 0, told.stderr);
  t.strictSame(
    readdirSync(to).toSorted(),
    ["export", "end", ...exportedTypes].map((type) => `${type}.ndjson`).toSorted(),
  );
  t.match(linesOf(readFileSync(join(to, "pass.ndjson"), "utf8")), [{ type: "pass", data: { id: passId } }]);
  t.match(told.json, { tenant_id: tenantId, complete: true, counts: { pass: 1 } });
  const file = join(folder, "all.ndjson");
  t.equal((await run("tenants export", [tenantId, "--to", file])).code, 0);
  t.match(await run("tenants export", [tenantId, "--to", file]), { code: 2, stderr: /exists already/ });
  t.match(await run("tenants export", [tenantId, "--to", join(folder, "none/x")]), {
    code: 1,
    stderr: /cannot be written: ENOENT/,
  });
  t.match(await run("tenants export", [store.ids.uuid(), "--to", "-"]), { code: 4 });
  t.match((await run("audit list", ["--action", "tenants.export", "--json"])).json, [
    { result: "failed" },
    { result: "failed" },
    { result: "done" },
    { result: "done" },
    { result: "done" },
  ]);
});
