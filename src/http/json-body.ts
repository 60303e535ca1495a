import { invalidRequest, type Violation } from "../domain/errors.ts";

const deepestLevel = 32;
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

/**
 * Members named `__proto__`, which a careless copy turns into a prototype, and lone surrogates, which no UTF-8 can hold.
 * Walks with a list, not by recursion: nesting is the sender's choice.
 */
function hiddenFaults(root: object): Violation[] {
  const violations: Violation[] = [];
  const pending: { path: string; value: unknown; level: number }[] = [{ path: "", value: root, level: 1 }];
  for (let next = pending.pop(); next !== undefined; next = pending.pop()) {
    const { path, value, level } = next;
    if (typeof value === "string" && !value.isWellFormed()) {
      violations.push({ path, message: "must be well-formed Unicode" });
    }
    if (typeof value !== "object" || value === null) continue;
    if (level > deepestLevel)
      return [{ path: "", message: `must not nest deeper than ${deepestLevel} levels` }];
    for (const [name, member] of Object.entries(value)) {
      const at = `${path}/${pointerPart(name)}`;
      if (name === "__proto__") violations.push({ path: at, message: "is not a name that may be used" });
      else if (!name.isWellFormed())
        violations.push({ path, message: "has a member whose name is not Unicode" });
      else pending.push({ path: at, value: member, level: level + 1 });
    }
  }
  return violations;
}

/** A member's name within a JSON pointer (RFC 6901 section 3). */
export function pointerPart(name: string): string {
  return name.replaceAll("~", "~0").replaceAll("/", "~1");
}
