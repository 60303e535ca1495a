import t from "tap";
import { resourceShape } from "../../../src/domain/templates/parsing/google/resource-shapes.ts";
import { createTemplateTranslations } from "../../../src/domain/templates/translations.ts";
import { translated } from "../../../src/providers/google/translate.ts";
import { sampleTemplate } from "./fixtures/sample-pass.ts";

const strings = (text: string, encoding: "utf8" | "utf16le" = "utf8") =>
  Buffer.from(encoding === "utf8" ? text : `\ufeff${text}`, encoding);
const images = new Map([
  ["icon.png", Buffer.from("icon")],
  ["it.lproj/pass.strings", strings('"Points" = "Punti";\n"Gold" = "Oro";\n"Shop" = "Negozio";', "utf16le")],
  ["pt-BR.lproj/pass.strings", strings('/* of old */ "Points" = "Pontos\\n";\n"Shop" = "";')],
  ["de.lproj/logo.png", Buffer.from("logo")],
]);
const translations = createTemplateTranslations()(sampleTemplate("LoyaltyCard", {}, { images }));
const object = (body: Record<string, unknown>, kind: "loyalty" | "generic" = "loyalty") =>
  translated(body, { shape: resourceShape(kind, "object"), translations, within: "object" });
const inClass = (body: Record<string, unknown>) =>
  translated(body, { shape: resourceShape("loyalty", "class"), translations, within: "object" });
const english = (value: string) => ({ defaultValue: { language: "en-US", value } });
const points = [
  { language: "it", value: "Punti" },
  { language: "pt-BR", value: "Pontos\n" },
];
const italian = (value: string) => [{ language: "it", value }];

t.test("a plain text gets its translations beside it, and a localized one within", async (t) => {
  t.strictSame(
    object({ loyaltyPoints: { label: "Points", balance: { string: "7" } }, accountName: "Points" }),
    {
      loyaltyPoints: {
        label: "Points",
        localizedLabel: { ...english("Points"), translatedValues: points },
        balance: { string: "7" },
      },
      accountName: "Points",
    },
  );
  t.strictSame(object({ header: english("Gold") }, "generic"), {
    header: { ...english("Gold"), translatedValues: italian("Oro") },
  });
  t.strictSame(inClass({ issuerName: "Shop" }), {
    issuerName: "Shop",
    localizedIssuerName: { ...english("Shop"), translatedValues: italian("Negozio") },
  });
});

t.test("labels and values of text modules are translated, each whole", async (t) => {
  const textModulesData = [
    { id: "tier", header: "Points", body: "Gold" },
    { id: "code", header: "Code", body: "Gold card" },
  ];
  t.strictSame(object({ textModulesData }), {
    textModulesData: [
      {
        id: "tier",
        header: "Points",
        localizedHeader: { ...english("Points"), translatedValues: points },
        body: "Gold",
        localizedBody: { ...english("Gold"), translatedValues: italian("Oro") },
      },
      textModulesData[1],
    ],
  });
});

t.test("what has no translation any more is cleared, where Google would keep it", async (t) => {
  t.strictSame(inClass({ issuerName: "Other", programLogo: { contentDescription: english("Other") } }), {
    issuerName: "Other",
    localizedIssuerName: null,
    programLogo: { contentDescription: { ...english("Other"), translatedValues: null } },
  });
});

t.test("the author's own translations stay alone", async (t) => {
  const own = {
    issuerName: "Shop",
    localizedIssuerName: { ...english("Boutique"), translatedValues: italian("Bottega") },
    programLogo: { contentDescription: { ...english("Shop"), translatedValues: [] } },
    heroImage: null,
  };
  t.strictSame(inClass(own), own);
});
