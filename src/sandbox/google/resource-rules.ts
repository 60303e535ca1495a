import { apiError, invalid } from "./api-error.ts";
import { isUnset } from "./enums.ts";
import { atMost, isText, messageRules } from "./message-rules.ts";
import { type FieldViolation, isObject, type Json, type JsonObject, type Reader } from "./proto-json.ts";
import { outputOnly, type ResourceType, requiredMembers } from "./resource-shapes.ts";

/** At most so many items of a repeated member, on each class and on each object. */
const limits = {
  messages: 10,
  textModulesData: 10,
  imageModulesData: 1,
  merchantLocations: 10,
  locations: 20,
  valueAddedModuleData: 15,
};

/** A body as a message of this type, read-only members left out; 400 naming every member that is wrong. */
export function readResource(
  reader: Reader,
  type: ResourceType | "AddMessageRequest",
  body: unknown,
  options = { keepNulls: false },
): JsonObject {
  const violations: FieldViolation[] = [];
  const resource = reader.read(type, body, violations, options);
  if (violations.length > 0) {
    const message = violations.map(({ description }) => description).join("\n");
    throw apiError(400, message, { domain: "global", reason: "invalid", details: violations });
  }
  for (const name of outputOnly) delete resource[name];
  return resource;
}

/** JSON merge patch (RFC 7396): objects merge, arrays are replaced, null removes. */
export function mergePatch(target: JsonObject, patch: JsonObject): JsonObject {
  const merged: JsonObject = { ...target };
  for (const [name, value] of Object.entries(patch)) {
    if (value === null) delete merged[name];
    else if (isObject(value)) {
      const before = merged[name];
      merged[name] = mergePatch(isObject(before) ? (before as JsonObject) : {}, value as JsonObject);
    } else merged[name] = value;
  }
  return merged;
}

/** Refuses a whole resource, as it would be stored, that breaks a rule of its type: 400 naming all of them. */
export function checkResource(reader: Reader, type: ResourceType, resource: JsonObject): void {
  const faults = [...missing(type, resource), ...excesses(resource), ...colours(resource)];
  reader.walk(type, resource, (shape, message, path) => {
    for (const complaint of messageRules[shape]?.(message) ?? []) {
      if (complaint !== false) faults.push(`${path}${complaint}`.replace(/^[. ]/, ""));
    }
    if (shape === "FieldReference" && !isFieldPath(reader, type, message.fieldPath)) {
      faults.push(`${path}.fieldPath does not name a field: ${JSON.stringify(message.fieldPath ?? null)}`);
    }
  });
  if (faults.length > 0) throw invalid(`Request contains an invalid argument. ${faults.join("; ")}.`);
}

/** Required and there, but without a text to show. */
const isBlank = (value: Json | undefined): boolean =>
  isObject(value) && isObject(value.defaultValue) && !isText(value.defaultValue.value as Json | undefined);

function missing(type: ResourceType, resource: JsonObject): string[] {
  return requiredMembers[type]
    .filter((name) => {
      const value = resource[name];
      return value === undefined || value === "" || isUnset(value) || isBlank(value);
    })
    .map((name) => `${name} must be set`);
}

function excesses(resource: JsonObject): string[] {
  return Object.entries(limits)
    .map(([name, limit]) => atMost(limit, name, resource[name]))
    .filter((fault) => fault !== false);
}

/** `#rrggbb`, or its shorthand `#rgb`. */
function colours({ hexBackgroundColor }: JsonObject): string[] {
  if (hexBackgroundColor === undefined) return [];
  const right = /^#([0-9a-fA-F]{3}){1,2}$/.test(String(hexBackgroundColor));
  return right ? [] : [`hexBackgroundColor must be like #ffcc00: ${JSON.stringify(hexBackgroundColor)}`];
}

/** `class.title`, `object.textModulesData['points']`: the first member must be one of the class or the object. */
function isFieldPath(reader: Reader, type: ResourceType, path: Json | undefined): boolean {
  const parts = /^(class|object)\.([A-Za-z]\w*)(\[('[^']+'|"[^"]+"|\d+)\])?(\.[A-Za-z]\w*)*$/.exec(
    String(path),
  );
  const side = parts?.[1] === "class" ? "Class" : "Object";
  return parts !== null && reader.knows(type.replace(/Class$|Object$/, side), parts[2] ?? "");
}
