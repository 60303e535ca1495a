import t from "tap";
import { anchorOf, markdownMarkup } from "../../../src/http/handbook/markdown.ts";
import { markupText } from "../../../src/http/pages/markup.ts";
import { anchorOf as anchorOfGitHub, headingsOf } from "../../docs/markdown.ts";

function rendered(...lines: string[]): string {
  const target = (written: string) => (written.startsWith("../") ? null : written);
  return markupText(markdownMarkup(lines.join("\n"), target))
    .replace(/>\n+/g, ">")
    .trim();
}

t.test("headings have the anchors by which they are linked to, each its own", async (t) => {
  t.equal(rendered("## A `gone` pass"), '<h2 id="a-gone-pass">A <code>gone</code> pass</h2>');
  t.equal(rendered("# Same", "# Same"), '<h1 id="same">Same</h1><h1 id="same-1">Same</h1>');
  for (const heading of headingsOf("# Google's call-backs\n## At a glance: «now», 10 %\n### Zoë & Co.\n")) {
    t.equal(anchorOf(heading), anchorOfGitHub(heading));
  }
});

t.test("paragraphs, emphasis, code and links", async (t) => {
  t.equal(
    rendered("One", "two **three** *four*.", "", "Five"),
    "<p>One\ntwo <strong>three</strong> <em>four</em>.</p><p>Five</p>",
  );
  t.equal(rendered("`a * b` and ``c ` d``"), "<p><code>a * b</code> and <code>c ` d</code></p>");
  t.equal(
    rendered("[`x`](/y#z) <https://example.com/?a=1&b=2>"),
    '<p><a href="/y#z"><code>x</code></a> <a href="https://example.com/?a=1&amp;b=2">https://example.com/?a=1&amp;b=2</a></p>',
  );
  t.equal(rendered("[a](/docs) [b](../src)"), '<p><a href="/docs">a</a> b</p>');
  t.equal(rendered("2 * 3 * 4, a\\*b\\*, a ` b"), "<p>2 * 3 * 4, a*b*, a ` b</p>");
  t.equal(rendered("![A picture](images/a.png)"), "<p>A picture</p>");
});

t.test("code is shown as it is written, with the name of its language", async (t) => {
  t.equal(
    rendered("```js verify", "if (a < b) {", "", "  # no heading", "}", "```", "after"),
    '<pre tabindex="0"><code class="language-js">if (a &lt; b) {\n\n  # no heading\n}\n</code></pre><p>after</p>',
  );
  t.match(rendered("```", "never closed"), /never closed/);
});

t.test("tables, with bars that are text", async (t) => {
  t.equal(
    rendered("| a | |", "|---|:-:|", "| `x\\|y` | **z** |", "| only one |", "", "after"),
    '<div class="wide" role="group" aria-label="Table" tabindex="0"><table><thead><tr><th scope="col">a</th><td></td></tr></thead><tbody><tr><td><code>x|y</code></td><td><strong>z</strong></td></tr><tr><td>only one</td><td></td></tr></tbody></table></div><p>after</p>',
  );
});

t.test("lists, within one another, with code, and with text that goes on", async (t) => {
  t.equal(
    rendered("- a", "  goes on", "- b", "", "after"),
    "<ul><li>a\ngoes on</li><li>b</li></ul><p>after</p>",
  );
  t.equal(
    rendered("- a", "  - b", "  - c", "- d"),
    "<ul><li>a\n<ul><li>b</li><li>c</li></ul></li><li>d</li></ul>",
  );
  t.equal(rendered("1. a", "2. b"), "<ol><li>a</li><li>b</li></ol>");
  t.equal(rendered("3. a"), '<ol start="3"><li>a</li></ol>');
  t.equal(rendered("- a", "", "  more", "- b"), "<ul><li><p>a</p><p>more</p></li><li><p>b</p></li></ul>");
  t.equal(
    rendered("- a:", "  ```sh", "  ls", "  ```"),
    '<ul><li>a:\n<pre tabindex="0"><code class="language-sh">ls\n</code></pre></li></ul>',
  );
  t.equal(rendered("text", "- a"), "<p>text</p><ul><li>a</li></ul>");
  t.equal(
    rendered("in", "2026. Then"),
    "<p>in\n2026. Then</p>",
    "a number is no list in the middle of a sentence",
  );
});

t.test("quotes and rules", async (t) => {
  t.equal(rendered("> a", "> b"), "<blockquote><p>a\nb</p></blockquote>");
  t.equal(rendered("a", "", "---", "", "b"), "<p>a</p><hr><p>b</p>");
});

t.test("nothing in a text becomes markup of its own", async (t) => {
  t.equal(rendered('a <b>c</b> & "d"'), "<p>a &lt;b&gt;c&lt;/b&gt; &amp; &quot;d&quot;</p>");
  t.equal(rendered("<script>alert(1)</script>", "", "a"), "<p>a</p>");
  t.equal(rendered("<!-- a", "b -->", "c"), "<p>c</p>");
  t.equal(rendered("[a](javascript:alert(1))"), "<p>a)</p>");
  t.equal(rendered('[a](https://e.com/"onclick="x)'), '<p><a href="https://e.com/%22onclick=%22x">a</a></p>');
  t.equal(
    rendered('```"><img', "x", "```"),
    '<pre tabindex="0"><code class="language-&quot;&gt;&lt;img">x\n</code></pre>',
  );
});
