import { bestLanguage } from "../visitor-language.ts";
import { ar } from "./ar.ts";
import { de } from "./de.ts";
import { en } from "./en.ts";
import { es } from "./es.ts";
import { fr } from "./fr.ts";
import { it } from "./it.ts";
import type { Words } from "./words.ts";

export const languages = { en, ar, de, es, fr, it };

const tags = Object.keys(languages) as (keyof typeof languages)[];

/** Our words in the first wanted language that we know; in English where we know none. */
export function wordsFor(wanted: readonly string[]): Words {
  return languages[bestLanguage(wanted, tags) ?? "en"];
}
