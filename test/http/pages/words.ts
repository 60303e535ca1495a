import t from "tap";
import { languages, wordsFor } from "../../../src/http/pages/words/choose.ts";

/** Every text of a language by the path of its name. */
function textsOf(words: object, path = ""): [string, string][] {
  return Object.entries(words).flatMap(([name, value]): [string, string][] => {
    if (typeof value === "function") return [[`${path}${name}`, value("WALLET")]];
    return typeof value === "string" ? [[`${path}${name}`, value]] : textsOf(value, `${path}${name}.`);
  });
}

const english = new Map(textsOf(languages.en));
/** What is the same in several languages. */
const international = /^(codes|locale|language|towards)/;

for (const [tag, words] of Object.entries(languages)) {
  t.test(`${tag} says everything, in words of its own`, async (t) => {
    const texts = textsOf(words);
    t.strictSame(
      texts.map(([name]) => name),
      [...english.keys()],
    );
    for (const [name, text] of texts) {
      t.match(text, /\S/, name);
      if (tag !== "en" && !international.test(name)) t.not(text, english.get(name), name);
    }
    t.equal(words.language, tag);
    t.match(words.add("WALLET"), "WALLET");
    t.ok(Intl.DateTimeFormat.supportedLocalesOf(words.locale).length > 0);
  });
}

t.test("the first wanted language that there is decides, else it is English", async (t) => {
  t.equal(wordsFor(["ja", "it-CH", "de"]).language, "it");
  t.equal(wordsFor(["ja"]).language, "en");
  t.equal(wordsFor([]).language, "en");
});
