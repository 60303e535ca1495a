// One pass on 100,000 phones beside one on 100: what an update of the large one takes, from its acceptance to the last push, with
// the worker's memory meanwhile; and a phone's list and fetch over HTTP while so many others are registered. Runs all that
// `npm start` does; `npm run build` first. Run: node bench/devices.ts [phones of the large pass]

import { randomBytes, randomUUID } from "node:crypto";
import { readFileSync } from "node:fs";
import { cpus } from "node:os";
import { openApp, openDevices } from "../src/app.ts";
import { readConfig } from "../src/config.ts";
import { medianOf, rangeOf } from "./support/samples.ts";
import { type Announced, withWholeService } from "./support/whole-service.ts";

const few = 100;
const many = Number(process.argv[2] ?? 100_000);
const rounds = 200;
/** Registrations under way: a busy Redis answers so many within the second that it has. */
const atOnce = 200;
const masterKey = randomBytes(32).toString("base64");
const settings = { PASSWRIGHT_MASTER_KEY: masterKey, PASSWRIGHT_DEVICE_RATE_LIMIT: "1000000/1m" };

await withWholeService(async (ready) => {
  console.log(`${cpus()[0]?.model}, ${cpus().length} cores, node ${process.version}`);
  const env = {
    PASSWRIGHT_REDIS_URL: ready.redis_url,
    PASSWRIGHT_MASTER_KEY: masterKey,
    PASSWRIGHT_LOG_LEVEL: "silent",
  };
  const app = await openApp(readConfig({ env }), { name: "bench" });
  const api = await signIn(ready);
  try {
    const [small, large] = [await onPhones(app, api, ready, few), await onPhones(app, api, ready, many)];
    await update(app, api, ready, large.id);
    for (const what of ["list", "fetch"] as const) {
      const [one, other]: [number[], number[]] = [[], []];
      for (let round = 0; round < rounds; round += 1) {
        one.push(await timed(small[what]));
        other.push(await timed(large[what]));
      }
      const ratio = medianOf(other) / medianOf(one);
      console.log(
        `${what.padEnd(6)} ${few} phones ${medianOf(one).toFixed(2)} ms (${rangeOf(one, 1)}), ${many} phones ${medianOf(other).toFixed(2)} ms (${rangeOf(other, 1)}), ratio ${ratio.toFixed(2)}`,
      );
    }
  } finally {
    await app.close();
  }
}, settings);

type App = Awaited<ReturnType<typeof openApp>>;
type Api = (method: string, path: string, body?: object) => Promise<Record<string, unknown>>;

async function signIn(ready: Announced): Promise<Api> {
  const { tenant_id, application_id, application_secret } = ready;
  const grant = { tenant_id, application_id, application_secret, grant_type: "client_credentials" };
  let token = "";
  const ask: Api = async (method, path, body) => {
    const answer = await fetch(`${ready.base_url}${path}`, {
      method,
      headers: {
        "content-type": "application/json",
        ...(token !== "" && { authorization: `Bearer ${token}` }),
      },
      ...(body !== undefined && { body: JSON.stringify(body) }),
    });
    if (!answer.ok) throw new Error(`${method} ${path}: ${answer.status} ${await answer.text()}`);
    return (await answer.json()) as Record<string, unknown>;
  };
  token = String((await ask("POST", "/api/v1/auth/token", grant)).access_token);
  return ask;
}

async function finished(api: Api, jobId: unknown): Promise<void> {
  for (;;) {
    const { status } = await api("GET", `/api/v1/jobs/${jobId}?wait=20`);
    if (status === "completed") return;
    if (status === "failed") throw new Error(`job ${jobId} failed`);
  }
}

/** A pass on so many phones, each with a token of its own, and what one of them asks. */
async function onPhones(app: App, api: Api, ready: Announced, count: number) {
  const accepted = await api("POST", "/api/v1/passes", {
    template_id: ready.template_id,
    intent: "loyalty_card",
    external_ref: randomUUID(),
    data: { member: "Ada Lovelace", points: "1" },
  });
  await finished(api, accepted.job_id);
  const { devices, passes } = await openDevices(app);
  const [tenantId, passId] = [ready.tenant_id, String(accepted.id)];
  const pass = await passes.find(tenantId, passId);
  if (pass === null) throw new Error("the pass is gone");
  const startedAt = performance.now();
  for (let done = 0; done < count; done += atOnce) {
    const numbers = Array.from({ length: Math.min(atOnce, count - done) }, (_, index) => done + index);
    const registrations = numbers.map((number) => {
      const phone = { deviceId: `phone-${passId}-${number}`, pushToken: randomBytes(32).toString("hex") };
      const named = { tenantId, passId, templateId: pass.templateId, eventId: app.ids.uuid() };
      return devices.register({ ...named, ...phone }, Date.now());
    });
    await Promise.all(registrations);
  }
  console.log(
    `${count} phones registered, ${(count / ((performance.now() - startedAt) / 1000)).toFixed(0)} a second`,
  );
  const home = `${ready.base_url}/apple/${tenantId}/v1`;
  const passType = "pass.org.passwright.sandbox";
  const headers = { authorization: `ApplePass ${pass.authenticationToken}` };
  return {
    id: passId,
    list: () => fetch(`${home}/devices/phone-${passId}-0/registrations/${passType}`),
    fetch: () => fetch(`${home}/passes/${passType}/${passId}`, { headers }),
  };
}

/** Changes a pass, and follows the worker until all of its phones were pushed to. */
async function update({ store }: App, api: Api, ready: Announced, passId: string): Promise<void> {
  const [worker = ""] = await store.connection.zrange(`${store.keys.prefix}:workers`, "0", "0");
  const pid = worker.split(":").at(-2);
  const memory = (): number =>
    Number(/^VmRSS:\s+(\d+)/m.exec(readFileSync(`/proc/${pid}/status`, "utf8"))?.[1]) / 1024;
  const pushed = async (): Promise<number> => {
    const answer = await fetch(`${ready.sandbox_url}/apns/notifications?token=none`);
    return ((await answer.json()) as { total: number }).total;
  };
  const before = { memory: memory(), pushed: await pushed() };
  let peak = before.memory;
  const watching = setInterval(() => {
    peak = Math.max(peak, memory());
  }, 50);
  const startedAt = performance.now();
  const { job_id } = await api("PATCH", `/api/v1/passes/${passId}`, { data: { points: "2" } });
  await finished(api, job_id);
  const seconds = (performance.now() - startedAt) / 1000;
  clearInterval(watching);
  const count = (await pushed()) - before.pushed;
  if (count !== many) throw new Error(`${many} phones have the pass, and ${count} were pushed to`);
  console.log(
    `update pushed to ${count} phones in ${seconds.toFixed(1)} s, ${(count / seconds).toFixed(0)} a second; RSS of the worker ${before.memory.toFixed(0)} MB before, ${peak.toFixed(0)} MB at most, ${memory().toFixed(0)} MB after`,
  );
}

async function timed(ask: () => Promise<Response>): Promise<number> {
  const startedAt = performance.now();
  const answer = await ask();
  await answer.arrayBuffer();
  if (answer.status !== 200) throw new Error(`answered ${answer.status}`);
  return performance.now() - startedAt;
}
