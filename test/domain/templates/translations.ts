import t from "tap";
import { createTemplateTranslations } from "../../../src/domain/templates/translations.ts";

const images = new Map<string, Uint8Array>([
  ["icon.png", Buffer.from("icon")],
  ["it.lproj/pass.strings", Buffer.from('"Points" = "Punti"; /* more */ "Gold" = "Oro";')],
  ["zh-Hans.lproj/pass.strings", Buffer.from('\ufeff"Points" = "积分";', "utf16le")],
  ["fr.lproj/pass.strings", Buffer.from("not understood")],
  ["de.lproj/logo.png", Buffer.from("logo")],
]);

t.test("translations are read by language, and a file that is not understood has none", async (t) => {
  const translations = createTemplateTranslations()({ images });
  t.strictSame(
    [...translations].map(([tag, texts]) => [tag, Object.fromEntries(texts)]),
    [
      ["it", { Points: "Punti", Gold: "Oro" }],
      ["zh-Hans", { Points: "积分" }],
      ["fr", {}],
    ],
  );
});

t.test("they are read once for each template version in memory", async (t) => {
  const translationsOf = createTemplateTranslations();
  t.equal(translationsOf({ images }), translationsOf({ images }));
  t.not(translationsOf({ images: new Map(images) }), translationsOf({ images }));
});
