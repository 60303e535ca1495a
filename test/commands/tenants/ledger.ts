import t from "tap";
import { openCommands } from "../../support/command.ts";

const run = openCommands(t, undefined, { PASSWRIGHT_OPERATOR: "ada" });

t.test("the ledger is a list, newest first, as a table and as JSON", async (t) => {
  const { id } = (await run("tenants create", ["--name", "Acme", "--credits", "5", "--json"])).json;
  await run("tenants credits", [id, "--add", "20"]);
  const { json, code } = await run("tenants credits", [id, "--ledger", "--json"]);
  t.equal(code, 0);
  const at = /^\d{4}-\d\d-\d\dT[\d:.]+Z$/;
  const entry = { id: /^\d+-\d+$/, at, month: null };
  t.match(json, [
    { ...entry, reason: "added", reference: { type: "operator", id: "ada" }, amount: 20, after: 25 },
    { ...entry, reason: "opening", reference: null, amount: 5, after: 5 },
  ]);
  const table = (await run("tenants credits", [id, "--ledger"])).stdout.split("\n");
  t.match(table, [
    /^AT +REASON +AMOUNT +AFTER +MONTH +FOR$/,
    /Z +added +\+20 +25 +- +operator ada$/,
    /Z +opening +\+5 +5 +- +-$/,
  ]);

  const cut = await run("tenants credits", [id, "--ledger", "--limit", "1", "--json"]);
  t.equal(cut.json.length, 1);
  t.match(cut.stderr, "1 are shown, and there are more");
  t.equal((await run("tenants credits", [id, "--ledger", "--since", "1h", "--json"])).json.length, 2);
  const before = await run("tenants credits", [id, "--ledger", "--until", "1h", "--json"]);
  t.strictSame([before.code, before.json], [4, []]);
});

t.test("under a contract the ledger of a tenant without passes is empty, and flags must fit", async (t) => {
  const { id } = (await run("tenants create", ["--name", "Air", "--contract-cap", "5", "--json"])).json;
  const empty = await run("tenants credits", [id, "--ledger"]);
  t.match([empty.code, empty.stderr], [4, "No movement matches."]);
  for (const wrong of [
    ["--ledger", "--add", "1"],
    ["--add", "1", "--limit", "3"],
    ["--ledger", "--limit", "0"],
    ["--ledger", "--since", "yesterday"],
  ]) {
    t.equal((await run("tenants credits", [id, ...wrong])).code, 2, wrong.join(" "));
  }
});
