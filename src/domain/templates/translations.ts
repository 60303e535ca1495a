import { stringsFile } from "./parsing/image-slots.ts";
import { readPassStrings } from "./parsing/pass-strings.ts";
import type { RenderableTemplate } from "./template.ts";

/** Translations of whole texts, by language tag (BCP 47). */
export type Translations = ReadonlyMap<string, ReadonlyMap<string, string>>;

/** Reads a template's `xx.lproj/pass.strings`, once for as long as its version is in memory. */
export function createTemplateTranslations(): (template: Pick<RenderableTemplate, "images">) => Translations {
  const known = new WeakMap<RenderableTemplate["images"], Translations>();
  return ({ images }) => {
    const translations = known.get(images) ?? read(images);
    known.set(images, translations);
    return translations;
  };
}

function read(files: RenderableTemplate["images"]): Translations {
  const ending = `.lproj/${stringsFile}`;
  const languages = [...files].filter(([path]) => path.endsWith(ending));
  return new Map(
    languages.map(([path, bytes]) => {
      const reading = readPassStrings(bytes);
      const entries = "keys" in reading ? reading.keys : [];
      return [path.slice(0, -ending.length), new Map(entries.map(({ key, value }) => [key, value]))];
    }),
  );
}
