import { rmSync } from "node:fs";
import { join } from "node:path";
import t, { type Test } from "tap";
import { checkedPassFile } from "./support/apple-file.ts";
import { type Client, signIn } from "./support/client.ts";
import { eventually } from "./support/eventually.ts";
import { createTenant } from "./support/operator.ts";
import { finished, issuePass, sampleRequest } from "./support/passes.ts";
import { metricsAnywhere, newMasterKey, startPasswright } from "./support/passwright.ts";
import type { Reply } from "./support/requests.ts";
import { googleState, rootCertificate } from "./support/sandbox.ts";
import { startServe } from "./support/serve.ts";
import { templateDirectory } from "./support/template-directory.ts";

const settings = {
  ...metricsAnywhere,
  PASSWRIGHT_MASTER_KEY: newMasterKey(),
  PASSWRIGHT_TOKEN_RATE_LIMIT: "1000/1m",
};
const service = await startPasswright(t, { settings });
const { cli, announced } = service;
const [client, stranger, secondServer] = await Promise.all([
  signIn(announced.base_url, announced),
  createTenant(service, { name: "Another", wallets: [] }).then((theirs) =>
    signIn(announced.base_url, theirs),
  ),
  startServe(t, service, settings),
]);
const elsewhere = await signIn(secondServer, announced);
const own = ["--tenant", announced.tenant_id];

/** What a change may take to reach every process. */
const within = 5000;

/** A directory whose primary field has this label. */
function labelled(label: string): string {
  return templateDirectory(service, {
    name: "House card",
    description: label,
    fields: [
      { key: "points", label, kind: "Placeholder", change_message: "%@" },
      { key: "member", label: "Member", kind: "Static", default: "Anybody" },
      { key: "number", label: "Number", kind: "Computed", source: "external_ref" },
    ],
    body: { primary: ["points"], secondary: ["member"] },
    barcode: { format: "qr", message: "{{number}}" },
    apple: {},
    google: { class: { programName: label } },
  });
}

/** The answer with this status, and what else it must be, from both servers and in time. */
async function bothAnswer(path: string, status: number, fits: (reply: Reply) => boolean = () => true) {
  const asked = ({ get }: Client): Promise<Reply> =>
    eventually(async () => {
      const reply = await get(path);
      return reply.status === status && fits(reply) ? reply : undefined;
    }, within);
  const [reply] = await Promise.all([asked(client), asked(elsewhere)]);
  return reply;
}

t.test("a template's life: draft, publication, new version, archive, return", async (t) => {
  const drafted = (await cli("templates", "import", labelled("First"), ...own, "--draft", "--json")).json();
  const { id } = drafted;
  const at = `/api/v1/templates/${id}`;
  const list = async (query = ""): Promise<string[]> =>
    (await client.get(`/api/v1/templates?page_size=100${query}`)).json.data.map(
      (item: { id: string }) => item.id,
    );
  const body = (data: object) => ({
    template_id: id,
    intent: "loyalty_card",
    external_ref: `ref-${crypto.randomUUID()}`,
    data,
  });

  await t.test("what is only a draft is not there: not read, not listed, not usable", async (t) => {
    for (const path of [at, `${at}/versions/latest`, `${at}/sample`]) {
      t.equal((await client.get(path)).status, 404, path);
    }
    t.notOk((await list()).includes(id));
    const refused = await client.post("/api/v1/passes", body({ points: "1" }));
    t.match([refused.status, refused.json.error], [400, "invalid_template"]);
    t.match((await cli("templates", "show", id, ...own, "--json")).json(), { draft: { version: 1 } });
  });

  const published = await cli("templates", "publish", id, ...own, "--json");
  t.match(published.json(), { id, latest_version: 1, status: "active", draft: null });
  t.match((await bothAnswer(at, 200)).json, { description: "First", latest_version: 1 });
  t.equal((await list())[0], id, "newest first");

  await t.test("another tenant sees nothing of it", async (t) => {
    for (const path of [at, `${at}/versions/latest`, `${at}/sample`]) {
      t.equal((await stranger.get(path)).status, 404, path);
    }
    const { json } = await stranger.get("/api/v1/templates?page_size=100");
    t.equal(json.total, 7, "the system's, no more");
    t.equal((await cli("templates", "archive", id, "--tenant", stranger.tenantId)).code, 4);
  });

  /** Google's class of the template, as soon as it bears this name. */
  const classNamed = (programName: string) =>
    eventually(async () => {
      const { classes } = await googleState(service);
      return classes.find(
        ({ id: of, resource }) => of.endsWith(`.${id}`) && resource.programName === programName,
      );
    }, within);
  await t.test("Google has its class before there is a pass", async (t) => {
    t.ok(await classNamed("First"));
  });

  const pass = await issuePass(client, await sampleRequest(client, id));
  t.equal(pass.json.status, "active");
  t.strictSame(pass.json.data, { points: "my points", member: "Anybody" });
  const points = async (t: Test) => {
    const file = await checkedPassFile(t, pass.json.providers.apple.save_link, rootCertificate(service));
    return file.passJson.storeCard.primaryFields[0];
  };
  t.match(await points(t), { label: "First", value: "my points" });

  await t.test("a draft beside it changes nothing, for readers, new passes and old ones", async (t) => {
    const looks = async (): Promise<string[]> => {
      const paths = [at, `${at}/versions/latest`, `${at}/sample`, "/api/v1/templates?page_size=100"];
      return (await Promise.all(paths.map((path) => client.get(path)))).map(({ text }) => text);
    };
    const before = await looks();
    const waiting = await cli("templates", "import", labelled("Second"), ...own, "--draft", "--json");
    t.match(waiting.json(), { id, latest_version: 1, draft: { version: 2 } });
    // The list is read from the store itself, not from memory.
    t.strictSame(await looks(), before);
    t.match(await points(t), { label: "First" });
  });

  await cli("templates", "publish", id, ...own).then(({ code }) => t.equal(code, 0));
  const snapshot = await bothAnswer(`${at}/versions/latest`, 200, ({ json }) => json.version === 2);
  t.match(snapshot.json, { template_id: id, fields: [{ key: "points", label: "Second" }] });
  t.match((await bothAnswer(at, 200)).json, { description: "Second", latest_version: 2 });

  await t.test("Google's class follows the new version, without a new pass or an update", async (t) => {
    t.ok(await classNamed("Second"));
  });

  await t.test("a pass keeps its version until its next update, which takes the latest", async (t) => {
    t.match(await points(t), { label: "First" });
    const update = await client.ask(`/api/v1/passes/${pass.json.id}`, {
      method: "PATCH",
      body: { data: { points: "7" } },
    });
    t.equal(update.status, 202, update.text);
    await finished(client, update);
    t.match(await points(t), { label: "Second", value: "7" });
    const { classes } = await googleState(service);
    t.ok(
      classes.some(({ id: name, resource }) => name.endsWith(id) && resource.programName === "Second"),
      "and so it is at Google",
    );
  });

  t.match((await cli("templates", "archive", id, ...own, "--json")).json(), { id, status: "archived" });
  await bothAnswer(at, 200, ({ json }) => json.status === "archived");

  await t.test(
    "of an archived template no more passes are made, and those that there are go on",
    async (t) => {
      for (const server of [client, elsewhere]) {
        const refused = await server.post("/api/v1/passes", body({ points: "1" }));
        t.match([refused.status, refused.json.error], [400, "invalid_template"]);
        const sample = await server.get(`${at}/sample`);
        t.match([sample.status, sample.json.error], [400, "invalid_template"]);
      }
      t.ok((await list("&status=archived")).includes(id));
      t.notOk((await list("&status=active")).includes(id));
      t.equal((await client.get(`${at}/versions/latest`)).status, 200, "it can still be read");
      const update = await client.ask(`/api/v1/passes/${pass.json.id}`, {
        method: "PATCH",
        body: { data: { points: "8" } },
      });
      await finished(client, update);
      t.match(await points(t), { value: "8" });
    },
  );

  t.match((await cli("templates", "publish", id, ...own, "--json")).json(), {
    status: "active",
    latest_version: 2,
  });
  await bothAnswer(`${at}/sample`, 200);
  t.equal((await issuePass(client, await sampleRequest(client, id))).json.status, "active");
});

t.test("filters take what they know, and nothing else", async (t) => {
  for (const [query, path] of [
    ["template_type=loyalty_card", "template_type"],
    ["status=draft", "status"],
    ["status=", "status"],
    ["page=0", "page"],
    ["page_size=101", "page_size"],
  ]) {
    const { status, json } = await client.get(`/api/v1/templates?${query}`);
    t.match([status, json.error, json.details], [400, "invalid_request", [{ path }]], `${query}`);
  }
  t.equal((await client.get("/api/v1/templates?colour=red")).status, 200, "what it does not know is ignored");
});

t.test("a system template can be archived and comes back for every tenant", async (t) => {
  const { json } = await stranger.get("/api/v1/templates?template_type=GiftCard");
  const [{ id }] = json.data;
  t.match((await cli("templates", "archive", id, ...own)).code, 4, "no tenant's to archive");
  t.equal((await cli("templates", "archive", id, "--system")).code, 0);
  await bothAnswer(`/api/v1/templates/${id}/sample`, 400);
  t.equal((await cli("templates", "publish", id, "--system")).code, 0);
  await bothAnswer(`/api/v1/templates/${id}/sample`, 200);
});

t.test("what is wrong with a directory is all told, and nothing of it arrives", async (t) => {
  const directory = templateDirectory(service, { name: "Faulty", tempalte: 1, template_type: "Coupn" });
  rmSync(join(directory, "images", "icon.png"));
  const refused = await cli("templates", "import", directory, ...own);
  t.equal(refused.code, 2);
  t.match(refused.stderr, /^ {2}template\.json#\/tempalte is not known here/m);
  t.match(refused.stderr, /^ {2}template\.json#\/template_type must be one of .* did you mean Coupon\?$/m);
  t.match(
    refused.stderr,
    /^ {2}template\.json#\/header\/images\/1 names images\/icon\.png, which is not there/m,
  );
  t.match(refused.stderr, /^ {2}images\/icon\.png is missing/m);
  t.notMatch((await cli("templates", "list", ...own)).stdout, /Faulty/);
});

t.test("help explains every verb, with examples", async (t) => {
  for (const verb of ["import", "publish", "archive", "list", "show"]) {
    const { code, stdout } = await cli("templates", verb, "--help");
    t.equal(code, 0);
    t.match(stdout, new RegExp(`EXAMPLES\\n[\\s\\S]+passwright templates ${verb}`));
  }
});
