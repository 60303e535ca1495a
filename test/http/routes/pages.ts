import t from "tap";
import { ask } from "../../e2e/support/requests.ts";
import { openApi } from "../../support/api.ts";
import { credentials } from "../../support/issuer.ts";
import { applePages } from "../fixtures/apple-pages.ts";

const api = await openApi(t);
const { keys, connection } = api.store;
const { opened } = applePages(t, api);

t.test("who gets the page or the file of a pass has viewed it", async (t) => {
  const { page, file, pass, views } = await opened();
  t.equal((await ask(page)).status, 200);
  t.equal((await views()).length, 1);
  const { status, bytes } = await ask(file);
  t.strictSame([status, bytes.subarray(0, 2).toString()], [200, "PK"]);
  t.match(await views(), [
    { type: "pass.viewed", passId: pass.id, templateId: pass.templateId, occurredAtMs: api.clock.nowMs() },
    { type: "pass.viewed", passId: pass.id },
  ]);
});

t.test("who has the page already is told so, in each language and on each device", async (t) => {
  const { page, key, views } = await opened();
  const italian = { "accept-language": "it-IT,it;q=0.9" };
  const first = await ask(page, { headers: italian });
  t.match(first.text, '<html lang="it" dir="ltr">');
  t.match(first.headers, { "cache-control": /^private, /, vary: /\bUser-Agent, Accept-Language\b/ });
  const tag = { "if-none-match": String(first.headers.etag) };
  const known = await ask(page, { headers: { ...italian, ...tag } });
  t.strictSame([known.status, known.bytes.length], [304, 0]);
  for (const name of ["etag", "cache-control", "vary", "content-security-policy"]) {
    t.equal(known.headers[name], first.headers[name], name);
  }
  t.equal((await ask(page, { headers: { ...tag, "accept-language": "de" } })).status, 200);
  t.equal((await ask(page, { headers: { ...italian, ...tag, "user-agent": "Android" } })).status, 200);
  t.equal((await views()).length, 4, "and each of them has been looked at");
  await connection.hset(key, "status", "failed");
  t.equal((await ask(page, { headers: { ...italian, ...tag } })).status, 200);
  await connection.hset(key, "status", "revoked");
  t.equal((await ask(page, { headers: { ...italian, ...tag } })).status, 410);
});

t.test("the picture beside a link is a PNG, and looking at it is no view", async (t) => {
  const { page, views } = await opened();
  const { status, bytes, headers } = await ask(`${page}/preview.png`);
  t.strictSame([status, bytes.subarray(1, 4).toString()], [200, "PNG"]);
  t.match(headers, { "content-type": "image/png", "x-robots-tag": /noindex/, "cache-control": /^private, / });
  const tag = { "if-none-match": String(headers.etag) };
  t.equal((await ask(`${page}/preview.png`, { headers: tag })).status, 304);
  t.strictSame(await views(), []);
});

t.test("there is no picture of a revoked pass, nor of one that there is not", async (t) => {
  const { page, key } = await opened();
  const { headers } = await ask(`${page}/preview.png`);
  for (const status of ["revoking", "revoked"]) {
    await connection.hset(key, "status", status);
    const known = { "if-none-match": String(headers.etag) };
    t.equal((await ask(`${page}/preview.png`, { headers: known })).status, 410, status);
    t.notMatch((await ask(page)).text, "og:");
  }
  t.equal((await ask(`${api.url}/p/nothing/preview.png`)).status, 404);
});

t.test("pages without a pass speak the visitor's language, too", async (t) => {
  const { text, status } = await ask(`${api.url}/p/nothing`, { headers: { "accept-language": "ar" } });
  t.equal(status, 404);
  t.match(text, '<html lang="ar" dir="rtl">');
});

t.test("a HEAD shows nothing, so it is no view", async (t) => {
  const { page, file, views } = await opened();
  t.equal((await ask(page, { method: "HEAD" })).status, 200);
  t.equal((await ask(file, { method: "HEAD" })).status, 200);
  t.strictSame(await views(), []);
});

t.test("what is not shown is not viewed", async (t) => {
  const { page, file, key, views } = await opened();
  await connection.hset(key, "status", "revoked");
  t.equal((await ask(page)).status, 410);
  t.equal((await ask(file)).status, 410);
  await connection.hset(key, "status", "pending");
  await connection.hdel(key, "apple:link");
  t.equal((await ask(file)).status, 404);
  t.strictSame(await views(), []);
});

t.test("a page is shown although its view cannot be written", async (t) => {
  const { page, pass, views } = await opened();
  const events = keys.events(pass.tenantId);
  await connection.rename(events, `${events}:aside`);
  await connection.set(events, "not a hash");
  t.equal((await ask(page)).status, 200);
  await api.views.settled();
  await connection.rename(`${events}:aside`, events);
  t.strictSame(await views(), []);
});

t.test("the file of a pass is the same bytes until the pass changes", async (t) => {
  const { file } = await opened();
  const [first, second] = [await ask(file), await ask(file)];
  t.ok(second.bytes.equals(first.bytes));
  for (const name of ["etag", "last-modified", "cache-control"]) {
    t.equal(second.headers[name], first.headers[name]);
  }
  t.match(first.headers, {
    etag: /^W\/"[\w-]{43}"$/,
    "last-modified": / GMT$/,
    // Whoever keeps it asks again each time; a cache that others share keeps nothing that could be revoked.
    "cache-control": "private, no-cache",
  });
});

t.test("who has the file already is told so, by its ETag or by its date", async (t) => {
  const { file, pass, key, views } = await opened();
  const { headers } = await ask(file);
  const [etag = "", modified = ""] = [headers.etag, headers["last-modified"]];
  t.equal(modified, new Date(pass.modifiedAtMs).toUTCString());
  const earlier = new Date(pass.modifiedAtMs - 1000).toUTCString();
  const known: [name: string, headers: Record<string, string>, status: number][] = [
    ["its ETag", { "if-none-match": etag }, 304],
    ["its ETag among others", { "if-none-match": `"x", ${etag}` }, 304],
    ["its ETag as a strong one", { "if-none-match": etag.slice(2) }, 304],
    ["any", { "if-none-match": "*" }, 304],
    ["its date", { "if-modified-since": modified }, 304],
    ["an earlier date", { "if-modified-since": earlier }, 200],
    ["no date at all", { "if-modified-since": "yesterday" }, 200],
    ["another ETag", { "if-none-match": 'W/"x"' }, 200],
    [
      "another ETag, which counts more than its date",
      { "if-none-match": '"x"', "if-modified-since": modified },
      200,
    ],
    [
      "its ETag, which counts more than an earlier date",
      { "if-none-match": etag, "if-modified-since": earlier },
      304,
    ],
  ];
  for (const [name, given, status] of known) {
    const reply = await ask(file, { headers: given });
    t.equal(reply.status, status, name);
    t.equal(reply.bytes.length > 0, status === 200, name);
    t.match(reply.headers, { etag, "last-modified": modified, "cache-control": "private, no-cache" }, name);
  }
  t.equal((await views()).length, known.length + 1, "and each of them has been looked at");
  await connection.hset(key, "change", 7, "modified", pass.modifiedAtMs / 1000 + 1);
  const changed = await ask(file, { headers: { "if-none-match": etag } });
  t.equal(changed.status, 200);
  t.not(changed.headers.etag, etag);
  await connection.hset(key, "status", "revoking");
  const { status } = await ask(file, { headers: { "if-none-match": String(changed.headers.etag) } });
  t.equal(status, 410, "a revoked one is never «unchanged»");
});

t.test("HEAD says what GET would, its length included, and gives nothing", async (t) => {
  const { file } = await opened();
  const [get, head] = [await ask(file), await ask(file, { method: "HEAD" })];
  t.equal(head.status, 200);
  t.equal(head.bytes.length, 0);
  for (const name of ["etag", "last-modified", "cache-control", "content-type", "content-disposition"]) {
    t.equal(head.headers[name], get.headers[name], name);
  }
  t.equal(head.headers["content-length"], String(get.bytes.length));
  const known = await ask(file, { method: "HEAD", headers: { "if-none-match": String(get.headers.etag) } });
  t.equal(known.status, 304);
});

t.test("a renewed certificate makes another file, which is not taken for the old one", async (t) => {
  const { file, signWith } = await opened();
  const before = await ask(file);
  await signWith("renewed");
  const after = await ask(file, { headers: { "if-none-match": String(before.headers.etag) } });
  t.equal(after.status, 200);
  t.notOk(after.bytes.equals(before.bytes));
});

t.test("an EC key signs anew each time, and the file is still the same one", async (t) => {
  const { file } = await opened("ec");
  const [first, second] = [await ask(file), await ask(file)];
  t.notOk(second.bytes.equals(first.bytes));
  t.equal(second.headers.etag, first.headers.etag);
});

t.test(
  "the Google button leads to Google, and with the sandbox's credentials to the sandbox's page",
  async (t) => {
    const { page, pass, key } = await opened();
    const { tenantId } = pass;
    const link = "https://pay.google.com/gp/v/save/eyJ.eyJ.abc";
    const buttons = async () => {
      const { bytes } = await ask(page);
      return [...bytes.toString("utf8").matchAll(/href="(http[^"]*\/gp\/v\/save\/[^"]*)"/g)].map(
        ([, to]) => to,
      );
    };
    const configure = (sandbox: boolean) =>
      api.providerConfigurations.save(
        { tenantId, wallet: "google", enabled: true, sandbox, summary: {}, updatedAtMs: 0 },
        credentials.google,
      );
    await configure(false);
    t.strictSame(await buttons(), []);
    await connection.hset(key, "google", "completed", "google:link", link);
    t.strictSame(await buttons(), [link]);
    await configure(true);
    t.strictSame(await buttons(), ["http://127.0.0.1:8090/gp/v/save/eyJ.eyJ.abc"]);
    await api.providerConfigurations.remove(tenantId, "google");
    t.strictSame(await buttons(), [link], "a tenant without credentials has links of before");
  },
);
