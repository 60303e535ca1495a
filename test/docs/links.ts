import { existsSync, statSync } from "node:fs";
import { dirname, join, posix } from "node:path";
import t from "tap";
import { anchorOf, documents, headingsOf, root, textOf, withoutFences } from "./markdown.ts";

/** The targets of a document's links and images that lead to another place of the tree. */
function relativeTargets(markdown: string): string[] {
  const text = withoutFences(markdown).replace(/`[^`\n]*`/g, "");
  return [
    ...text.matchAll(/\]\(\s*<?([^)\s>]+)>?(?:\s+"[^"]*")?\s*\)/g),
    ...text.matchAll(/^\s*\[[^\]]+\]:\s+<?(\S+?)>?\s*$/gm),
    ...text.matchAll(/<(?:a|img|source)\s[^>]*?(?:href|src|srcset)="([^"]+)"/g),
  ]
    .map((match) => match[1] ?? "")
    .filter((target) => !/^(?:[a-z][a-z+.-]*:|\/\/)/i.test(target));
}

/** Why a link of a document leads nowhere, or undefined where it does lead somewhere. */
function brokenLink(document: string, target: string): string | undefined {
  const [path = "", fragment] = target.split("#");
  const file = path === "" ? document : posix.join(dirname(document), decodeURIComponent(path));
  if (file.startsWith("..")) return `${document}: ${target} leaves the tree`;
  if (!existsSync(join(root, file))) return `${document}: ${target} is not there`;
  if (fragment === undefined || !file.endsWith(".md") || statSync(join(root, file)).isDirectory())
    return undefined;
  const anchors = headingsOf(textOf(file) ?? "").map(anchorOf);
  return anchors.includes(fragment) ? undefined : `${document}: ${target} names no heading of ${file}`;
}

t.test("every relative link in the documents resolves, heading included", async (t) => {
  const found = documents().flatMap((document) =>
    relativeTargets(textOf(document) ?? "").map((target) => brokenLink(document, target)),
  );
  t.strictSame(
    found.filter((line) => line !== undefined),
    [],
  );
});

t.test("a link is found in each of its forms, and not in code", async (t) => {
  const markdown = [
    '[a](one.md) ![b](two.png "title") [c]: [c][ref] [d](#four) <img src="five.svg" alt="">',
    "[ref]: three.md",
    "[e](https://example.com/x) [f](mailto:a@example.com) `[g](six.md)`",
    "```",
    "[h](seven.md)",
    "```",
  ].join("\n");
  t.strictSame(relativeTargets(markdown), ["one.md", "two.png", "#four", "three.md", "five.svg"]);
});

t.test("a missing file, a missing heading and a way out of the tree are caught", async (t) => {
  t.equal(brokenLink("CONTRIBUTING.md", "LICENSE"), undefined);
  t.match(brokenLink("CONTRIBUTING.md", "no-such-file.md"), /is not there/);
  t.match(brokenLink("CONTRIBUTING.md", "#no-such-heading"), /names no heading of CONTRIBUTING\.md/);
  t.match(brokenLink("CONTRIBUTING.md", "../elsewhere.md"), /leaves the tree/);
});
