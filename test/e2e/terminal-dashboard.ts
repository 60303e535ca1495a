import { join } from "node:path";
import t, { type Test } from "tap";
import { openTerminal, type Terminal } from "../support/tmux.ts";
import { eventually } from "./support/eventually.ts";
import { addFault } from "./support/google-faults.ts";
import { createTenant } from "./support/operator.ts";
import { newReference } from "./support/passes.ts";
import { metricsAnywhere, newMasterKey, startPasswright } from "./support/passwright.ts";
import { createReceiver, instruct } from "./support/sandbox.ts";
import { typedClient } from "./support/typed-client.ts";

// `passwright dashboard` on a terminal, by its keys, over everything that `up` runs: a tenant of which one pass is with the
// wallet, one waits for its next attempt, and all deliveries were given up.

const settings = {
  ...metricsAnywhere,
  PASSWRIGHT_MASTER_KEY: newMasterKey(),
  PASSWRIGHT_WEBHOOK_RETRY_SCHEDULE: "0s",
  PASSWRIGHT_JOB_RETRY_SCHEDULE: "0s,1h",
  PASSWRIGHT_OPERATOR: "the tests",
};
const service = await startPasswright(t, { settings, dataDir: join(t.testdir(), "data") });
const credentials = await createTenant(service, { name: "Acme Coffee" });
const tenantId = credentials.tenant_id;
const passwright = typedClient(service.announced.base_url, credentials);
const secret = `whsec_${newMasterKey()}`;
const receiver = await createReceiver(service, secret);
await instruct(service, receiver, { status: 503 });
await passwright.webhooks.create({ url: receiver.url, events: ["pass.created"], secret });
const template = (await passwright.templates.list()).data.find(
  ({ template_type }) => template_type === "LoyaltyCard",
);

async function createPass(): Promise<void> {
  await passwright.passes.create({
    ...{ template_id: template?.id ?? "", intent: "loyalty_card", external_ref: newReference() },
    data: { member: "Ada" },
  });
}

async function jobsThat(status: string): Promise<number> {
  const { stdout } = await service.cli("jobs", "list", "--tenant", tenantId, "--status", status, "--json");
  return JSON.parse(stdout).length;
}

await createPass();
await eventually(async () => ((await jobsThat("completed")) === 1 ? true : undefined));
await addFault(service, { status: 503, times: 1 });
await createPass();
await eventually(async () => ((await jobsThat("retrying")) === 1 ? true : undefined));
await eventually(async () => {
  const { stdout } = await service.cli("deadletter", "stats", "--all-tenants", "--json");
  return JSON.parse(stdout).total === 2 ? true : undefined;
});

type Size = { columns: number; rows: number };

async function opened(t: Test, size: Size, flags = ""): Promise<Terminal> {
  const env = { ...settings, PASSWRIGHT_REDIS_URL: service.announced.redis_url };
  const terminal = openTerminal(t, { ...size, env });
  await terminal.shows(/^\$/m);
  terminal.keys(`node bin/run.js dashboard --interval 500ms ${flags}; echo "left with $?"`, "Enter");
  await terminal.shows(/\[1 overview\][\s\S]*Append-only file +on/);
  return terminal;
}

/** Whether all that stands there fits, and the first and the last line are where they belong. */
function fits(t: Test, terminal: Terminal, { columns, rows }: Size): void {
  const lines = terminal.screen().replace(/\n$/, "").split("\n");
  t.equal(lines.length, rows);
  t.ok(lines.every((line) => [...line].length <= columns));
  t.match(lines[0], /1 overview.*6 tenants/);
  t.match(lines.at(-1), /\?: help {2}q: leave/);
}

for (const size of [
  { columns: 80, rows: 24 },
  { columns: 200, rows: 60 },
]) {
  t.test(
    `every tab is reached by its key and shows what there is, at ${size.columns}x${size.rows}`,
    async (t) => {
      const terminal = await opened(t, size);
      const isWide = size.columns > 100;

      await terminal.shows(/Workers +1 alive/);
      await terminal.shows(/interactive +0 +0 +1 .*\n.*webhooks .* 2\n/);
      t.match(terminal.screen(), /Starts, p50 p99 +interactive /);
      t.match(terminal.screen(), /Done, p50 p99 +interactive /);
      fits(t, terminal, size);

      terminal.keys("2");
      await terminal.shows(/delayed +interactive +job +google +in \d+m/);
      terminal.keys("Right");
      await terminal.shows(/only active[\s\S]*Nothing is in the queue/);
      terminal.keys("l", "l");
      await terminal.shows(/only delayed[\s\S]*1\/1/);
      fits(t, terminal, size);
      terminal.keys("Enter");
      await terminal.shows(/trace id +[0-9a-f]{32}[\s\S]*google: retrying, 1 attempts, next 20\d\d-/);
      terminal.keys("Escape");
      await terminal.shows(/1\/1/);
      terminal.keys("3");
      await terminal.shows(/HOST +PID +LAST BEAT[\s\S]*› .* \d+ +\d\.\ds +0 +0 +0 +-/);
      fits(t, terminal, size);
      terminal.keys("Enter");
      await terminal.shows(/In hand +0[\s\S]*It has nothing in hand/);

      terminal.keys("Escape");
      await terminal.shows(/LAST BEAT/);
      terminal.keys("4");
      await terminal.shows(/failing +2 +0 +- +http/);
      fits(t, terminal, size);
      terminal.keys("/", "f", "a", "i", "l", "i", "n", "g", "Enter");
      await terminal.shows(/\/failing[\s\S]*1\/1/);
      terminal.keys("Enter");
      await terminal.shows(/dead_lettered +pass\.created +1 +503 +\d+ ms/);
      terminal.keys("Enter");
      await terminal.shows(/ATTEMPTS AND ANSWERS[\s\S]*1\. .* 503 [\s\S]*POST http/);
      if (isWide)
        t.match(terminal.screen(), /X-Service-Signature: sha256=\(not shown\)[\s\S]*"type": "pass\.created"/);
      t.notMatch(terminal.screen(), secret);
      for (const _ of Array(12)) terminal.keys("j");
      await terminal.shows(/webhook-signature: v1,\(not shown\)/);

      terminal.keys("5");
      await terminal.shows(/http_503 +█{20} 2[\s\S]*all 2[\s\S]*1\/2/);
      fits(t, terminal, size);
      terminal.keys("x", "x");
      await terminal.shows(/✓.*\n.*✓/);
      terminal.keys("Enter");
      await terminal.shows(/reason +http_503[\s\S]*replay +possible/);

      terminal.keys("6");
      await terminal.shows(/Acme Coffee +active +98 +2 +2 +\d+ +20\d\d-/);
      fits(t, terminal, size);
      terminal.keys("/", "A", "c", "m", "e", "Enter", "s");
      await terminal.shows(/tenant: Acme Coffee/);
      terminal.keys("2");
      await terminal.shows(/retrying +pass\.create +1 .*\n.*completed +pass\.create +1/);
      terminal.keys("s", "?");
      await terminal.shows(/KEYS[\s\S]*UPPER CASE changes something/);
      fits(t, terminal, size);
      terminal.keys("?", "q");
      await terminal.shows(/left with 0/);
      t.equal(terminal.fact("alternate_on"), "0");
    },
  );
}

t.test("requests are counted by serve and shown with their tenant", async (t) => {
  const terminal = await opened(t, { columns: 200, rows: 60 });
  terminal.keys("6");
  for (let each = 0; each < 20; each += 1) await passwright.templates.list();
  const screen = await terminal.shows(/Acme Coffee +active +98 +2 +2 +\d{2,} /);
  t.match(screen, /REQ\/MIN/);
});

t.test("a size that changes on the way is the size of what is shown", async (t) => {
  const terminal = await opened(t, { columns: 200, rows: 60 });
  for (const size of [
    { columns: 80, rows: 24 },
    { columns: 132, rows: 40 },
  ]) {
    terminal.resize(size.columns, size.rows);
    await terminal.shows(new RegExp(`^.*1 overview.*(?:.*\\n){${size.rows - 1}}.*q: leave`));
    fits(t, terminal, size);
  }
});

t.test("a replay is begun and seen through at the terminal, and what it moved arrives", async (t) => {
  await instruct(service, receiver, { status: 200 });
  const terminal = await opened(t, { columns: 80, rows: 24 });
  terminal.keys("5");
  await terminal.shows(/1\/2/);
  terminal.keys("C");
  await terminal.shows(/No replay runs/);
  terminal.keys("E");
  await terminal.shows(/EVERY letter of all tenants[\s\S]*A dry run finds 2/);
  terminal.keys("2", "Enter");
  await terminal.shows(/2 of 2 are in the queue again/);
  terminal.keys("Enter");
  await terminal.shows(/Latest replay +2 of 2, completed[\s\S]*No dead letters/);
  terminal.keys("4");
  await terminal.shows(/healthy +0 +0/);
});

t.test("what work took is seen on the overview once the worker has said so", async (t) => {
  await createPass();
  await eventually(async () => ((await jobsThat("completed")) === 2 ? true : undefined));
  const terminal = await opened(t, { columns: 80, rows: 24 });
  const time = /\d+(?:ms|\.\ds|s)/.source;
  await terminal.shows(new RegExp(`Starts, p50 p99 +interactive ${time} ${time} · webhooks ${time} ${time}`));
  await terminal.shows(new RegExp(`Done, p50 p99 +interactive ${time} ${time}`));
});
