import { readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import t from "tap";
import { openCommands } from "../../support/command.ts";
import { couponDirectory } from "./fixtures/coupon.ts";

const run = openCommands(t);
const root = t.testdir();
const { id: tenant } = (await run("tenants create", ["--name", "Acme", "--json"])).json;
const own = ["--tenant", tenant];
const card = (changes: object = {}) => couponDirectory(root, changes);

t.test("an import publishes, and says which version of which template", async (t) => {
  const first = await run("templates import", [card(), ...own, "--json"]);
  t.equal(first.code, 0);
  t.equal(first.stderr, "");
  t.strictSame(Object.keys(first.json).sort(), [
    "created_at",
    "description",
    "draft",
    "id",
    "intent",
    "is_system_template",
    "latest_version",
    "name",
    "notes",
    "providers",
    "status",
    "template_type",
    "tenant_id",
    "warnings",
  ]);
  t.match(first.json, { tenant_id: tenant, status: "active", latest_version: 1, draft: null, warnings: [] });
  const second = await run("templates import", [card(), ...own]);
  t.match(second.stdout, `Published «Card», version 2: ${first.json.id}`);
});

t.test("warnings are told on standard error and in the JSON, and stop nothing", async (t) => {
  const folder = card({ name: "Doubtful" });
  rmSync(join(folder, "images", "icon@3x.png"));
  const file = join(folder, "template.json");
  writeFileSync(file, readFileSync(file, "utf8").replace('"icon@3x.png",', ""));
  const { code, stderr, json } = await run("templates import", [folder, ...own, "--json"]);
  t.equal(code, 0);
  const message = "is missing: without it some devices show icon blurred or not at all";
  t.strictSame(json.warnings, [{ path: "images/icon@3x.png", message }]);
  t.equal(stderr, `Warning: images/icon@3x.png ${message}\n`);
});

t.test("notes say which iOS a feature needs, on standard error and in the JSON", async (t) => {
  const folder = card({ name: "New", apple: { featuredActions: [] } });
  const { code, stderr, json } = await run("templates import", [folder, ...own, "--json"]);
  t.equal(code, 0);
  const path = "template.json#/apple/featuredActions";
  const message = "is for featured actions, which need iOS 27: older iPhones show none of them";
  t.strictSame(json.notes, [{ path, message }]);
  t.strictSame(json.warnings, []);
  t.equal(stderr, `Note: ${path} ${message}\n`);
});

t.test("a faulty directory is refused with all that is wrong, and nothing is published", async (t) => {
  const folder = card({ name: "Faulty", colour: "red", barcode: { format: "ean13", message: "{{nobody}}" } });
  rmSync(join(folder, "images", "icon.png"));
  const refused = await run("templates import", [folder, ...own, "--draft", "--json"]);
  t.equal(refused.code, 2);
  t.strictSame(
    refused.json.details.map(({ path }: { path: string }) => path),
    [
      "template.json#/colour",
      "template.json#/header/images/1",
      "template.json#/barcode/format",
      "template.json#/barcode/message",
      "images/icon.png",
    ],
  );
  const forPeople = await run("templates import", [folder, ...own]);
  t.match(forPeople.stderr, /^ {2}template\.json#\/colour is not known here/m);
  t.match(forPeople.stderr, /^ {2}images\/icon\.png is missing/m);
  t.notMatch((await run("templates list", own)).stdout, /Faulty/);
});

t.test("several imports at the same moment are several versions of one template", async (t) => {
  const folder = card({ name: "Busy card" });
  const made = await Promise.all([1, 2, 3].map(() => run("templates import", [folder, ...own, "--json"])));
  t.strictSame(made.map(({ json }) => json.latest_version).sort(), [1, 2, 3]);
  t.equal(new Set(made.map(({ json }) => json.id)).size, 1);
});
