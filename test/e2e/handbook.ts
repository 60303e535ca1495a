import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import t, { type Test } from "tap";
import { startRedisServer } from "../support/redis-server.ts";
import { blocksOf, shapeOf } from "./handbook/blocks.ts";
import { openShell } from "./handbook/shell.ts";
import { signIn } from "./support/client.ts";
import { eventually } from "./support/eventually.ts";
import { addFault } from "./support/google-faults.ts";
import { newReference } from "./support/passes.ts";
import { newMasterKey, type Passwright, root, startPasswright } from "./support/passwright.ts";
import { createReceiver, instruct, rootCertificate } from "./support/sandbox.ts";

// The operators' handbook, block by block and from top to bottom, in one shell, against an installation of its own.

t.setTimeout(240_000);
const blocks = blocksOf(readFileSync(join(root, "docs", "operations.md"), "utf8"));
const folder = t.testdir();

t.test("what is left out is little, and says why", async (t) => {
  const leftOut = blocks.filter(({ notRun }) => notRun !== null);
  t.ok(leftOut.length <= 4, `${leftOut.length} of ${blocks.length} blocks`);
  for (const { line, notRun } of leftOut) t.match(notRun, /^needs /, `line ${line}`);
  const otherwise = blocks.filter(({ exitCodes }) => exitCodes.join() !== "0");
  t.ok(otherwise.length <= 5, `${otherwise.length} end otherwise than with 0`);
});

t.test("every other block does what it says", async (t) => {
  const keyFile = join(folder, "master-key");
  writeFileSync(keyFile, `${newMasterKey()}\n`, { mode: 0o600 });
  const redis = await startRedisServer(t, { appendonly: "yes" });
  const settings = {
    PASSWRIGHT_REDIS_URL: redis.url,
    PASSWRIGHT_MASTER_KEY_FILE: keyFile,
    PASSWRIGHT_METRICS_ADDRESS: "127.0.0.1:0",
    PASSWRIGHT_TOKEN_RATE_LIMIT: "10000/1m",
    PASSWRIGHT_WEBHOOK_RETRY_SCHEDULE: "0s",
    PASSWRIGHT_JOB_RETRY_SCHEDULE: "0s,1h,1h,1h",
  };
  const service = await startPasswright(t, { settings, dataDir: join(folder, "data") });
  const subjects = await makeSubjects(t, service);
  const home = join(folder, "home");
  mkdirSync(home);
  const shell = openShell(t, home, {
    ...settings,
    ...subjects,
    REDIS_DIR: redis.folder,
    PASSWRIGHT_SANDBOX_URL: service.announced.sandbox_url,
    PASSWRIGHT_WEBHOOK_ALLOW_CIDRS: "127.0.0.0/8",
    PASSWRIGHT_WEBHOOK_CA_FILE: rootCertificate(service),
  });
  for (const { line, text, notRun, exitCodes, output } of blocks) {
    if (notRun !== null) continue;
    const title = `line ${line}: ${text.trim().split("\n").at(-1)}`;
    const ended = await shell.run(text);
    t.ok(exitCodes.includes(ended.code), title, { code: ended.code, output: ended.output });
    if (output !== null) t.match(ended.output, shapeOf(output), `${title}: its output`);
  }
});

t.test("marks and output belong to the block that they stand at", async (t) => {
  const fence = "```";
  const [first, second, third] = blocksOf(
    `# a\n\n<!-- not run: needs root -->\n${fence}sh\nmount\n${fence}\n\n<!-- ends with 0 or 4: why -->\n${fence}sh\nls\nuname\n${fence}\n\n` +
      `${fence}text\nLinux 6.1 …\n${fence}\n\n${fence}ini\na=b\n${fence}\n\n${fence}sh\ntrue\n${fence}\n\nIt says:\n\n${fence}text\nno\n${fence}\n`,
  );
  t.strictSame(first, { line: 5, text: "mount\n", notRun: "needs root", exitCodes: [0], output: null });
  t.match(second, { text: "ls\nuname\n", notRun: null, exitCodes: [0, 4], output: "Linux 6.1 …\n" });
  t.match(third, { text: "true\n", exitCodes: [0], output: null });
  t.match("a\nLinux 5.10 anything\n", shapeOf("Linux 6.1 …\n"));
  t.notMatch("Linux five", shapeOf("Linux 6.1 …\n"));
});

/** What the commands are about: a tenant with a retrying job, dead letters, and a delivery; and a replica of the store. */
async function makeSubjects(t: Test, service: Passwright): Promise<Record<string, string>> {
  const { announced } = service;
  const client = await signIn(announced.base_url, announced);
  const card = () => ({
    template_id: announced.template_id,
    intent: "loyalty_card",
    external_ref: newReference(),
    data: { member: "Ada Lovelace" },
  });
  const secret = "the secret of the handbook";
  const hooks = await Promise.all(
    [200, 503].map(async (status) => {
      const receiver = await createReceiver(service, secret);
      await instruct(service, receiver, { status });
      const events = ["pass.created"];
      return (await client.post("/api/v1/webhooks", { url: receiver.url, events, secret })).json.id as string;
    }),
  );
  await Promise.all(Array.from({ length: 3 }, () => client.post("/api/v1/passes", card())));
  const letters = await eventually(async () => {
    const listed = await service.cli("deadletter", "list", "--all-tenants", "--json");
    return listed.code === 0 && listed.json().length === 3 ? listed.json() : undefined;
  });
  const deliveries = await eventually(async () => {
    const only = ["--tenant", announced.tenant_id, "--webhook", hooks[0] ?? "", "--status", "delivered"];
    const listed = await service.cli("deliveries", "list", ...only, "--json");
    return listed.code === 0 ? listed.json() : undefined;
  });
  await addFault(service, { status: 503, times: 1000 });
  const { id: pass, job_id: job } = (await client.post("/api/v1/passes", card())).json;
  await eventually(async () =>
    (await client.get(`/api/v1/jobs/${job}`)).json.status === "retrying" ? true : undefined,
  );
  const { port } = new URL(announced.redis_url);
  const replica = await startRedisServer(t, { replicaof: `127.0.0.1 ${port}`, appendonly: "no" });
  return {
    TENANT: announced.tenant_id,
    PASS: pass,
    JOB: job,
    WEBHOOK: hooks[0] ?? "",
    DELIVERY: deliveries[0].id,
    LETTER: letters[0].id,
    REPLICA_URL: replica.url,
  };
}
