import { fieldValues } from "../../domain/passes/field-values.ts";
import type { Pass } from "../../domain/passes/pass.ts";
import { groupMembers } from "../../domain/templates/parsing/apple/field-members.ts";
import { appleStyles } from "../../domain/templates/parsing/apple/styles.ts";
import {
  type BodyGroup,
  bodyGroups,
  type RenderableTemplate,
  type TemplateField,
} from "../../domain/templates/template.ts";
import { html, isolated, type Markup } from "./markup.ts";
import type { PassLanguage } from "./pass-language.ts";
import { type FieldFormat, fieldFormats, fieldKeys, formattedValue } from "./wallet-format.ts";

/** A field as a page shows it. */
export type ShownField = { label: string; value: string; shown: Markup };
export type ShownFields = Record<BodyGroup, ShownField[]>;

/** Both wallets give a row of the front this many places. */
export const placesInRow = 4;

/**
 * The fields of a pass by group, in the template's order, those that only its `apple` part has behind them. A field without
 * a value has nothing to show.
 */
export function shownFields(
  { template, version: { content } }: RenderableTemplate,
  pass: Pass,
  language: PassLanguage,
): ShownFields {
  const byKey = new Map(content.fields.map((field) => [field.key, field]));
  const values = fieldValues(content, pass);
  const formats = fieldFormats(content.apple, values);
  const shown: ShownFields = { header: [], primary: [], secondary: [], auxiliary: [], back: [] };
  for (const group of bodyGroups) {
    const added = fieldKeys(content.apple?.[appleStyles[template.type]], groupMembers[group]);
    for (const key of new Set([...content.body[group], ...added])) {
      const field = byKey.get(key);
      const format = formats.get(key) ?? {};
      const value = language.translate(writtenValue(format) ?? values.get(key) ?? "").trim();
      if (value === "") continue;
      const label = typeof format.label === "string" ? format.label : (field?.label ?? "");
      shown[group].push({
        label: language.translate(label).trim(),
        value,
        shown: shownValue(field, value, format, language.locale),
      });
    }
  }
  return shown;
}

/** One description list with its name and value pairs, or null for no fields. `kind` is its class. */
export function fieldList(fields: readonly ShownField[], kind: string): Markup | null {
  if (fields.length === 0) return null;
  return html`<dl class="${kind}">${fields.map(fieldPair)}</dl>`;
}

/** The same, broken into as many rows as the places of a front need. */
export function fieldRows(fields: readonly ShownField[], kind: string): Markup[] {
  const rows: Markup[] = [];
  for (let start = 0; start < fields.length; start += placesInRow) {
    const row = fieldList(fields.slice(start, start + placesInRow), kind);
    if (row !== null) rows.push(row);
  }
  return rows;
}

function fieldPair(field: ShownField): Markup {
  return html`<div><dt>${isolated(field.label)}</dt><dd class="${fit(field.value)}">${field.shown}</dd></div>`;
}

/** Wallets shrink a value until it fits; a page without scripts can only go by its length. */
function fit(value: string): "tiny" | "short" | "medium" | "long" | "vast" {
  const length = [...value].length;
  if (length <= 4) return "tiny";
  if (length <= 8) return "short";
  if (length <= 16) return "medium";
  return length <= 32 ? "long" : "vast";
}

/** An instant as people read it, with the exact one for machines. */
export function readableInstant(iso: string, locale: string): Markup {
  const instant = new Intl.DateTimeFormat(locale, {
    dateStyle: "medium",
    timeStyle: "short",
    timeZone: "UTC",
  });
  return html`<time datetime="${iso}"><bdi>${instant.format(new Date(iso))} UTC</bdi></time>`;
}

/** The value that the `apple` part has in the place of the pass's. */
function writtenValue({ value }: FieldFormat): string | undefined {
  return typeof value === "string" || typeof value === "number" ? String(value) : undefined;
}

function shownValue(
  field: TemplateField | undefined,
  value: string,
  format: FieldFormat,
  locale: string,
): Markup {
  const isInstant =
    field?.kind === "Computed" && (field.source === "issued_at" || field.source === "updated_at");
  const isFormatted = format.dateStyle !== undefined || format.timeStyle !== undefined;
  return isInstant && !isFormatted ? readableInstant(value, locale) : formattedValue(value, format, locale);
}
