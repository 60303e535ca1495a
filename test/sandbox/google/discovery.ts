import { readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { dirname, join } from "node:path";
import t from "tap";
import { nestedShapes } from "../../../src/sandbox/google/nested-shapes.ts";
import { resourceShapes } from "../../../src/sandbox/google/resource-shapes.ts";

// Google's client library is generated from the discovery document, with a type for each message.
const entry = createRequire(import.meta.url).resolve("@googleapis/walletobjects");
const types = readFileSync(join(dirname(entry), "v1.d.ts"), "utf8");

/** Members with their types, such as `string`, `string[]` or `Schema$Barcode`. */
function membersOf(message: string): Record<string, string> {
  const name = `${message[0]?.toUpperCase()}${message.slice(1)}`;
  const body = new RegExp(`interface Schema\\$${name} \\{([\\s\\S]*?)\\n    \\}`).exec(types)?.[1] ?? "";
  const members = [...body.matchAll(/^ {8}(\w+)\?: (.*);$/gm)];
  return Object.fromEntries(members.map(([, member, type = ""]) => [member, type.replace(" | null", "")]));
}

/** The same of the sandbox's own description, `name:type` words. */
function ours(shape: string, members: Record<string, string>): Record<string, string> {
  const words = shape.split(/\s+/).filter((word) => word !== "");
  return Object.fromEntries(
    words.map((word) => {
      const [name = "", type = "string"] = word.split(":");
      // The sandbox fills it in itself, and reads whatever a client sends there.
      if (type === "any") return [name, members[name] ?? "nothing"];
      return [name, type.replace(/^[\w.]+/, typeName)];
    }),
  );
}

function typeName(type: string): string {
  if (type.startsWith("enum.") || type === "int64") return "string";
  if (type === "double" || type === "int32") return "number";
  return /^[A-Z]/.test(type) ? `Schema$${type}` : type;
}

for (const [message, shape] of Object.entries({ ...nestedShapes, ...resourceShapes })) {
  t.test(`a ${message} has the members of Google's own, each of its type`, async (t) => {
    const members = membersOf(message);
    t.not(Object.keys(members).length, 0);
    t.strictSame(ours(shape, members), members);
  });
}
