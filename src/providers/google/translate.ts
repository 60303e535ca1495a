import type { ObjectShape } from "../../domain/templates/parsing/shapes.ts";
import type { Translations } from "../../domain/templates/translations.ts";
import { isObject, type JsonObject } from "./author-part.ts";
import { defaultLanguage, localized } from "./shared-members.ts";

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
