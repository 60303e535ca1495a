import { randomBytes } from "node:crypto";
import type { Test } from "tap";
import { openExamination } from "../../src/app.ts";
import { readConfig } from "../../src/config.ts";
import type { Tenant } from "../../src/domain/tenants/tenant.ts";
import { openConnection, whenReady } from "../../src/redis/connection.ts";
import { createKeys } from "../../src/redis/keys.ts";
import { keysOf, testRedisUrl } from "./store.ts";

/**
 * What `doctor` looks at, as the command opens it, on a store of the test's own: the tests' Redis, or the one at `url`. Its
 * stores are the real ones, so what is to be found is written through them.
 */
export async function openExamined(
  t: Test,
  given: { url?: string; prefix?: string; settings?: Record<string, string>; deep?: boolean } = {},
) {
  const url = given.url ?? testRedisUrl();
  const prefix = given.prefix ?? `test-${randomBytes(6).toString("hex")}`;
  const env = {
    PASSWRIGHT_REDIS_URL: url,
    PASSWRIGHT_KEY_PREFIX: prefix,
    PASSWRIGHT_MASTER_KEY: randomBytes(32).toString("base64"),
  };
  const connection = openConnection(url, { name: "test" });
  await whenReady(connection, 5000);
  const keys = createKeys({ prefix, partitions: 16 });
  /** Opens it with other settings, as another call of the command does. */
  const open = async (settings: Record<string, string> = {}) => {
    const config = readConfig({ env: { ...env, ...given.settings, ...settings } });
    const examination = await openExamination(config, { deep: given.deep ?? false });
    t.teardown(() => examination.close());
    return examination;
  };
  t.teardown(async () => {
    for (const key of await keysOf({ connection, keys })) await connection.unlink(key);
    connection.disconnect();
  });
  const examination = await open();
  return {
    ...examination,
    open,
    connection,
    keys,
    prefix,
    /** A tenant that is listed and has its record. */
    async addTenant(status: Tenant["status"] = "active"): Promise<Tenant> {
      const id = crypto.randomUUID();
      const createdAtMs = Date.now();
      const tenant: Tenant = { id, name: "Acme", status, billingMode: "prepaid", createdAtMs };
      await examination.tenants.create(tenant, { mode: "prepaid", credits: 0 });
      return tenant;
    },
    /** A webhook of the tenant's. */
    async addWebhook(tenantId: string, address: string): Promise<string> {
      const id = crypto.randomUUID();
      await examination.webhooks.create({
        webhook: {
          id,
          tenantId,
          url: address,
          events: ["pass.created"],
          isActive: true,
          secretPrefix: "corr",
          createdAtMs: Date.now(),
        },
        secret: "correct horse battery",
        idempotency: null,
        response: "{}",
      });
      return id;
    },
  };
}
