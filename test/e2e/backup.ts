import { mkdirSync } from "node:fs";
import { join } from "node:path";
import t from "tap";
import { startRedisServer } from "../support/redis-server.ts";
import { runCommand } from "./support/command.ts";
import { eventually } from "./support/eventually.ts";
import { createTenant } from "./support/operator.ts";
import { newReference } from "./support/passes.ts";
import { metricsAnywhere, newMasterKey, startPasswright } from "./support/passwright.ts";
import { startServe } from "./support/serve.ts";
import { typedClient } from "./support/typed-client.ts";

t.setTimeout(300_000);

const settings = {
  ...metricsAnywhere,
  PASSWRIGHT_TOKEN_RATE_LIMIT: "10000/1m",
  PASSWRIGHT_MASTER_KEY: newMasterKey(),
};
const service = await startPasswright(t, { settings });
const folder = join(t.testdir(), "kept");
mkdirSync(folder);

t.test(
  "a backup in full traffic, restored into an empty Redis, gives the same answers through the API",
  async (t) => {
    const credentials = await createTenant(service, { name: "Kept", funds: ["--credits", "5000"] });
    const before = typedClient(service.announced.base_url, credentials);
    const [template] = (await before.templates.list()).data.filter(
      ({ template_type }) => template_type === "LoyaltyCard",
    );
    const create = (member: string) =>
      before.passes.create({
        ...{ template_id: template?.id ?? "", intent: "loyalty_card", external_ref: newReference() },
        data: { member },
      });
    // These come to rest before the backup, so that they must be in it as they are.
    const ids: string[] = [];
    for (let i = 0; i < 10; i += 1) ids.push((await create(`Early ${i}`)).id);
    for (const id of ids.slice(0, 4)) await before.passes.update(id, { data: { member: "Changed" } });
    await eventually(async () => {
      const passes = await Promise.all(ids.map((id) => before.passes.get(id)));
      return passes.every(({ status }) => status === "active") ? true : undefined;
    });
    const answers = (client: typeof before) =>
      Promise.all(
        ids.map(async (id) => [await client.passes.get(id), (await client.passes.listVersions(id)).data]),
      );
    const wanted = await answers(before);

    let isOver = false;
    let accepted = 0;
    const traffic = Promise.all(
      [1, 2, 3].map(async (caller) => {
        while (!isOver) {
          const { id } = await create(`Caller ${caller}`);
          await before.passes.update(id, { data: { member: `Caller ${caller} again` } });
          accepted += 1;
        }
      }),
    );
    const file = join(folder, "all.backup");
    await eventually(async () => (accepted > 20 ? true : undefined));
    const made = (await service.cli("backup", "--all", "--to", file, "--json")).json();
    t.match(made, { complete: true, sections: 17 });
    isOver = true;
    await traffic;

    const empty = await startRedisServer(t, { appendonly: "yes" });
    const there = { ...settings, PASSWRIGHT_REDIS_URL: empty.url };
    const restored = await runCommand(["restore", file, "--json"], { settings: there });
    t.match(restored.json(), { complete: true, backup: made.id, unopened_secrets: 0 });

    const announced = { ...service.announced, redis_url: empty.url };
    const base = service.announced.base_url;
    const url = await startServe(t, { ...service, announced }, { ...settings, PASSWRIGHT_BASE_URL: base });
    const after = typedClient(url, credentials);
    t.strictSame(await answers(after), wanted);
    const { total } = await after.passes.list({ page_size: 1 });
    t.ok(total > ids.length && total <= ids.length + accepted, `${total} passes of ${ids.length + accepted}`);
    const { credits } = (
      await runCommand(["tenants", "show", credentials.tenant_id, "--json"], { settings: there })
    ).json();
    t.equal(credits + total, 5000, "each pass is paid once");
    const doctor = await runCommand(["doctor", "--offline", "--json"], { settings: there });
    const keys = JSON.parse(doctor.stdout).findings.find(
      ({ check }: { check: string }) => check === "master-keys",
    );
    t.match(keys, { status: "ok" }, "every secret opens");
  },
);
