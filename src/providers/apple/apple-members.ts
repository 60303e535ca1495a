/**
 * A template's `apple` object: members of pass.json as Apple documents them, known to us or not, laid over what
 * we generate. Objects merge member by member. Lists of fields (every item an object with a `key`, on both
 * sides) merge by key, new keys at the end. Everything else replaces, other lists whole; null removes.
 */
import { renderTokens } from "../../domain/passes/field-values.ts";
import { reservedAppleMembers } from "../../domain/templates/parsing/apple/check-apple.ts";
import { passMembers } from "../../domain/templates/parsing/apple/pass-members.ts";
import { keepValidMembers } from "../../domain/templates/parsing/keep-valid.ts";

export type JsonObject = { [member: string]: unknown };

/**
 * The template's members for one pass: `{{key}}` tokens in their strings replaced, and what the pass's values have made
 * invalid left out. Members that make a pass ours, findable and updatable, are not a template's to speak for.
 */
export function renderedMembers(apple: JsonObject, values: ReadonlyMap<string, string>): JsonObject {
  const allowed = Object.entries(apple).filter(([member]) => !Object.hasOwn(reservedAppleMembers, member));
  return keepValidMembers(renderObject(Object.fromEntries(allowed), values), passMembers, apple);
}

/** With every token replaced: a copy, or itself where there is none. */
function render(node: unknown, values: ReadonlyMap<string, string>): unknown {
  if (typeof node === "string") return renderTokens(node, values);
  if (Array.isArray(node)) {
    const items = node.map((item) => render(item, values));
    return items.some((item, i) => item !== node[i]) ? items : node;
  }
  return isObject(node) ? renderObject(node, values) : node;
}

/**
 * A member that consisted of tokens without a value is left out, since an empty date or address makes a pass invalid;
 * a field's `value` may be empty, and must be there.
 */
function renderObject(node: JsonObject, values: ReadonlyMap<string, string>): JsonObject {
  const members: [string, unknown][] = [];
  let isSame = true;
  for (const [member, before] of Object.entries(node)) {
    const after = render(before, values);
    const vanished = (after === "" && before !== "" && member !== "value") || member === "__proto__";
    if (!vanished) members.push([member, after]);
    isSame &&= after === before && !vanished;
  }
  return isSame ? node : Object.fromEntries(members);
}

/** Lays one object over another, member by member. */
export function mergeObjects(base: JsonObject, over: JsonObject): JsonObject {
  const merged = new Map(Object.entries(base));
  for (const [member, value] of Object.entries(over)) {
    if (value === null) merged.delete(member);
    else merged.set(member, mergeValues(merged.get(member), value));
  }
  return Object.fromEntries(merged);
}

function mergeValues(base: unknown, over: unknown): unknown {
  if (isObject(base) && isObject(over)) return mergeObjects(base, over);
  if (isFieldList(base) && isFieldList(over)) return mergeFields(base, over);
  return over;
}

type Field = JsonObject & { key: string };

function mergeFields(base: readonly Field[], over: readonly Field[]): JsonObject[] {
  const merged = new Map<string, JsonObject>(base.map((field) => [field.key, field]));
  for (const field of over) merged.set(field.key, mergeObjects(merged.get(field.key) ?? {}, field));
  return [...merged.values()];
}

function isFieldList(node: unknown): node is Field[] {
  return Array.isArray(node) && node.every((item) => isObject(item) && typeof item.key === "string");
}

export function isObject(node: unknown): node is JsonObject {
  return typeof node === "object" && node !== null && !Array.isArray(node);
}
