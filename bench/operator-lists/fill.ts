import { randomBytes } from "node:crypto";
import { openApp, openDeadLetters } from "../../src/app.ts";
import { readConfig } from "../../src/config.ts";
import { historyRetentionSeconds } from "../../src/redis/retention.ts";
import { withParts } from "../../src/redis/scripts.ts";

export type Size = {
  tenants: number;
  jobs: number;
  letters: number;
  deliveries: number;
  auditEntries: number;
  /** Applications and templates of the tenant that has most. */
  ofOne: number;
};

export type Installation = {
  /** What a process needs to know of it. */
  env: Record<string, string>;
  /** The tenant that has half of the jobs, and one in its partition that has few. */
  tenantId: string;
  otherId: string;
  webhookId: string;
  redisCpuMs(): Promise<number>;
};

type App = Awaited<ReturnType<typeof openApp>>;

const atOnce = 500;

/**
 * Jobs as the scripts write them, by their own parts: of each twenty six wait in both wallets' queues, so many as are dead
 * letters failed, and the others are completed. ARGV: the tenant's prefix, its id, now, letters of these, then the jobs' ids.
 */
const fillJobs = withParts(`
-- uses: list-job enqueue failed-jobs letters
local queue, letters, prefix, tenant, now, dead = KEYS[1], KEYS[2], ARGV[1], ARGV[2], tonumber(ARGV[3]), tonumber(ARGV[4])
for i = 5, #ARGV do
  local job, record = prefix .. ':job:' .. ARGV[i], tenant .. ':job:' .. ARGV[i]
  local is_dead, waits = i - 4 <= dead, i % 20 < 6
  redis.call('HSET', job, 'type', 'pass.create', 'trace', '4bf92f3577b34da6a3ce929d0e0e4736', 'resource_type', 'pass',
    'resource_id', ARGV[i], 'total', 2, 'done', 2, 'attempts', 1, 'created_at', now, 'status', 'completed', 'started_at', now,
    'finished_at', now)
  list_job(job, now)
  if is_dead then
    local letter = add_letter(letters, 'interactive', record, 'apple', 'provider_unavailable')
    redis.call('HSET', job, 'status', 'failed', 'lanes', 'apple google', 'done', 1, 'apple:state', 'failed', 'apple:attempts', 8,
      'apple:dead', letter, 'google:state', 'done', 'google:attempts', 1)
    list_failed(job, now, ${historyRetentionSeconds})
  elseif waits then
    redis.call('HSET', job, 'status', 'queued', 'lanes', 'apple google', 'class', 'interactive', 'done', 0)
    redis.call('HDEL', job, 'started_at', 'finished_at')
    enqueue(queue, job, record, 'apple')
    enqueue(queue, job, record, 'google')
  end
end`);

/** Deliveries to one webhook, every other one given up. ARGV: the tenant's prefix, its id, now, the webhook, then their ids. */
const fillDeliveries = withParts(`
-- uses: letters
local letters, prefix, tenant, now, webhook = KEYS[1], ARGV[1], ARGV[2], tonumber(ARGV[3]), ARGV[4]
for i = 5, #ARGV do
  local record = tenant .. ':delivery:' .. ARGV[i]
  local key = prefix .. ':delivery:' .. ARGV[i]
  redis.call('HSET', key, 'webhook', webhook, 'event', ARGV[i], 'type', 'pass.created', 'created_at', now, 'started_at', now,
    'status', 'delivered', 'send:attempts', 1,
    'attempt:1', '{"number":1,"atMs":1796000000000,"statusCode":503,"durationMs":12,"error":"answered 503"}')
  redis.call('ZADD', prefix .. ':webhook:' .. webhook .. ':deliveries', now + i, ARGV[i])
  if i % 2 == 0 then
    local letter = add_letter(letters, 'webhooks', record, 'send', 'http_' .. (500 + i % 7))
    redis.call('HSET', key, 'status', 'dead_lettered', 'send:state', 'failed', 'send:dead', letter)
  end
end`);

/** Fills an empty Redis, half of what there is for one tenant, the rest for up to a thousand others. */
export async function fill(url: string, size: Size): Promise<Installation> {
  const env = {
    PASSWRIGHT_REDIS_URL: url,
    PASSWRIGHT_MASTER_KEY: randomBytes(32).toString("base64"),
    PASSWRIGHT_LOG_LEVEL: "silent",
  };
  const app = await openApp(readConfig({ env }), { name: "bench" });
  const startedAt = performance.now();
  const tenantIds = await createTenants(app, size.tenants);
  const [tenantId = "", ...rest] = tenantIds;
  const partition = app.store.keys.partitionOf(tenantId);
  const otherId = rest.find((id) => app.store.keys.partitionOf(id) === partition) ?? rest[0] ?? "";
  const jobLetters = size.letters - size.deliveries / 2;
  await jobsOf(app, tenantId, size.jobs / 2, jobLetters / 2);
  const others = rest.filter((id) => id !== otherId).slice(0, 1000);
  for (const id of others) {
    await jobsOf(app, id, size.jobs / 2 / others.length, jobLetters / 2 / others.length);
  }
  await jobsOf(app, otherId, 20, 0);
  const webhookId = await webhooksOf(app, tenantId);
  await deliveriesOf(app, tenantId, webhookId, size.deliveries);
  await applicationsAndTemplatesOf(app, tenantId, size.ofOne);
  for (let done = 0; done < size.auditEntries; done += atOnce) {
    const entry = { who: "bench", action: "tenants.credits", tenant_id: tenantId, result: "done" } as const;
    const some = Array.from({ length: Math.min(atOnce, size.auditEntries - done) }, () =>
      app.audit.append({ ...entry, target: null, details: { credits: 1 } }),
    );
    await Promise.all(some);
  }
  const { kinds } = await (await openDeadLetters(app)).totals();
  const seconds = ((performance.now() - startedAt) / 1000).toFixed(0);
  console.log(
    `${size.tenants} tenants, ${size.jobs} jobs, dead letters ${JSON.stringify(kinds)}: filled in ${seconds} s`,
  );
  const { connection } = app.store;
  return {
    ...{ env, tenantId, otherId, webhookId },
    async redisCpuMs() {
      const cpu = [
        ...(await connection.info("cpu")).matchAll(/^used_cpu_(?:user|sys)_main_thread:([\d.]+)/gm),
      ];
      return cpu.reduce((sum, [, each]) => sum + Number(each), 0) * 1000;
    },
  };
}

async function createTenants({ ids, tenants, clock }: App, count: number): Promise<string[]> {
  const made: string[] = [];
  while (made.length < count) {
    const some = Array.from({ length: Math.min(atOnce, count - made.length) }, () => ids.uuid());
    const facts = { status: "active", billingMode: "prepaid", createdAtMs: clock.nowMs() } as const;
    const billing = { mode: "prepaid", credits: 1000 } as const;
    await Promise.all(some.map((id) => tenants.create({ id, name: `Tenant ${id}`, ...facts }, billing)));
    made.push(...some);
  }
  return made;
}

async function jobsOf(app: App, tenantId: string, count: number, letters: number): Promise<void> {
  const { connection, keys } = app.store;
  const partition = keys.partitionOf(tenantId);
  const of = [keys.queue(partition, "interactive"), keys.deadLetters(partition)];
  for (let done = 0, dead = letters; done < count; done += atOnce) {
    const some = Array.from({ length: Math.min(atOnce, Math.round(count) - done) }, () => app.ids.uuid());
    const here = Math.min(Math.round(dead), some.length);
    dead -= here;
    const facts = [keys.ofTenant(tenantId), tenantId, app.clock.nowMs(), here];
    await connection.eval(fillJobs, 2, ...of, ...facts, ...some);
  }
}

async function webhooksOf({ store, ids }: App, tenantId: string): Promise<string> {
  const { connection, keys } = store;
  const made = Array.from({ length: 50 }, () => ids.uuid());
  for (const id of made) {
    await connection.zadd(keys.webhooks(tenantId), Date.now(), id);
    const facts = { url: "https://hooks.example.com/passes", events: "pass.created", is_active: "1" };
    await connection.hset(keys.webhook(tenantId, id), {
      ...facts,
      secret_prefix: "whsec_ab",
      created_at: Date.now(),
    });
  }
  return made[0] ?? "";
}

async function deliveriesOf(app: App, tenantId: string, webhookId: string, count: number): Promise<void> {
  const { connection, keys } = app.store;
  for (let done = 0; done < count; done += atOnce) {
    const some = Array.from({ length: Math.min(atOnce, count - done) }, () => app.ids.uuid());
    const facts = [keys.ofTenant(tenantId), tenantId, app.clock.nowMs(), webhookId];
    await connection.eval(fillDeliveries, 1, keys.deadLetters(keys.partitionOf(tenantId)), ...facts, ...some);
  }
}

async function applicationsAndTemplatesOf(
  { store, ids, applications }: App,
  tenantId: string,
  count: number,
) {
  const { connection, keys } = store;
  for (let index = 0; index < count; index += 1) {
    const application = {
      id: ids.beside(tenantId),
      tenantId,
      name: `Application ${index}`,
      type: "backend",
    } as const;
    await applications.create({ ...application, status: "active", secrets: [], createdAtMs: index });
    const id = ids.uuid();
    await connection.zadd(keys.templates(tenantId), index, id);
    await connection.hset(keys.template(tenantId, id), {
      ...{
        id,
        tenant_id: tenantId,
        name: `Template ${index}`,
        type: "loyalty_card",
        providers: "apple|google",
      },
      ...{ status: "active", latest_version: 1, created_at: index },
    });
  }
}
