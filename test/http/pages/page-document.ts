import { createHash } from "node:crypto";
import t from "tap";
import { html } from "../../../src/http/pages/markup.ts";
import { pageDocument } from "../../../src/http/pages/page-document.ts";
import { neutralColours, paletteOf } from "../../../src/http/pages/palette.ts";
import { languages } from "../../../src/http/pages/words/choose.ts";

const parts = {
  status: 200,
  words: languages.en,
  title: "A </title><script>\u202e page",
  palette: paletteOf(neutralColours),
  body: html`<main></main>`,
  share: null,
  iconUrl: null,
  refreshSeconds: null,
};

t.test(
  "the policy allows the one inline style by its hash, images of this origin, and nothing else",
  async (t) => {
    const page = pageDocument(parts);
    const styles = [...page.html.matchAll(/<style>([\s\S]*?)<\/style>/g)];
    t.equal(styles.length, 1);
    const hash = createHash("sha256")
      .update(styles[0]?.[1] ?? "", "utf8")
      .digest("base64");
    t.same(page.headers["Content-Security-Policy"]?.split("; "), [
      "default-src 'none'",
      "img-src 'self'",
      `style-src 'sha256-${hash}'`,
      "form-action 'none'",
      "base-uri 'none'",
      "frame-ancestors 'none'",
    ]);
  },
);

t.test("another palette has another hash", async (t) => {
  const palette = paletteOf({ ...neutralColours, background_color: "#123456" });
  const policy = "Content-Security-Policy";
  t.not(pageDocument({ ...parts, palette }).headers[policy], pageDocument(parts).headers[policy]);
});

t.test("the headers keep the address to itself and the content what it is", async (t) => {
  t.match(pageDocument(parts).headers, {
    "Content-Type": "text/html; charset=utf-8",
    "Referrer-Policy": "no-referrer",
    "X-Content-Type-Options": "nosniff",
    "X-Robots-Tag": "noindex, nofollow",
    "Cache-Control": "private, max-age=30",
    Vary: "User-Agent, Accept-Language",
  });
});

t.test("no header value could break a line", async (t) => {
  for (const value of Object.values(pageDocument(parts).headers)) t.match(value, /^[\x20-\x7e]+$/);
});

t.test("the title is one escaped line without direction controls", async (t) => {
  t.match(pageDocument(parts).html, "<title>A &lt;/title&gt;&lt;script&gt; page</title>");
});

t.test("a page that refreshes itself is not cached", async (t) => {
  const page = pageDocument({ ...parts, refreshSeconds: 5 });
  t.match(page.html, '<meta http-equiv="refresh" content="5">');
  t.equal(page.headers["Cache-Control"], "private, no-cache");
});

t.test("the style asks for nothing from outside and covers dark, print and reduced motion", async (t) => {
  const style = /<style>([\s\S]*?)<\/style>/.exec(pageDocument(parts).html)?.[1] ?? "";
  t.notMatch(style, /url\(|@import|https?:|\n|</);
  t.match(style, "@media screen and (prefers-color-scheme:dark)");
  t.match(style, "@media (prefers-reduced-motion:reduce)");
  t.match(style, "@media print");
  t.match(style, ":focus-visible");
  t.equal(style.split("{").length, style.split("}").length);
});
