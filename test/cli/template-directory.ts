import { join } from "node:path";
import t from "tap";
import { readTemplateDirectory } from "../../src/cli/template-directory.ts";
import { content } from "../domain/fixtures/examples.ts";
import { violationsOf } from "../domain/fixtures/refusal.ts";

const images = ["icon.png", "fr.lproj/logo.png"];
const document = {
  name: "Card",
  template_type: "LoyaltyCard",
  ...content,
  header: { ...content.header, images },
};
const folder = t.testdir({
  good: {
    "template.json": JSON.stringify(document),
    images: { "icon.png": "1", "fr.lproj": { "logo.png": "22" } },
    "notes.txt": "not read",
  },
  bare: { "template.json": JSON.stringify({ ...document, header: { ...content.header, images: [] } }) },
  broken: { "template.json": "{ no JSON" },
  large: {
    "template.json": JSON.stringify(document),
    images: { "icon.png": "x".repeat(2 * 1024 * 1024 + 1) },
  },
  empty: {},
});
const told = (name: string): Promise<string[]> =>
  violationsOf(() => readTemplateDirectory(join(folder, name)));

t.test("a directory is read with its images, those of a language under its folder", async (t) => {
  const { name, images: read } = readTemplateDirectory(join(folder, "good"));
  t.equal(name, "Card");
  const sizes = Object.fromEntries([...read].map(([file, bytes]) => [file, bytes.length]));
  t.strictSame(sizes, { "icon.png": 1, "fr.lproj/logo.png": 2 });
});

t.test("without images it is only the icon that is missed", async (t) => {
  t.strictSame(await told("bare"), [
    "images/icon.png is missing: Apple Wallet refuses a pass without an icon",
  ]);
});

t.test("what cannot be read is named by its file", async (t) => {
  t.strictSame(await told("empty"), [`${join(folder, "empty", "template.json")} cannot be read`]);
  t.match(await told("broken"), [/broken\/template\.json is not JSON: /]);
  t.strictSame(await told("large"), ["images/icon.png is larger than 2 MiB"]);
});
