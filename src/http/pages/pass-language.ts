import type { RenderableTemplate } from "../../domain/templates/template.ts";
import type { Translations } from "../../domain/templates/translations.ts";
import { html, type Markup } from "./markup.ts";
import { bestLanguage, directionOf } from "./visitor-language.ts";
import { wordsFor } from "./words/choose.ts";
import type { Words } from "./words/words.ts";

/** In which language a visitor reads a pass, and the page around it. */
export type PassLanguage = {
  /** The tag of the template's translation (`it` of `it.lproj`); null: its texts as they are, whose language nobody knows. */
  tag: string | null;
  words: Words;
  /** By which dates and amounts are written. */
  locale: string;
  /** A whole text of the pass in that language, as Wallet translates it; without a translation as it is. */
  translate(text: string): string;
};

/** The language that both wallets take for a template's own texts where it has no translation into it. */
const ownLanguage = "en";

export function passLanguage(
  wanted: readonly string[],
  template: Pick<RenderableTemplate, "images">,
  translations: Translations,
): PassLanguage {
  const words = wordsFor(wanted);
  const tag = languageTag(wanted, template);
  const texts = tag === null ? undefined : translations.get(tag);
  return {
    tag,
    words,
    locale: tag ?? words.locale,
    translate: (text) => texts?.get(text) || text,
  };
}

/** The tag of the template's translation for this visitor; null: its texts as they are. */
export function languageTag(
  wanted: readonly string[],
  { images }: Pick<RenderableTemplate, "images">,
): string | null {
  const folders = [...images.keys()].flatMap((path) => /^([^/]+)\.lproj\//.exec(path)?.[1] ?? []);
  const found = bestLanguage(wanted, [...new Set([...folders, ownLanguage])]);
  return found !== null && folders.includes(found) ? found : null;
}

/** The attributes of an element that holds texts of the pass. `lang=""` says that their language is unknown. */
export function languageAttributes({ tag }: Pick<PassLanguage, "tag">): Markup {
  return tag === null ? html` lang=""` : html` lang="${tag}" dir="${directionOf(tag)}"`;
}
