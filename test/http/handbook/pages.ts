import t from "tap";
import { errorKinds } from "../../../src/domain/errors.ts";
import { handbookPages } from "../../../src/http/handbook/addresses.ts";
import { textOf } from "../../docs/markdown.ts";
import { ask } from "../../e2e/support/requests.ts";
import { openApi } from "../../support/api.ts";

const api = await openApi(t);
const paths = [
  "/docs/guides",
  "/docs/problems",
  ...handbookPages.map(({ name }) => `/docs/guides/${name}`),
  ...Object.keys(errorKinds).map((code) => `/docs/problems/${code}`),
];
const pages = new Map(
  await Promise.all(paths.map(async (path) => [path, await ask(`${api.url}${path}`)] as const)),
);

t.test("there is a page for each document and for each error code", async (t) => {
  for (const [path, page] of pages) {
    t.equal(page.status, 200, path);
    t.equal(page.headers["content-type"], "text/html; charset=utf-8", path);
    t.equal([...page.text.matchAll(/<h1/g)].length, 1, `${path} has one title`);
    t.match(page.text, /<html lang="en">/, path);
  }
  for (const path of [
    "/docs/guides/none-such",
    "/docs/problems/none_such",
    "/docs/problems/toString",
    "/docs/guides/..",
  ]) {
    t.equal((await ask(`${api.url}${path}`)).status, 404, path);
  }
});

t.test("a page runs nothing, loads nothing and sends nothing", async (t) => {
  for (const [path, { headers, text }] of pages) {
    t.match(
      headers["content-security-policy"],
      /^default-src 'none'; img-src data:; style-src 'sha256-[^']+'; form-action 'none'; base-uri 'none'; frame-ancestors 'none'$/,
      path,
    );
    t.notMatch(text, /<script|<img|<iframe|<form|\son[a-z]+=|\sstyle=|@import|url\(/, path);
    t.equal(headers["x-content-type-options"], "nosniff", path);
  }
});

t.test("who has a page already is not sent it again", async (t) => {
  for (const [path, { headers }] of pages) {
    const kept = await ask(`${api.url}${path}`, { headers: { "if-none-match": String(headers.etag) } });
    t.match(kept, { status: 304, text: "", headers: { etag: headers.etag } }, path);
  }
  t.equal(new Set([...pages.values()].map(({ headers }) => headers.etag)).size, pages.size);
});

t.test("every link of a page leads somewhere, its fragment included", async (t) => {
  const known = new Set(["/docs", "/openapi.json"]);
  const anchors = (text: string) => new Set([...text.matchAll(/ id="([^"]+)"/g)].map(([, id]) => id));
  for (const [path, { text }] of pages) {
    const ids = [...text.matchAll(/ id="([^"]+)"/g)].map(([, id]) => id);
    t.equal(new Set(ids).size, ids.length, `${path} has no anchor twice`);
    for (const [, written = ""] of text.matchAll(/<a [^>]*?href="([^"]*)"/g)) {
      if (/^(?:https:|mailto:)/.test(written)) continue;
      const [to = "", fragment] = written.split("#");
      const target = to === "" ? path : to;
      const page = pages.get(target);
      if (page === undefined && !known.has(target)) t.fail(`${path} leads to ${written}`);
      if (fragment !== undefined && page !== undefined && !anchors(page.text).has(fragment)) {
        t.fail(`${path}: ${written} names no heading`);
      }
    }
  }
});

t.test("a page is what its document says", async (t) => {
  const words = (html: string) =>
    html
      .replace(/<[^>]+>/g, " ")
      .replace(/&#39;/g, "'")
      .replace(/&quot;/g, '"')
      .replace(/&lt;/g, "<")
      .replace(/&gt;/g, ">")
      .replace(/&amp;/g, "&");
  for (const { name, file } of handbookPages) {
    const shown = words(pages.get(`/docs/guides/${name}`)?.text ?? "").replace(/\s+/g, "");
    const missing = (textOf(file) ?? "")
      .replace(/<!--[\s\S]*?-->|<p>[\s\S]*?<\/p>|^ *```.*$/gm, "")
      .replace(/\]\([^)]*\)/g, " ")
      .split(/[\s`*|\\[\]<>#]+/)
      .filter((word) => /^[\p{L}\p{N}]{3,}$/u.test(word) && !shown.includes(word));
    t.strictSame(missing, [], file);
  }
});

t.test("the navigation leads to every page, and marks the one that is read", async (t) => {
  for (const { name, title } of handbookPages) {
    const { text = "" } = pages.get(`/docs/guides/${name}`) ?? {};
    t.ok(text.includes(`<a href="/docs/guides/${name}" aria-current="page">${title}</a>`), name);
    t.equal([...text.matchAll(/aria-current="page"/g)].length, 1, name);
    for (const other of handbookPages) t.ok(text.includes(`href="/docs/guides/${other.name}"`), other.name);
  }
});

t.test("the type of every problem that is answered leads to the page of its code", async (t) => {
  const { json: document } = await ask(`${api.url}/openapi.json`);
  const text = JSON.stringify(document);
  const types = [...text.matchAll(/"type":"(https:[^"]*\/docs\/[^"]*)"/g)].map(([, type = ""]) => type);
  t.ok(types.length > 5, `${types.length} examples of problems`);
  const caller = await api.caller();
  const answered = await Promise.all([
    caller.post("/api/v1/billing/topup", {}),
    caller.post("/api/v1/billing/topup", { package_id: "none-such" }),
    caller.post("/api/v1/billing/subscribe", { plan_id: 1 }),
    caller.get("/api/v1/billing/packages?page=0"),
  ]);
  for (const { status, json } of answered) {
    t.equal(status, 400);
    types.push(json.type);
  }
  for (const type of new Set(types)) {
    const { pathname } = new URL(type);
    const page = await ask(`${api.url}${pathname}`);
    t.equal(page.status, 200, type);
    t.match(page.text, `<h1><code>${pathname.split("/").at(-1)}</code></h1>`, type);
  }
});
