/** What is wrong with the name of a language folder (`zh-Hans.lproj`), and how to put it right; null: nothing. */
export function languageProblem(tag: string): string | null {
  if (tag.includes("_")) return badTag(tag, tag.replaceAll("_", "-"));
  let canonical: string | undefined;
  try {
    [canonical] = Intl.getCanonicalLocales(tag);
  } catch {
    return badTag(tag);
  }
  if (canonical === undefined || nameOf(canonical) === undefined) return badTag(tag);
  return canonical === tag ? null : badTag(tag, canonical);
}

function badTag(tag: string, meant?: string): string {
  const isLanguage = meant !== undefined && languageProblem(meant) === null;
  const remedy = isLanguage ? `: did you mean ${meant}.lproj?` : suggestedByName(tag);
  return `has ${JSON.stringify(tag)} for a language, which is no language tag (BCP 47)${remedy}`;
}

/** Apple once called the folders after the languages: `English.lproj`. */
function suggestedByName(tag: string): string {
  const meant = oftenMeant.find((code) => nameOf(code)?.toLowerCase() === tag.toLowerCase());
  if (meant !== undefined) return `: did you mean ${meant}.lproj?`;
  return ": name it like fr.lproj, pt-BR.lproj or zh-Hans.lproj";
}

const oftenMeant = [
  "ar",
  "de",
  "en",
  "es",
  "fr",
  "it",
  "ja",
  "ko",
  "nl",
  "pl",
  "pt",
  "ru",
  "sv",
  "tr",
  "uk",
  "zh",
];

/** The English name of a language or locale, or undefined where there is none. */
function nameOf(tag: string): string | undefined {
  const language = tag.split("-")[0] ?? "";
  return new Intl.DisplayNames(["en"], { type: "language", fallback: "none" }).of(language);
}
