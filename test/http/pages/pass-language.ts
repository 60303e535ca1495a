import t from "tap";
import { createTemplateTranslations } from "../../../src/domain/templates/translations.ts";
import { passLanguage } from "../../../src/http/pages/pass-language.ts";
import { renderPassPage } from "../../../src/http/pages/pass-page.ts";
import { pageInput, withData } from "./fixtures/example-passes.ts";

const translationsOf = createTemplateTranslations();
const strings = (texts: Record<string, string>) =>
  Buffer.from(
    Object.entries(texts)
      .map(([key, value]) => `"${key}" = "${value}";`)
      .join("\n"),
  );

const images = new Map<string, Uint8Array>([
  ["logo.png", Buffer.from("logo")],
  [
    "it.lproj/pass.strings",
    strings({
      Points: "Punti",
      Gold: "Oro",
      "Aurora loyalty card": "Tessera fedeltà Aurora",
      "Caffè Aurora": "Bar Aurora",
      Questions: "Domande",
      Level: "",
    }),
  ],
  ["he.lproj/pass.strings", strings({ Points: "נקודות" })],
  ["ja.lproj/logo@2x.png", Buffer.from("logo")],
]);

async function pageIn(wanted: string[], data: Record<string, string> = {}) {
  const input = withData(pageInput("LoyaltyCard"), data);
  const template = { ...input.template, images };
  const language = passLanguage(wanted, template, translationsOf(template));
  const imageUrl = (name: string) => (images.has(name) ? `/images/${name}` : null);
  return (await renderPassPage({ ...input, template, language, imageUrl })).html;
}

t.test("a visitor reads labels, values, names and title in the template's translation", async (t) => {
  const html = await pageIn(["it-IT", "en"]);
  t.match(html, '<html lang="it" dir="ltr">');
  t.match(html, "<dt><bdi>Punti</bdi></dt>");
  t.match(html, "<bdi>Oro</bdi>");
  t.match(html, "<title>Tessera fedeltà Aurora – Bar Aurora</title>");
  t.match(html, '<header class="intro" lang="it" dir="ltr"><p><bdi>Bar Aurora</bdi></p>');
  t.match(html, "<dt><bdi>Domande</bdi></dt>");
  t.match(html, "Aggiungi a Apple Wallet");
  t.match(html, "<dt><bdi>Level</bdi></dt>", "an empty translation is none");
});

t.test("a template's own texts stay for who speaks none of its languages, marked as unknown", async (t) => {
  const german = await pageIn(["de", "it;q=0"]);
  t.match(german, '<html lang="de" dir="ltr">');
  t.match(german, '<article class="pass store" lang=""');
  t.match(german, "<dt><bdi>Points</bdi></dt>");
  t.match(german, "Zu Apple Wallet hinzufügen");
  t.match(await pageIn(["en", "it"]), "<dt><bdi>Points</bdi></dt>", "who wants English before Italian");
});

t.test("a page runs from right to left for its reader, and a pass for its language", async (t) => {
  const arabic = await pageIn(["ar"]);
  t.match(arabic, '<html lang="ar" dir="rtl">');
  t.match(arabic, '<article class="pass store" lang=""');
  const hebrew = await pageIn(["he"]);
  t.match(hebrew, '<html lang="en" dir="ltr">');
  t.match(hebrew, '<article class="pass store" lang="he" dir="rtl"');
  t.match(hebrew, "<dt><bdi>נקודות</bdi></dt>");
});

t.test("an image of the reader's language takes the place of the one for all", async (t) => {
  t.match(await pageIn(["ja"]), 'srcset="/images/ja.lproj/logo@2x.png 2x"');
  t.match(await pageIn(["it"]), 'srcset="/images/logo.png 1x"');
});

t.test("what a pass brings is escaped in every language", async (t) => {
  t.match(await pageIn(["it"], { level: "<b>" }), "<bdi>&lt;b&gt;</bdi>");
});
