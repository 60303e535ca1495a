import t from "tap";
import { createTenant } from "../../src/domain/tenants/create.ts";
import { createTenantStore } from "../../src/redis/tenants.ts";
import { openCommands } from "../support/command.ts";
import { openDeadLetters } from "../support/dead-letters.ts";
import { openStore } from "../support/store.ts";

t.test("a list of tenants shows the newest hundred, and says that there are more", async (t) => {
  const store = await openStore(t, { partitions: 16 });
  const run = openCommands(t, store.keys.prefix);
  const tenants = createTenantStore(store);
  for (let each = 0; each < 101; each += 1) {
    store.clock.forward(1);
    await createTenant({ ...store, tenants }, { name: `${each}`, billing: { mode: "prepaid", credits: 1 } });
  }
  const some = await run("tenants list", ["--json"]);
  t.equal(some.json.length, 100);
  t.equal(some.json[0].name, "100");
  t.match(some.stderr, /^100 are shown, and there are more: 101 tenants\. --limit N or --all/);
  const all = await run("tenants list", ["--all", "--json"]);
  t.equal(all.json.length, 101);
  t.equal(all.stderr, "");
  t.equal((await run("tenants list", ["--limit", "3", "--json"])).json.length, 3);
  t.equal((await run("tenants list", ["--limit", "3", "--all"])).code, 2);
});

t.test("a list of dead letters says where it goes on, and shows all that are named", async (t) => {
  const store = await openStore(t, { partitions: 16 });
  const run = openCommands(t, store.keys.prefix);
  const dead = openDeadLetters(store);
  for (let each = 0; each < 4; each += 1) await dead.killJob(store.ids.uuid());
  const ids = (await dead.list()).map(({ id }) => id);
  const two = await run("deadletter list", ["--all-tenants", "--limit", "2", "--json"]);
  t.match(
    two.json.map(({ id }: { id: string }) => id),
    ids.slice(0, 2),
  );
  t.match(two.stderr, `2 are shown, and there are more: --after ${ids[1]} goes on, --all shows all.`);
  const rest = await run("deadletter list", ["--all-tenants", "--after", ids[1] ?? "", "--json"]);
  t.equal(rest.json.length, 2);
  t.equal(rest.stderr, "", "these were the last");
  t.equal((await run("deadletter list", [...ids, "--json"])).json.length, 4);
  const table = await run("deadletter list", ["--all-tenants", "--limit", "4"]);
  t.equal(table.stdout.trimEnd().split("\n").length, 5);
  t.equal(table.stderr, "");
});
