import t from "tap";
import { openCommands } from "../../support/command.ts";

const run = openCommands(t);

t.test("credits are added to a prepaid tenant, and shown", async (t) => {
  const { id } = (await run("tenants create", ["--name", "Acme", "--credits", "5", "--json"])).json;
  const added = await run("tenants credits", [id, "--add", "20", "--json"]);
  t.equal(added.code, 0);
  t.match(added.json, { id, billing: "prepaid", credits: 25 });
  t.strictSame((await run("tenants show", [id, "--json"])).json, added.json);
  t.match((await run("tenants credits", [id, "--add", "1"])).stdout, /^credits +26$/m);
});

t.test("a tenant under contract has none to add to", async (t) => {
  const { id } = (await run("tenants create", ["--name", "Air", "--contract-cap", "5", "--json"])).json;
  const refused = await run("tenants credits", [id, "--add", "20", "--json"]);
  t.match([refused.code, refused.json.error], [1, "invalid_state"]);
  t.match((await run("tenants show", [id, "--json"])).json, { contract_cap: 5, credits: undefined });
});

t.test("wrong numbers are wrong usage, and nobody's id is nobody", async (t) => {
  const { id } = (await run("tenants create", ["--name", "Acme", "--json"])).json;
  for (const amount of ["0", "-3", "1e3"]) {
    t.equal((await run("tenants credits", [id, `--add=${amount}`])).code, 2, amount);
  }
  t.equal((await run("tenants credits", [id])).code, 2);
  const unknown = await run("tenants credits", [
    "0199d1c5-8a4e-7c3b-9f00-5b1f6a2d7e10",
    "--add",
    "1",
    "--json",
  ]);
  t.match([unknown.code, unknown.json.error], [4, "not_found"]);
  t.equal((await run("tenants show", [id, "--json"])).json.credits, 0);
});
