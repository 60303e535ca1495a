import { invalidRequest, type Violation } from "../domain/errors.ts";

const deepestLevel = 32;
/** As many as a batch has operations. */
const mostMembers = 10_000;
const utf8 = new TextDecoder("utf-8", { fatal: true });

/** The JSON object in a body. Rejects with invalid_request when it is not one, not UTF-8, or holds what no schema can see. */
export function parseJsonBody(contentType: string | undefined, bytes: Uint8Array): Record<string, unknown> {
  if (!isJson(contentType)) {
    throw invalidRequest([{ path: "Content-Type", message: "must be application/json" }]);
  }
  let value: unknown;
  try {
    value = JSON.parse(utf8.decode(bytes));
  } catch {
    throw invalidRequest([{ path: "", message: "must be JSON in UTF-8" }]);
  }
  if (typeof value !== "object" || value === null || Array.isArray(value)) {
    throw invalidRequest([{ path: "", message: "must be a JSON object" }]);
  }
  const violations = hiddenFaults(value);
  if (violations.length > 0) throw invalidRequest(violations);
  return value as Record<string, unknown>;
}

export function mediaType(contentType: string | undefined): string {
  return (contentType ?? "").split(";", 1)[0]?.trim().toLowerCase() ?? "";
}

function isJson(contentType: string | undefined): boolean {
  if (mediaType(contentType) !== "application/json") return false;
  const charset = /;\s*charset\s*=\s*"?([^";\s]+)/i.exec(contentType ?? "")?.[1];
  return charset === undefined || /^utf-?8$/i.test(charset);
}

/** Where a value stands: the path is only written for what is wrong. */
type Place = { within: Place; name: string } | null;

/**
 * Members named `__proto__`, which a careless copy turns into a prototype, and lone surrogates, which no UTF-8 can hold; and
 * more members than any schema takes, which would keep everybody waiting while each was found wrong.
 * Walks with a list, not by recursion: nesting is the sender's choice.
 */
function hiddenFaults(root: object): Violation[] {
  const violations: Violation[] = [];
  const pending: { place: Place; value: object; level: number }[] = [{ place: null, value: root, level: 1 }];
  for (let next = pending.pop(); next !== undefined; next = pending.pop()) {
    const { place, value, level } = next;
    if (level > deepestLevel)
      return [{ path: "", message: `must not nest deeper than ${deepestLevel} levels` }];
    const names = Object.keys(value);
    if (names.length > mostMembers) {
      // Of a list the schema says so.
      if (Array.isArray(value)) continue;
      return [{ path: pathOf(place), message: `must not have more than ${mostMembers} members` }];
    }
    for (const name of names) {
      const member = (value as Record<string, unknown>)[name];
      const path = (): string => pathOf({ within: place, name });
      if (name === "__proto__") violations.push({ path: path(), message: "is not a name that may be used" });
      else if (!name.isWellFormed())
        violations.push({ path: pathOf(place), message: "has a member whose name is not Unicode" });
      else if (typeof member === "string") {
        if (!member.isWellFormed()) violations.push({ path: path(), message: "must be well-formed Unicode" });
      } else if (typeof member === "object" && member !== null) {
        pending.push({ place: { within: place, name }, value: member, level: level + 1 });
      }
    }
  }
  return violations;
}

function pathOf(place: Place): string {
  return place === null ? "" : `${pathOf(place.within)}/${pointerPart(place.name)}`;
}

/** A member's name within a JSON pointer (RFC 6901 section 3). */
export function pointerPart(name: string): string {
  return name.replaceAll("~", "~0").replaceAll("/", "~1");
}
