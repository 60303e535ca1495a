import { bodyGroups, type TemplateContent } from "../templates/template.ts";
import { fieldValues, renderTokens } from "./field-values.ts";
import type { Pass } from "./pass.ts";

type ShownField = { value: string; notifies: boolean };

/**
 * Whether a change of a pass's data changes values, and none of a field with a `change_message`: then Apple Wallet shows it without
 * a word on the lock screen. Both states are read by the template version that the pass is drawn from now.
 */
export function isQuietChange(
  content: TemplateContent,
  before: Pass,
  after: Pick<Pass, "data" | "version" | "updatedAtMs">,
): boolean {
  const now = { ...before, ...after };
  if (!hasOtherValues(content, before, now)) return false;
  const [was, is] = [shownFields(content, before), shownFields(content, now)];
  return ![...is].some(([key, { value, notifies }]) => notifies && value !== was.get(key)?.value);
}

/** What is computed changes with every version, and is nobody's wish. */
function hasOtherValues({ fields }: TemplateContent, before: Pass, after: Pass): boolean {
  const given = { fields: fields.filter(({ kind }) => kind !== "Computed") };
  const [was, is] = [fieldValues(given, before), fieldValues(given, after)];
  return [...is].some(([key, value]) => value !== was.get(key));
}

/** Fields by key as Apple Wallet shows them: those of the template's body, and over them those of its apple part. */
function shownFields(content: TemplateContent, pass: Pass): Map<string, ShownField> {
  const values = fieldValues(content, pass);
  const shown = new Map<string, ShownField>();
  const inBody = new Set(bodyGroups.flatMap((group) => content.body[group]));
  for (const { key, change_message: message = "" } of content.fields) {
    if (inBody.has(key)) shown.set(key, { value: values.get(key) ?? "", notifies: message !== "" });
  }
  for (const field of appleFields(content.apple ?? {})) {
    const known = shown.get(field.key) ?? { value: "", notifies: false };
    const { value = known.value, changeMessage } = field;
    shown.set(field.key, {
      value: typeof value === "string" ? renderTokens(value, values) : JSON.stringify(value),
      notifies: changeMessage === undefined ? known.notifies : isText(changeMessage, values),
    });
  }
  return shown;
}

type AppleField = { key: string; value?: unknown; changeMessage?: unknown };

/** They stand in lists of the member that is named after the style: `{ "storeCard": { "backFields": [{ "key": … }] } }`. */
function appleFields(apple: Record<string, unknown>): AppleField[] {
  const lists = Object.values(apple).flatMap((style) => (isObject(style) ? Object.values(style) : []));
  return lists
    .filter(Array.isArray)
    .flat()
    .filter((item): item is AppleField => isObject(item) && typeof item.key === "string");
}

function isText(message: unknown, values: ReadonlyMap<string, string>): boolean {
  return typeof message === "string" && renderTokens(message, values) !== "";
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}
