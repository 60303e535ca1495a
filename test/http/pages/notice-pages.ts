import t from "tap";
import { renderGonePage, renderNotFoundPage } from "../../../src/http/pages/notice-pages.ts";
import { languages } from "../../../src/http/pages/words/choose.ts";

const { en } = languages;

t.test("the page of a revoked pass is a 410, that of an unknown one a 404", async (t) => {
  t.equal(renderGonePage(en).status, 410);
  t.match(renderGonePage(en).html, "<h1>This pass is no longer valid</h1>");
  t.equal(renderNotFoundPage(en).status, 404);
  t.match(renderNotFoundPage(en).html, "<h1>There is no pass here</h1>");
});

t.test("neither page links anywhere, refreshes itself or may be indexed", async (t) => {
  for (const page of [renderGonePage(en), renderNotFoundPage(en)]) {
    t.notMatch(page.html, /<a |http-equiv|<script|https?:/);
    t.match(page.html, '<meta name="robots" content="noindex, nofollow">');
    t.match(page.headers, { "X-Robots-Tag": "noindex, nofollow", "Referrer-Policy": "no-referrer" });
  }
});
