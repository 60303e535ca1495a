import { LRUCache } from "lru-cache";
import { stringsFile } from "../../domain/templates/parsing/image-slots.ts";
import { readPassStrings } from "../../domain/templates/parsing/pass-strings.ts";
import type { ObjectShape } from "../../domain/templates/parsing/shapes.ts";
import type { RenderableTemplate } from "../../domain/templates/template.ts";
import { isObject, type JsonObject } from "./author-part.ts";
import { defaultLanguage, localized } from "./shared-members.ts";

/** Translations of whole texts, by language tag (BCP 47). */
export type Translations = ReadonlyMap<string, ReadonlyMap<string, string>>;

/** Reads a template's `xx.lproj/pass.strings`, once per template version. */
export function createTemplateTranslations(): (template: RenderableTemplate) => Translations {
  const known = new LRUCache<string, Translations>({ max: 1000 });
  return ({ version, images }) => {
    const key = `${version.templateId} ${version.version}`;
    const translations = known.get(key) ?? read(images);
    known.set(key, translations);
    return translations;
  };
}

function read(files: ReadonlyMap<string, Uint8Array>): Translations {
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

type Place = { shape: ObjectShape; translations: Translations; within: "object" | "list" };

/**
 * Adds the translations of every text that has some: to localized strings, and beside a plain one under the name that
 * Google has for it (`issuerName`, `localizedIssuerName`). Where the author has translated by himself, nothing is added; where
 * there is nothing to add, a null takes away what an earlier version said, but for lists, which replace each other.
 */
export function translated(body: JsonObject, { shape, translations, within }: Place): JsonObject {
  const members = Object.entries(body).flatMap(([name, value]): [string, unknown][] => {
    const member = Object.hasOwn(shape.members, name) ? shape.members[name]?.shape : undefined;
    if (typeof value === "string" && value !== "") {
      const beside = `localized${name.charAt(0).toUpperCase()}${name.slice(1)}`;
      if (!Object.hasOwn(shape.members, beside) || Object.hasOwn(body, beside)) return [[name, value]];
      const translatedValues = translationsOf(value, defaultLanguage, translations);
      const added = translatedValues.length > 0 ? { ...localized(value), translatedValues } : null;
      return [
        [name, value],
        ...(added !== null || within === "object" ? [[beside, added] as [string, unknown]] : []),
      ];
    }
    if (isObject(value) && member?.is === "object") {
      const next = Object.hasOwn(member.members, "translatedValues") ? localizedMore : translated;
      return [[name, next(value, { shape: member, translations, within })]];
    }
    if (Array.isArray(value) && member?.is === "list" && member.of.is === "object") {
      const place: Place = { shape: member.of, translations, within: "list" };
      return [[name, value.map((item) => (isObject(item) ? translated(item, place) : item))]];
    }
    return [[name, value]];
  });
  return Object.fromEntries(members);
}

function localizedMore(value: JsonObject, { translations, within }: Place): JsonObject {
  const { defaultValue } = value;
  if (Object.hasOwn(value, "translatedValues") || !isObject(defaultValue)) return value;
  const found = translationsOf(defaultValue.value, defaultValue.language, translations);
  if (found.length > 0) return { ...value, translatedValues: found };
  return within === "list" ? value : { ...value, translatedValues: null };
}

function translationsOf(text: unknown, language: unknown, translations: Translations) {
  if (typeof text !== "string") return [];
  return [...translations].flatMap(([tag, texts]) => {
    const value = texts.get(text);
    return value === undefined || value === "" || tag === language ? [] : [{ language: tag, value }];
  });
}
