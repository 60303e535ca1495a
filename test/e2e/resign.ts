import { execFileSync } from "node:child_process";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { Redis } from "ioredis";
import t, { type Test } from "tap";
import { checkedPassFile } from "./support/apple-file.ts";
import { signIn } from "./support/client.ts";
import { eventually } from "./support/eventually.ts";
import { everythingLogged } from "./support/logs.ts";
import { issuePass, newReference } from "./support/passes.ts";
import { metricsAnywhere, newMasterKey, startPasswright } from "./support/passwright.ts";
import { type Phone, phoneWith } from "./support/phone.ts";
import { childrenOf } from "./support/processes.ts";
import { ask } from "./support/requests.ts";
import { rootCertificate } from "./support/sandbox.ts";
import { atTerminal } from "./support/terminal.ts";

const settings = {
  ...metricsAnywhere,
  PASSWRIGHT_TOKEN_RATE_LIMIT: "10000/1m",
  PASSWRIGHT_MASTER_KEY: newMasterKey(),
};
const service = await startPasswright(t, { settings, dataDir: join(t.testdir(), "data") });
const { base_url: baseUrl, template_id, sandbox_url: sandboxUrl, tenant_id: tenantId } = service.announced;
const client = await signIn(baseUrl, service.announced);
const root = rootCertificate(service);
const owned = ["--tenant", tenantId];

async function passOnPhones(t: Test, count: number): Promise<{ id: string; phones: Phone[] }> {
  const { json } = await issuePass(client, {
    template_id,
    intent: "loyalty_card",
    external_ref: newReference(),
    data: { member: "Ada Lovelace", points: "1" },
  });
  const file = await checkedPassFile(t, `${json.page_url}/pass.pkpass`, root);
  const phones = Array.from({ length: count }, () => phoneWith(file));
  for (const phone of phones) t.equal((await phone.register()).status, 201);
  return { id: json.id, phones };
}

async function pushesTo(phone: Phone): Promise<number> {
  const { json } = await ask(`${sandboxUrl}/apns/notifications?token=${phone.pushToken()}`);
  return json.notifications.length;
}

/** What a file shows, and the serial number of the certificate that signed it, as OpenSSL reads it. */
function opened(t: Test, bytes: Buffer): { passJson: string; signedBy: string } {
  const folder = t.testdir();
  const [archive, signature] = [join(folder, "fetched.pkpass"), join(folder, "signature")];
  writeFileSync(archive, bytes);
  writeFileSync(signature, execFileSync("unzip", ["-p", archive, "signature"]));
  const printed = execFileSync("openssl", ["cms", "-cmsout", "-print", "-inform", "DER", "-in", signature]);
  const [, signedBy = ""] = /signerInfos:[\s\S]*?serialNumber: (\S+)/.exec(printed.toString()) ?? [];
  return { passJson: execFileSync("unzip", ["-p", archive, "pass.json"], { encoding: "utf8" }), signedBy };
}

t.test(
  "after a new certificate phones are told to fetch, and get the same pass under its signature",
  async (t) => {
    const { id, phones } = await passOnPhones(t, 2);
    await passOnPhones(t, 0);
    const [phone] = phones as [Phone];
    const before = {
      list: await phone.list(),
      file: await phone.fetch(),
      pass: await client.get(`/api/v1/passes/${id}`),
    };
    t.equal((await service.cli("providers", "set", "apple", ...owned, "--sandbox")).code, 0);
    t.equal((await phone.list(before.list.json.lastUpdated)).status, 204, "nobody has told it yet");

    const dry = await service.cli("providers", "resign", ...owned, "--dry-run", "--json");
    // `up` has made a pass of its own.
    t.match(dry.json(), { dry_run: true, passes: 3, in_wallet: 1, devices: 2 });
    const done = await service.cli("providers", "resign", ...owned, "--json");
    t.equal(done.code, 0, done.stderr);
    t.match(done.json(), { status: "completed", passes: 3, looked_at: 3, renewed: 1, devices: 2, untold: 0 });

    for (const each of phones) t.equal(await pushesTo(each), 1);
    t.match(await phone.list(before.list.json.lastUpdated), { status: 200, json: { serialNumbers: [id] } });
    const modified = { "if-modified-since": before.file.headers["last-modified"] as string };
    const after = await phone.fetch(modified);
    t.equal(after.status, 200);
    const [was, is] = [opened(t, before.file.bytes), opened(t, after.bytes)];
    t.equal(is.passJson, was.passJson);
    t.match(was.signedBy, /\d/);
    t.not(is.signedBy, was.signedBy);
    t.strictSame((await client.get(`/api/v1/passes/${id}`)).json, before.pass.json, "no version was added");
    const said = await service.cli("audit", "list", ...owned, "--action", "providers.resign", "--json");
    t.match(said.json(), [{ result: "done", details: { renewed: 1, devices: 2 } }, { result: "started" }]);
  },
);

t.test(
  "its worker and its terminal may be killed: another worker does the rest, each pass once",
  async (t) => {
    const redis = new Redis(service.announced.redis_url);
    t.teardown(() => redis.disconnect());
    const phones: Phone[] = [];
    for (let each = 0; each < 8; each += 1) phones.push(...(await passOnPhones(t, 1)).phones);
    const at = { ...settings, PASSWRIGHT_REDIS_URL: service.announced.redis_url };
    const terminal = atTerminal(t, at, ["providers", "resign", ...owned, "--rate", "2", "--json"]);
    const renewed = async (): Promise<number> => {
      const [key] = await redis.keys("pw:{p*}:resign:*").then((keys) => keysOfRunning(redis, keys));
      return Number((key && (await redis.hget(key, "renewed"))) ?? 0);
    };
    await eventually(async () => ((await renewed()) >= 3 ? true : undefined));
    terminal.child.kill("SIGKILL");
    const worker = childrenOf(service.pid).find(({ command }) => / worker\b/.test(command));
    process.kill(worker?.pid ?? Number.NaN, "SIGKILL");
    const left = await service.cli("providers", "resign", ...owned, "--status", "--json");
    t.match(left.json(), { finished_at: null });

    const attached = await service.cli("providers", "resign", ...owned, "--json");
    t.match(attached, { code: 0, stderr: /under way since/ });
    // The pass of the first test is on two phones.
    t.match(attached.json(), {
      id: left.json().id,
      status: "completed",
      rate: 2,
      renewed: 9,
      devices: 10,
      untold: 0,
    });
    for (const phone of phones) t.ok((await pushesTo(phone)) >= 1);
    t.match(everythingLogged(service), /"msg":"resign.taken_over"[\s\S]*"msg":"resign.taken_over"/);
  },
);

t.test("it is interrupted and cancelled from another terminal", async (t) => {
  const at = { ...settings, PASSWRIGHT_REDIS_URL: service.announced.redis_url };
  const terminal = atTerminal(t, at, ["providers", "resign", ...owned, "--rate", "1", "--json"]);
  await eventually(async () => {
    const { json } = await service.cli("providers", "resign", ...owned, "--status", "--json");
    return json().status === "running" && json().renewed > 0 ? true : undefined;
  });
  terminal.child.kill("SIGINT");
  t.strictSame(await terminal.exited, [3, null]);
  t.match(terminal.stderr(), /Workers go on with it.*--status.*--cancel/);
  t.match(terminal.answer(), { status: "running" });
  const cancelled = await service.cli("providers", "resign", ...owned, "--cancel", "--json");
  t.match(cancelled, { code: 0 });
  t.match(cancelled.json(), { status: "cancelled", finished_at: /Z$/ });
  t.match(await service.cli("providers", "resign", ...owned, "--cancel"), {
    code: 1,
    stderr: /it is cancelled/,
  });
});

/** Of counts, those whose task has not ended. */
async function keysOfRunning(redis: Redis, keys: readonly string[]): Promise<string[]> {
  const running = await redis.hvals("pw:{operators}:resigns:active");
  return keys.filter((key) => running.some((id) => key.endsWith(id)));
}
