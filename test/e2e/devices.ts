import { execFileSync } from "node:child_process";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import t, { type Test } from "tap";
import { peersMistakes } from "./devices/peers-mistakes.ts";
import { sandboxIphone } from "./devices/sandbox-iphone.ts";
import { checkedPassFile } from "./support/apple-file.ts";
import { type Client, signIn } from "./support/client.ts";
import { eventually } from "./support/eventually.ts";
import { everythingLogged } from "./support/logs.ts";
import { finished, issuePass, newReference } from "./support/passes.ts";
import { metricsAnywhere, newMasterKey, startPasswright } from "./support/passwright.ts";
import { type Phone, phoneWith } from "./support/phone.ts";
import { ask } from "./support/requests.ts";
import { rootCertificate } from "./support/sandbox.ts";

const service = await startPasswright(t, {
  settings: {
    ...metricsAnywhere,
    PASSWRIGHT_TOKEN_RATE_LIMIT: "10000/1m",
    PASSWRIGHT_MASTER_KEY: newMasterKey(),
    PASSWRIGHT_JOB_RETRY_SCHEDULE: "0s,50ms,50ms",
  },
});
const { base_url: baseUrl, template_id, sandbox_url: sandboxUrl, ...credentials } = service.announced;
const client: Client = await signIn(baseUrl, credentials);
const root = rootCertificate(service);

/** A new pass, downloaded from its page, and phones that hold it. */
async function passOnPhones(t: Test, count: number) {
  const pass = await issuePass(client, {
    template_id,
    intent: "loyalty_card",
    external_ref: newReference(),
    data: { member: "Ada Lovelace", points: "1" },
  });
  const file = await checkedPassFile(t, `${pass.json.page_url}/pass.pkpass`, root);
  const phones = Array.from({ length: count }, () => phoneWith(file));
  for (const phone of phones) t.equal((await phone.register()).status, 201);
  const update = async (points: string) =>
    finished(
      client,
      await client.ask(`/api/v1/passes/${pass.json.id}`, { method: "PATCH", body: { data: { points } } }),
    );
  /** Another pass on a phone that is there. */
  const registerOn = (phone: Phone) => phoneWith(file, phone).register();
  const registerNew = async () => {
    const phone = phoneWith(file);
    t.equal((await phone.register()).status, 201);
    return phone;
  };
  const revoke = async () =>
    finished(client, await client.ask(`/api/v1/passes/${pass.json.id}`, { method: "DELETE" }));
  return {
    id: pass.json.id as string,
    file,
    revoke,
    phones: phones as [Phone, ...Phone[]],
    update,
    registerOn,
    registerNew,
  };
}

/** How often APNs has been asked to wake a phone. */
async function pushesTo(phone: Phone): Promise<number> {
  const { json } = await ask(`${sandboxUrl}/apns/notifications?token=${phone.pushToken()}`);
  return json.notifications.length;
}

/** What the file says of a field, wherever it stands. */
function fieldOf(t: Test, bytes: Buffer, key: string): unknown {
  const archive = join(t.testdir(), "fetched.pkpass");
  writeFileSync(archive, bytes);
  const passJson = JSON.parse(execFileSync("unzip", ["-p", archive, "pass.json"], { encoding: "utf8" }));
  const fields = Object.values(passJson.storeCard).filter(Array.isArray).flat();
  return { value: fields.find((field) => field.key === key)?.value, voided: passJson.voided };
}

t.test(
  "an update wakes every phone that has the pass; each is told which, and gets the new one",
  async (t) => {
    const { phones, id, update } = await passOnPhones(t, 3);
    const job = await update("42");
    t.equal(job.json.status, "completed");
    for (const phone of phones) {
      t.equal(await pushesTo(phone), 1);
      const listed = await phone.list();
      t.match(listed, { status: 200, json: { serialNumbers: [id], lastUpdated: /./ } });
      const fetched = await phone.fetch();
      t.equal(fetched.status, 200);
      t.match(fieldOf(t, fetched.bytes, "points"), { value: /42/ });
      t.equal((await phone.list(listed.json.lastUpdated)).status, 204, "nothing more");
    }
  },
);

t.test("a phone that registers when an update's pushes are out is told of it, once", async (t) => {
  const { phones, update, registerNew } = await passOnPhones(t, 1);
  await update("43");
  const late = await registerNew();
  await eventually(async () => (await pushesTo(late)) > 0 || undefined);
  t.match(await late.list(), { status: 200 });
  await update("44");
  t.equal(await pushesTo(late), 2);
  t.equal(await pushesTo(phones[0]), 2, "and nobody else is told again");
});

t.test("two updates within one second are two: by tag, by Last-Modified and by push", async (t) => {
  const { phones, update } = await passOnPhones(t, 1);
  const [phone] = phones;
  await update("2");
  const first = { list: await phone.list(), file: await phone.fetch() };
  await update("3");
  const second = { list: await phone.list(first.list.json.lastUpdated), file: await phone.fetch() };
  t.equal(second.list.status, 200);
  t.not(second.list.json.lastUpdated, first.list.json.lastUpdated);
  const [before = "", after = ""] = [first, second].map(
    ({ file }) => file.headers["last-modified"] as string,
  );
  t.ok(Date.parse(after) > Date.parse(before));
  t.equal((await phone.fetch({ "if-modified-since": before })).status, 200);
  t.equal((await phone.fetch({ "if-modified-since": after })).status, 304);
  t.equal(await pushesTo(phone), 2);
});

t.test("HEAD says what GET would, and gives nothing", async (t) => {
  const { phones } = await passOnPhones(t, 1);
  const [phone] = phones;
  const [head, get] = [await phone.fetch({}, "HEAD"), await phone.fetch()];
  t.equal(head.status, 200);
  t.equal(head.headers["last-modified"], get.headers["last-modified"]);
  t.equal(head.headers["content-type"], "application/vnd.apple.pkpass");
  t.equal(head.headers.etag, get.headers.etag);
  t.equal(head.headers["content-length"], String(get.bytes.length));
  t.equal(head.bytes.length, 0);
});

t.test("a phone whose push token is another one now is told there", async (t) => {
  const { phones, update } = await passOnPhones(t, 1);
  const [phone] = phones;
  phone.renewPushToken();
  t.equal((await phone.register()).status, 200);
  await update("5");
  t.equal(await pushesTo(phone), 1);
});

t.test("a phone that removed the pass is told nothing any more", async (t) => {
  const { phones, update } = await passOnPhones(t, 2);
  const [gone, stays] = phones as [Phone, Phone];
  t.equal((await gone.unregister()).status, 200);
  t.equal((await gone.unregister()).status, 200, "and may say so again");
  t.equal((await gone.list()).status, 204);
  await update("6");
  t.equal(await pushesTo(gone), 0);
  t.equal(await pushesTo(stays), 1);
});

t.test(
  "a token that APNs knows to be gone ends the registration, unless the phone came back since",
  async (t) => {
    const { phones, update } = await passOnPhones(t, 2);
    const [lost, returned] = phones as [Phone, Phone];
    const gone = (phone: Phone, since: number) =>
      ask(`${sandboxUrl}/apns/devices/${phone.pushToken()}`, { method: "POST", body: { gone_since: since } });
    await gone(lost, Date.now() + 1000);
    await gone(returned, Date.now() - 3_600_000);
    t.equal((await update("7")).json.status, "completed");
    t.equal((await lost.list()).status, 204);
    t.equal((await returned.list()).status, 200);
  },
);

t.test("a message is a change that the phone shows", async (t) => {
  const { id, phones } = await passOnPhones(t, 1);
  const [phone] = phones;
  const sent = await client.post("/api/v1/messages", { pass_id: id, header: "Sale", body: "Today only" });
  await finished(client, sent);
  t.equal(await pushesTo(phone), 1);
  t.match(fieldOf(t, (await phone.fetch()).bytes, "passwright-message"), { value: /^Today only\n/ });
});

t.test("a revoked pass comes void to those who have it, and is gone for everybody else", async (t) => {
  const { id, phones, revoke } = await passOnPhones(t, 1);
  const [phone] = phones;
  await revoke();
  t.equal(await pushesTo(phone), 1);
  t.match(await phone.list(), { status: 200, json: { serialNumbers: [id] } });
  t.match(fieldOf(t, (await phone.fetch()).bytes, "points"), { voided: true });
  const { json } = await client.get(`/api/v1/passes/${id}`);
  t.equal((await ask(`${json.page_url}/pass.pkpass`)).status, 410);
});

t.test("pushes go on after APNs has closed its connections", async (t) => {
  const { phones, update } = await passOnPhones(t, 1);
  const [phone] = phones;
  await update("8");
  await ask(`${sandboxUrl}/apns/goaway`, { method: "POST", body: {} });
  t.equal((await update("9")).json.status, "completed");
  t.equal(await pushesTo(phone), 2);
});

t.test("installations and removals are events", async (t) => {
  const { id, phones } = await passOnPhones(t, 1);
  await phones[0].unregister();
  const events = await client.get(`/api/v1/analytics/events?pass_id=${id}`);
  const types: string[] = events.json.data.map(({ event_type }: { event_type: string }) => event_type);
  for (const type of ["pass.installed", "pass.uninstalled"]) t.ok(types.includes(type), type);
});

t.test("what a phone complains about is in the log", async (t) => {
  const { phones } = await passOnPhones(t, 1);
  t.equal((await phones[0].complain(["the pass could not be read: teapot"])).status, 200);
  await eventually(async () => everythingLogged(service).includes("teapot") || undefined);
});

t.test("an operator sees how far a change has come, phone by phone", async (t) => {
  const { id, phones, update } = await passOnPhones(t, 2);
  const [awake, asleep] = phones as [Phone, Phone];
  await update("10");
  await awake.list();
  await awake.fetch();
  const shown = () => service.cli("passes", "devices", id, "--tenant", client.tenantId, "--json");
  const devices = await eventually(async () => {
    const all: { device_id: string; fetched_at: string | null }[] = JSON.parse((await shown()).stdout);
    return all.some(({ fetched_at }) => fetched_at !== null) ? all : undefined;
  });
  const instant = /^\d{4}-.*Z$/;
  const of = ({ deviceId }: Phone) => devices.find((device) => device.device_id === deviceId);
  t.match(of(awake), { registered_at: instant, pushed_at: instant, listed_at: instant, fetched_at: instant });
  t.match(of(asleep), { pushed_at: instant, refused: null, listed_at: null, fetched_at: null });
});

t.test("who does not have the pass gets nothing, and learns nothing", async (t) => {
  const { phones } = await passOnPhones(t, 1);
  const [phone] = phones;
  const [known, unknown] = [phone.serialNumber as string, crypto.randomUUID()];
  const token = phone.authenticationToken;
  const refusals: [name: string, serial: string, authorization: string | undefined][] = [
    ["no token", known, undefined],
    ["another token", known, "ApplePass AAAAAAAAAAAAAAAAAAAAAAAA"],
    ["an empty token", known, "ApplePass "],
    ["another scheme", known, `Bearer ${token}`],
    ["a token without scheme", known, token],
    ["a pass that is none", unknown, `ApplePass ${token}`],
    ["a serial number that is none", "42", `ApplePass ${token}`],
  ];
  const bodies = new Set<string>();
  for (const [name, serial, authorization] of refusals) {
    for (const [method, path] of [
      ["POST", `devices/d/registrations/${phone.passTypeIdentifier}/${serial}`],
      ["DELETE", `devices/d/registrations/${phone.passTypeIdentifier}/${serial}`],
      ["GET", `passes/${phone.passTypeIdentifier}/${serial}`],
      ["GET", `passes/pass.com.example.other/${known}`],
    ] as const) {
      const url = `${phone.home}/${path}`;
      const headers = authorization === undefined ? {} : { authorization };
      const body = method === "POST" ? { body: { pushToken: "00fc" } } : {};
      const reply = await ask(url, { method, headers, ...body });
      t.equal(reply.status, 401, `${name}: ${method} ${path}`);
      t.match(reply.headers["www-authenticate"], /^ApplePass /);
      bodies.add(reply.json.error_description);
    }
  }
  t.equal(bodies.size, 1, "all are told the same");
});

t.test(
  "what servers of this protocol have got wrong",
  peersMistakes({ service, passOnPhones, pushesTo, fieldOf }),
);

t.test("a phone in the terminal", sandboxIphone({ service, client }));
