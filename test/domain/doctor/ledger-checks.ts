import t from "tap";
import { ledgers } from "../../../src/domain/doctor/ledger-checks.ts";
import { createCreditStore } from "../../../src/redis/credits.ts";
import { defineScripts } from "../../../src/redis/scripts.ts";
import { openExamined } from "../../support/examination.ts";

t.test("a ledger that is not the balance is told, and whether entries are gone or never were", async (t) => {
  const examined = await openExamined(t);
  const { connection, keys } = examined;
  const { id } = await examined.addTenant();
  const run = defineScripts(connection);
  const credits = createCreditStore({ connection, keys, run, vault: {} as never });
  for (const amount of [5, 6, 7]) await credits.add(id, amount, "ada@host");
  t.strictSame(await ledgers.look(examined), [
    { status: "ok", message: "No movement is without its entry of 1 tenant.", remedy: null },
  ]);

  await connection.hincrby(keys.credits(id), "balance", -4);
  t.match(await ledgers.look(examined), [
    { status: "warning", message: `The tenant ${id} has a movement of 4 credits that no entry tells of.` },
  ]);
  await credits.add(id, 1, "ada@host");
  t.match(await ledgers.look(examined), [{ status: "ok" }], "the next movement wrote it down");

  const [, second] = await connection.xrange(keys.ledger(id), "-", "+");
  await connection.xdel(keys.ledger(id), second?.[0] ?? "");
  t.match(await ledgers.look(examined), [
    {
      status: "failed",
      message: `In the ledger of the tenant ${id} entries about 6 credits are missing.`,
      remedy: /tenants credits .* --ledger/,
    },
  ]);
});
