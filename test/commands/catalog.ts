import { writeFileSync } from "node:fs";
import { join } from "node:path";
import t from "tap";
import { openCommands } from "../support/command.ts";

const run = openCommands(t);
const folder = t.testdir();
const packages = [
  { id: "starter", name: "1,000 passes", credits: 1000, price: { amount: 4905, currency: "eur" } },
  { id: "big", name: "Big", credits: 5, price: { amount: 500, currency: "JPY" } },
];
const plans = [
  {
    id: "team",
    name: "Team",
    monthly_passes: 50,
    interval: "year",
    price: { amount: 99_000, currency: "USD" },
  },
];

function fileOf(name: string, text: string | Buffer): string {
  const file = join(folder, name);
  writeFileSync(file, text);
  return file;
}

t.test("what is set is listed, as it was written and in its order", async (t) => {
  t.strictSame((await run("packages list", ["--json"])).json, []);
  const set = await run("packages set", [fileOf("packages.json", JSON.stringify(packages)), "--json"]);
  t.strictSame([set.code, set.json], [0, packages]);
  t.strictSame((await run("packages list", ["--json"])).json, packages);
  t.match(
    (await run("packages list")).stdout,
    /starter +1,000 passes +1000 +49\.05 EUR\nbig +Big +5 +500 JPY/,
  );

  const plansSet = await run("plans set", ["-", "--json"], JSON.stringify(plans));
  t.strictSame([plansSet.code, plansSet.json], [0, plans]);
  t.match((await run("plans list")).stdout, /team +Team +50 +990\.00 USD a year/);
  t.strictSame((await run("packages list", ["--json"])).json, packages, "the other list is left alone");
});

t.test("a list with mistakes changes nothing, and every mistake is named", async (t) => {
  const file = fileOf("bad.json", JSON.stringify([{ ...packages[0], credits: 0, id: "A" }, packages[1]]));
  const refused = await run("packages set", [file]);
  t.equal(refused.code, 2);
  t.match(refused.stderr, /\/0\/id must be[\s\S]+\/0\/credits must be a whole number/);
  const machine = await run("packages set", [file, "--json"]);
  t.match(machine.json, { error: "invalid_request", details: [{ path: "/0/id" }, { path: "/0/credits" }] });
  t.strictSame((await run("packages list", ["--json"])).json, packages);
});

t.test("a file that is none, or no JSON, is named", async (t) => {
  const missing = await run("packages set", [join(folder, "none.json")]);
  t.match([missing.code, missing.stderr], [2, /FILE cannot be read: .*none\.json/]);
  const broken = await run("plans set", [fileOf("broken.json", "{")]);
  t.match([broken.code, broken.stderr], [2, /The list must be JSON: /]);
  const binary = await run("plans set", [fileOf("binary.json", Buffer.from([0x5b, 0xff, 0x5d]))]);
  t.match([binary.code, binary.stderr], [2, /FILE is not UTF-8/]);
});
