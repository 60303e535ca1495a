import { type ComputedSource, computedSources, type FieldKind, type TemplateField } from "../template.ts";
import { pointerTo } from "./findings.ts";
import type { MemberReader, Members } from "./members.ts";
import { warnOfTokens } from "./tokens.ts";

export const fieldMembers = [
  "key",
  "label",
  "kind",
  "default",
  "required",
  "max_length",
  "source",
  "change_message",
] as const;

/** The first is the least demanding: it stands in for a kind that there is not. */
export const fieldKinds = ["Placeholder", "Static", "Computed"] as const satisfies readonly FieldKind[];

/** What `data` of POST /passes takes: a field that allows more, or a template with more, could not be filled. */
export const longestValue = 4096;
export const mostGivenFields = 100;

const fieldKey = /^[A-Za-z0-9_.-]{1,64}$/;

export function readFields(reader: MemberReader, value: unknown): TemplateField[] {
  const firstOf = new Map<string, string>();
  const fields = reader.list(value, "/fields").map((entry, i) => {
    const pointer = pointerTo("/fields", i);
    const field = readField(reader, reader.object(entry, pointer, fieldMembers), pointer);
    const first = firstOf.get(field.key);
    if (first === undefined) firstOf.set(field.key, pointer);
    else if (field.key !== "") {
      reader.fault(`${pointer}/key`, `is the key of ${first} already, ${field.key}: give each field its own`);
    }
    return field;
  });
  const given = fields.filter(({ kind }) => kind !== "Computed").length;
  if (given > mostGivenFields) {
    reader.fault(
      "/fields",
      `has ${given} Static and Placeholder fields: remove some, a pass takes ${mostGivenFields} values at most`,
    );
  }
  return fields;
}

function readField(reader: MemberReader, field: Members, pointer: string): TemplateField {
  const key = readKey(reader, field.key, `${pointer}/key`);
  const kind = reader.oneOf(field.kind, `${pointer}/kind`, fieldKinds);
  const at = { field, kind, pointer };
  const label = reader.text(field.label, `${pointer}/label`, { max: 200, min: 0 });
  for (const member of ["label", "default", "change_message"]) {
    warnOfTokens(reader, field[member], `${pointer}/${member}`);
  }
  const maxLength = readMaxLength(reader, at);
  const value = readDefault(reader, at, maxLength);
  const required = readRequired(reader, at);
  const source = readSource(reader, at);
  const changeMessage = readChangeMessage(reader, at);
  return {
    key,
    label,
    kind,
    ...(value !== undefined && { default: value }),
    ...(required !== undefined && { required }),
    ...(maxLength !== undefined && { max_length: maxLength }),
    ...(source !== undefined && { source }),
    ...(changeMessage !== undefined && { change_message: changeMessage }),
  };
}

type At = { field: Members; kind: FieldKind; pointer: string };

function readKey(reader: MemberReader, value: unknown, pointer: string): string {
  const key = typeof value === "string" ? value : "";
  if (value === undefined) reader.missing(pointer, "1 to 64 of A-Z a-z 0-9 _ . -");
  else if (!fieldKey.test(key) || key === "__proto__") {
    reader.fault(pointer, `must be 1 to 64 of A-Z a-z 0-9 _ . -, not ${JSON.stringify(value)}`);
  }
  return key;
}

function readDefault(reader: MemberReader, at: At, maxLength: number | undefined): string | undefined {
  const pointer = `${at.pointer}/default`;
  if (at.field.default === undefined) {
    if (at.kind === "Static") reader.missing(pointer, 'text, which may be "", since the field is Static');
    return undefined;
  }
  if (at.kind === "Computed") {
    reader.fault(pointer, "cannot stand on a Computed field, which takes its value from source: remove it");
  }
  const value = reader.text(at.field.default, pointer, { max: longestValue, min: 0 });
  const length = [...value].length;
  if (maxLength !== undefined && length > maxLength && length <= longestValue) {
    reader.fault(pointer, `must not be longer than max_length, ${maxLength} characters, and has ${length}`);
  }
  return value;
}

function readMaxLength(reader: MemberReader, { field, kind, pointer }: At): number | undefined {
  const value = field.max_length;
  if (value === undefined) return undefined;
  if (kind === "Computed")
    reader.warn(`${pointer}/max_length`, "has no effect on a Computed field: remove it");
  if (typeof value === "number" && Number.isInteger(value) && value >= 1 && value <= longestValue)
    return value;
  reader.fault(
    `${pointer}/max_length`,
    `must be a whole number from 1 to ${longestValue}, not ${JSON.stringify(value)}`,
  );
  return undefined;
}

/** What decides is whether there is a default; `required` can only agree. */
function readRequired(reader: MemberReader, { field, kind, pointer }: At): boolean | undefined {
  const { required } = field;
  if (required === undefined) return undefined;
  const at = `${pointer}/required`;
  if (typeof required !== "boolean") {
    reader.fault(at, `must be true or false, not ${JSON.stringify(required)}`);
    return undefined;
  }
  const isRequired = kind === "Placeholder" && field.default === undefined;
  if (required && !isRequired) {
    const remedy = kind === "Placeholder" ? "remove it, or the default" : "remove it";
    reader.warn(at, `has no effect, since the field has a value without being given one: ${remedy}`);
  }
  if (!required && isRequired) {
    reader.warn(
      at,
      "has no effect: a Placeholder without a default is required in any case; give it a default",
    );
  }
  return required;
}

function readSource(reader: MemberReader, { field, kind, pointer }: At): ComputedSource | undefined {
  const at = `${pointer}/source`;
  if (kind === "Computed") return reader.oneOf(field.source, at, computedSources);
  if (field.source !== undefined) {
    reader.fault(at, `belongs to Computed fields only: remove it, or make the field Computed`);
  }
  return undefined;
}

function readChangeMessage(reader: MemberReader, { field, pointer }: At): string | undefined {
  if (field.change_message === undefined) return undefined;
  const at = `${pointer}/change_message`;
  const message = reader.text(field.change_message, at, { max: 200 });
  if (message !== "" && !message.includes("%@")) {
    reader.warn(
      at,
      "has no %@, so an iPhone tells of the change in general words: put %@ where the new value belongs",
    );
  }
  return message;
}
