import t from "tap";
import { openCommands } from "../../support/command.ts";
import { couponDirectory } from "./fixtures/coupon.ts";

const run = openCommands(t);
const root = t.testdir();
const { id: tenant } = (await run("tenants create", ["--name", "Acme", "--json"])).json;
const own = ["--tenant", tenant];
const card = (changes: object = {}) => couponDirectory(root, changes);

t.test("a draft waits until it is published, and only then", async (t) => {
  const named = (description: string) => card({ name: "Slow card", description });
  const drafted = await run("templates import", [named("One"), ...own, "--draft", "--json"]);
  t.match([drafted.code, drafted.json], [0, { status: "draft", latest_version: 0, draft: { version: 1 } }]);
  const { id } = drafted.json;
  const at = [id, ...own];
  const again = await run("templates import", [named("Two"), ...own, "--draft"]);
  t.match(again.stdout, `«Slow card», version 1, waits to be published: ${id}`);

  const waiting = (await run("templates show", [...at, "--json"])).json;
  t.match(waiting, { id, status: "draft", version: null, draft: { version: 1, description: "Two" } });
  t.match(waiting.draft.fields, [{ key: String }]);

  const published = await run("templates publish", [...at, "--json"]);
  t.match(
    [published.code, published.json],
    [0, { id, status: "active", latest_version: 1, description: "Two", draft: null, change: "published" }],
  );
  const nothing = await run("templates publish", at);
  t.match([nothing.code, nothing.stderr], [1, /«Slow card» has no draft to publish/]);

  await run("templates import", [named("Three"), ...own, "--draft"]);
  const shown = await run("templates show", at);
  t.match(shown.stdout, /^status +active$/m);
  t.match(shown.stdout, /^draft +version 2 waits, of /m);
  t.match(shown.stdout, /^version 1, [\s\S]+^draft of version 2, /m);
  const past = await run("templates import", [named("Four"), ...own]);
  t.match(past.stdout, /version 2: [\s\S]+It has taken the place of the draft that waited\./);
});

t.test("an archived template comes back by publish", async (t) => {
  const { id } = (await run("templates import", [card({ name: "Old card" }), ...own, "--json"])).json;
  const archived = await run("templates archive", [id, ...own, "--json"]);
  t.match(archived, { code: 0, json: { id, status: "archived", changed: true } });
  t.match((await run("templates archive", [id, ...own])).stdout, `Archived already: «Old card»: ${id}`);
  const back = await run("templates publish", [id, ...own, "--json"]);
  t.match(back, { code: 0, json: { status: "active", latest_version: 1, change: "activated" } });
});
