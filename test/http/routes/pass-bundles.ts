import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import t from "tap";
import { ask } from "../../e2e/support/requests.ts";
import { readJson, unpack, verifyWithOpenssl } from "../../providers/apple/fixtures/archive.ts";
import { openApi } from "../../support/api.ts";
import { applePages } from "../fixtures/apple-pages.ts";

const api = await openApi(t);
const { opened, rootFile } = applePages(t, api);
const bundleOf = (...tokens: string[]) => `${api.url}/p/bundle.pkpasses?tokens=${tokens.join(",")}`;

t.test("several passes come as one file, each as it comes alone, and whole", async (t) => {
  const passes = [await opened(), await opened(), await opened("ec")];
  const { status, headers, bytes } = await ask(bundleOf(...passes.map(({ token }) => token)));
  t.equal(status, 200);
  t.match(headers, {
    "content-type": "application/vnd.apple.pkpasses",
    "content-disposition": 'attachment; filename="passes.pkpasses"',
    "cache-control": "private, no-cache",
    "content-length": String(bytes.length),
  });
  const dir = t.testdir();
  const folder = unpack(dir, "bundle", bytes);
  t.strictSame(readdirSync(folder).sort(), passes.map(({ pass }) => `${pass.id}.pkpass`).sort());
  for (const { pass } of passes) {
    const contents = unpack(dir, pass.id, readFileSync(join(folder, `${pass.id}.pkpass`)));
    t.doesNotThrow(() => verifyWithOpenssl(contents, rootFile));
    t.equal(readJson(contents, "pass.json").serialNumber, pass.id);
  }
  const [{ file, pass }] = passes as [(typeof passes)[0]];
  t.ok(readFileSync(join(folder, `${pass.id}.pkpass`)).equals((await ask(file)).bytes));
  for (const { views } of passes) t.ok((await views()).length > 0, "each was looked at");
});

t.test("a pass that is named twice is in it once", async (t) => {
  const { token, pass } = await opened();
  const { bytes } = await ask(bundleOf(token, token));
  t.strictSame(readdirSync(unpack(t.testdir(), "out", bytes)), [`${pass.id}.pkpass`]);
});

t.test("the same passes are the same file, and who has it is told so", async (t) => {
  const [first, second] = [await opened(), await opened()];
  const url = bundleOf(first.token, second.token);
  const [one, other] = [await ask(url), await ask(url)];
  t.ok(other.bytes.equals(one.bytes));
  const etag = String(one.headers.etag);
  t.equal((await ask(url, { headers: { "if-none-match": etag } })).status, 304);
  const date = String(one.headers["last-modified"]);
  t.equal((await ask(url, { headers: { "if-modified-since": date } })).status, 304);
  t.not((await ask(bundleOf(first.token))).headers.etag, etag);
  await api.store.connection.hset(second.key, "change", 7, "modified", second.pass.modifiedAtMs / 1000 + 1);
  t.equal((await ask(url, { headers: { "if-none-match": etag } })).status, 200);
  t.equal((await ask(url, { headers: { "if-modified-since": date } })).status, 200);
  const [head, get] = [await ask(url, { method: "HEAD" }), await ask(url)];
  t.equal(head.headers["content-length"], String(get.bytes.length));
});

t.test(
  "what is not there, revoked or not made yet is named by its place, as secrets are not repeated",
  async (t) => {
    const [good, other] = [await opened(), await opened()];
    const unknown = "AAAAAAAAAAAAAAAAAAAAAA";
    const refused = async (tokens: string[], status: number, error: string, words: RegExp) => {
      const reply = await ask(bundleOf(...tokens));
      t.match(reply, { status, json: { error, error_description: words } });
      for (const token of tokens) t.notOk(reply.text.includes(token));
    };
    await refused([good.token, unknown], 404, "not_found", /^Token 2: There is no pass .* Leave it out\.$/);
    await api.store.connection.hdel(other.key, "apple:link");
    await refused([other.token, good.token], 404, "not_found", /^Token 1: .*not made for Apple Wallet/);
    await api.store.connection.hset(other.key, "status", "revoked");
    await refused([good.token, other.token], 410, "gone", /^Token 2: .*revoked.* Leave it out\.$/);
    t.strictSame(await good.views(), [], "and nothing was shown");
  },
);

t.test("one to ten tokens, each mistake with its remedy", async (t) => {
  const { token } = await opened();
  const eleven = Array.from({ length: 11 }, (_, i) => `${token.slice(0, -2)}${10 + i}`);
  const cases: [url: string, message: RegExp][] = [
    [`${api.url}/p/bundle.pkpasses`, /^is required$/],
    [bundleOf(), /last part of each page_url/],
    [bundleOf(token, ""), /last part of each page_url/],
    [bundleOf(`https://passes.example.com/p/${token}`), /last part of each page_url/],
    [bundleOf("a".repeat(65)), /last part of each page_url/],
    [bundleOf(...eleven), /^names 11 passes, and a bundle holds 10: ask for the others in another bundle$/],
    [`${bundleOf(token)}&tokens=${token}`, /only once/],
  ];
  for (const [url, message] of cases) {
    const { status, json } = await ask(url);
    t.match(
      { status, json },
      { status: 400, json: { error: "invalid_request", details: [{ path: "tokens", message }] } },
      url,
    );
  }
  const ten = [token, ...eleven.slice(0, 9)];
  t.equal((await ask(bundleOf(...ten))).status, 404, "ten are looked for");
});

t.test("passes that are too much together are refused before all are made", async (t) => {
  let made = 0;
  const passFile = {
    build: async () => {
      made += 1;
      return [Buffer.alloc(50_000_000), Buffer.alloc(10_000_000)];
    },
    bundle: async () => [Buffer.alloc(1)],
  };
  const heavy = await openApi(t, { passFile });
  const pages = applePages(t, heavy);
  const passes = [];
  for (let i = 0; i < 5; i += 1) passes.push(await pages.opened());
  const tokens = passes.map(({ token }) => token);
  const { status, json } = await ask(`${heavy.url}/p/bundle.pkpasses?tokens=${tokens.join(",")}`);
  t.match(
    { status, json },
    { status: 400, json: { details: [{ path: "tokens", message: /more than 150 MB.*ask for fewer/ }] } },
  );
  t.equal(made, 3);
  t.equal((await ask(`${heavy.url}/p/bundle.pkpasses?tokens=${tokens.slice(0, 2)}`)).status, 200);
});
