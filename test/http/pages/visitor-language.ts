import t from "tap";
import { bestLanguage, directionOf, wantedLanguages } from "../../../src/http/pages/visitor-language.ts";

t.test("languages come in the order of their weights, equal ones as they stand", async (t) => {
  t.strictSame(wantedLanguages("de;q=0.5, it, fr;q=0.9, en;q=0.9"), ["it", "fr", "en", "de"]);
  t.strictSame(wantedLanguages("zh-Hant-TW , zh ; q=0.8"), ["zh-Hant-TW", "zh"]);
});

t.test("a weight of 0 refuses, a star ends the list, and what is no tag does not count", async (t) => {
  t.strictSame(wantedLanguages("it;q=0, de"), ["de"]);
  t.strictSame(wantedLanguages("it, *;q=0.5, de;q=0.1"), ["it"]);
  t.strictSame(wantedLanguages("it;q=2, <script>, e, de_AT, fr;q=x, es;level=1, pt"), ["pt"]);
  for (const header of [undefined, "", ",,,", ";q=1", "*", "\u0000"]) {
    t.strictSame(wantedLanguages(header), [], JSON.stringify(header));
  }
});

t.test("a header as long as headers may be is read at once", async (t) => {
  t.ok(wantedLanguages("it-IT;q=0.1,".repeat(5000)).length <= 20);
  t.strictSame(wantedLanguages(`${" ".repeat(60_000)}it`), ["it"]);
});

t.test("the best is the same tag, else one of the same language and script", async (t) => {
  const found = (wanted: string[], available: string[]) => bestLanguage(wanted, available);
  t.equal(found(["it-CH"], ["de", "it"]), "it");
  t.equal(found(["pt"], ["pt-PT", "pt-BR"]), "pt-BR", "the likely region");
  t.equal(found(["pt-PT"], ["pt-BR", "pt-PT"]), "pt-PT");
  t.equal(found(["pt-AO"], ["pt-BR"]), "pt-BR");
  t.equal(found(["zh-TW"], ["zh-Hans", "zh-Hant"]), "zh-Hant");
  t.equal(found(["zh-TW"], ["zh-Hans"]), null);
  t.equal(found(["ja", "fr"], ["de", "fr"]), "fr");
  t.equal(found(["ja"], []), null);
});

t.test("Arabic, Hebrew, Persian and Urdu run from right to left", async (t) => {
  for (const tag of ["ar", "he", "fa-IR", "ur", "az-Arab"]) t.equal(directionOf(tag), "rtl", tag);
  for (const tag of ["en", "ja", "az", "ur-Latn"]) t.equal(directionOf(tag), "ltr", tag);
});
