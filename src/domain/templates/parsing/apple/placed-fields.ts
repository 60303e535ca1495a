import type { BodyGroup, TemplateContent, TemplateField } from "../../template.ts";
import { suggestion } from "../closest-word.ts";
import { pointerTo } from "../findings.ts";
import { isMembers, type MemberReader, type Members } from "../members.ts";
import { fieldGroups, groupMembers } from "./field-members.ts";
import { appleStyles } from "./styles.ts";

export type TemplateParts = Pick<TemplateContent, "fields" | "body" | "barcode">;

/** A field as it stands on a pass: from the body, from the author's `apple` part, or from both. */
export type PlacedField = {
  key: string;
  style: string;
  group: string;
  /** Where the author speaks of it. */
  pointer: string;
  /** What the `apple` part says of it. */
  members: Members;
  /** The template's field behind it. */
  origin: TemplateField | undefined;
};

const bodyGroupOf = new Map(Object.entries(groupMembers).map(([group, member]) => [member, group]));

/** The fields of a style of pass.json, group by group. A key that stands twice is an error, and a new field without a value. */
export function placeFields(
  reader: MemberReader,
  { style, apple, parts }: { style: string; apple: Members; parts: TemplateParts },
): PlacedField[] {
  const fieldOf = new Map(parts.fields.map((field) => [field.key, field]));
  const placed = new Map<string, PlacedField>();
  const isDrawn = Object.values(appleStyles).includes(style);
  for (const [group, key, pointer] of isDrawn ? bodyPlaces(parts) : []) {
    placed.set(key, { key, style, group, pointer, members: {}, origin: fieldOf.get(key) });
  }
  const authored = isMembers(apple[style]) ? apple[style] : {};
  const seen = new Map<string, string>();
  for (const group of Object.keys(fieldGroups)) {
    const list = authored[group];
    for (const [i, members] of (Array.isArray(list) ? list : []).entries()) {
      const pointer = pointerTo(`/apple/${style}/${group}`, i);
      if (!isMembers(members) || typeof members.key !== "string") continue;
      const { key } = members;
      const own = placed.get(key);
      const earlier = seen.get(key) ?? (own?.group === group ? undefined : own?.pointer);
      seen.set(key, pointer);
      if (earlier !== undefined) {
        reader.fault(
          `${pointer}/key`,
          `is ${key}, the key of ${earlier} already: give each field of a pass its own`,
        );
        continue;
      }
      if (own === undefined && (members.value ?? null) === null) {
        missValue(reader, { key, pointer, group, parts });
        continue;
      }
      placed.set(key, { key, style, group, pointer, members, origin: own?.origin });
    }
  }
  return [...placed.values()];
}

function bodyPlaces({ body }: TemplateParts): [group: string, key: string, pointer: string][] {
  return Object.entries(body).flatMap(([group, keys]) =>
    keys.map((key, i): [string, string, string] => [
      groupMembers[group as BodyGroup],
      key,
      `/body/${group}/${i}`,
    ]),
  );
}

function missValue(
  reader: MemberReader,
  { key, pointer, group, parts }: { key: string; pointer: string; group: string; parts: TemplateParts },
): void {
  const bodyGroup = bodyGroupOf.get(group) as BodyGroup | undefined;
  const inBody = bodyGroup === undefined ? [] : parts.body[bodyGroup];
  const place = bodyGroup === undefined ? "" : `, since ${key} does not stand in /body/${bodyGroup}`;
  reader.fault(`${pointer}/value`, `is required: text or a number${place}${suggestion(key, inBody)}`);
}
