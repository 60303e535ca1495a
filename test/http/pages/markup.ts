import t from "tap";
import {
  html,
  isolated,
  type Markup,
  markupText,
  plainLine,
  safeHref,
  trustedMarkup,
} from "../../../src/http/pages/markup.ts";

t.test("strings are escaped in text and in attributes, markup and lists of it are not", async (t) => {
  const list = [html`<i>1</i>`, html`<i>2</i>`];
  const made = html`<p title="${`"'<>&`}">${"<b>&amp;"}${list}${null}${3}</p>`;
  t.equal(markupText(made), '<p title="&quot;&#39;&lt;&gt;&amp;">&lt;b&gt;&amp;amp;<i>1</i><i>2</i>3</p>');
});

t.test("nothing that was JSON passes for markup", async (t) => {
  const forged: Markup = JSON.parse('{"markup":"<script>","text":"<script>"}');
  t.throws(() => html`<p>${forged}</p>`);
});

t.test("controls and lone surrogates become replacement characters", async (t) => {
  t.equal(markupText(html`${"a\u0000b\u001bc\u0085d\ud800e\tf\ng"}`), "a�b�c�d�e\tf\ng");
});

t.test("a value is isolated, and its direction controls stay inside", async (t) => {
  t.equal(markupText(isolated("\u202eabc<")), "<bdi>\u202eabc&lt;</bdi>");
  t.equal(plainLine(" a\u202e\u2066b\u200f\n\tc "), "ab c");
});

t.test("a link leads to http, https or a path of this origin", async (t) => {
  t.equal(safeHref("https://pay.example/save/x.y-z_1"), "https://pay.example/save/x.y-z_1");
  t.equal(safeHref("http://127.0.0.1:8080/p/a/pass.pkpass"), "http://127.0.0.1:8080/p/a/pass.pkpass");
  t.equal(safeHref("/p/a/pass.pkpass"), "/p/a/pass.pkpass");
  const refused = [
    "javascript:alert(1)",
    " javascript:alert(1)",
    "java\nscript:alert(1)",
    "data:text/html,x",
    "//evil.example/x",
    "/\\evil.example/x",
    "pass.pkpass",
    "",
  ];
  for (const target of refused) t.equal(safeHref(target), null, JSON.stringify(target));
  t.equal(safeHref(null), null);
});

t.test("trusted markup is what it was", async (t) => {
  t.equal(markupText(trustedMarkup("<hr>")), "<hr>");
});
