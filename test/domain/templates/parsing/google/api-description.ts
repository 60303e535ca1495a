import t from "tap";
import { enumerations, schemas } from "../../../../../src/domain/templates/parsing/google/api-description.ts";
import { schemaRules } from "../../../../../src/domain/templates/parsing/google/member-rules.ts";
import { readGoogleTypes } from "../../../../support/google-types.ts";

const google = readGoogleTypes();
const remedy = "run scripts/generate-google-members.mjs";

/** A type of ours, as TypeScript and JSON have it. */
function asGoogle(type: string): string {
  if (type.endsWith("[]")) return `${asGoogle(type.slice(0, -2))}[]`;
  if (type.startsWith("enum.") || type === "int64") return "string";
  if (type === "int32" || type === "double") return "number";
  return Object.hasOwn(schemas, type) ? `Schema$${type}` : type;
}

t.test("the schemas are those of Google's types, member by member", async (t) => {
  t.ok(Object.keys(schemas).length > 80);
  for (const [name, described] of Object.entries(schemas)) {
    const members = described.split(" ").map((word): [string, string] => {
      const [member = "", type = "string"] = word.split(":");
      return [member, asGoogle(type)];
    });
    const theirs = [...(google.get(name) ?? [])].map(([member, type]) => [member, type]);
    t.strictSame(members.sort(), theirs.sort(), `${name}: ${remedy}`);
  }
});

t.test("every schema that one of them names is there, and every enumeration", async (t) => {
  const types = Object.values(schemas).flatMap((text) =>
    text.split(" ").map((word) => word.split(":")[1] ?? ""),
  );
  for (const type of new Set(types.map((name) => name.replace("[]", "")))) {
    const [, enumeration] = /^enum\.(.*)/.exec(type) ?? [];
    if (enumeration !== undefined) t.ok(enumerations[enumeration], type);
    else if (/^[A-Z]/.test(type)) t.ok(schemas[type], type);
  }
});

t.test("what is said of a member beyond its type, is said of one that there is", async (t) => {
  for (const [name, { required = [], oneOf = [], members = {} }] of Object.entries(schemaRules)) {
    for (const member of [...required, ...oneOf, ...Object.keys(members)]) {
      t.ok(google.get(name)?.has(member), `${name}.${member}`);
    }
  }
});
