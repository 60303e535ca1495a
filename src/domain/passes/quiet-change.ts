import { isMembers } from "../templates/parsing/members.ts";
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
  const [was, is] = [fieldValues(content, before), fieldValues(content, { ...before, ...after })];
  // What is computed changes with every version, and is nobody's wish.
  const isWished = content.fields.some(
    ({ kind, key }) => kind !== "Computed" && is.get(key) !== was.get(key),
  );
  if (!isWished) return false;
  const [shownBefore, shownNow] = [shownFields(content, was), shownFields(content, is)];
  return ![...shownNow].some(
    ([key, { value, notifies }]) => notifies && value !== shownBefore.get(key)?.value,
  );
}

/** Fields by key as Apple Wallet shows them: those of the template's body, and over them those of its apple part. */
function shownFields(content: TemplateContent, values: ReadonlyMap<string, string>): Map<string, ShownField> {
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
  const lists = Object.values(apple).flatMap((style) => (isMembers(style) ? Object.values(style) : []));
  return lists
    .filter(Array.isArray)
    .flat()
    .filter((item): item is AppleField => isMembers(item) && typeof item.key === "string");
}

function isText(message: unknown, values: ReadonlyMap<string, string>): boolean {
  return typeof message === "string" && renderTokens(message, values) !== "";
}
