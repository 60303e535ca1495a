import { readFileSync } from "node:fs";
import { createRequire } from "node:module";

/** Members of Google's schemas with their types, as @googleapis/walletobjects has them. */
export type GoogleSchemas = ReadonlyMap<string, ReadonlyMap<string, string>>;

/** Google's own types of its Wallet API, which it generates from the description of the API. */
export function readGoogleTypes(): GoogleSchemas {
  const file = createRequire(import.meta.url).resolve("@googleapis/walletobjects/build/v1.d.ts");
  const text = readFileSync(file, "utf8").replaceAll(/\/\*\*[\s\S]*?\*\//g, "");
  const schemas = new Map<string, Map<string, string>>();
  for (const [, name = "", body = ""] of text.matchAll(/interface Schema\$(\w+) \{([^}]*)\}/g)) {
    const members = [...body.matchAll(/^\s*(\w+)\?: (.+);$/gm)];
    schemas.set(
      name,
      new Map(members.map(([, member = "", type = ""]) => [member, type.replace(/ \| null$/, "")])),
    );
  }
  return schemas;
}

/** The paths of members of a value, however deep, that Google's schema of that name does not have. */
export function unknownMembers(schemas: GoogleSchemas, schema: string, value: unknown, path = ""): string[] {
  if (Array.isArray(value)) {
    return value.flatMap((item, i) => unknownMembers(schemas, schema, item, `${path}[${i}]`));
  }
  if (typeof value !== "object" || value === null) return [];
  return Object.entries(value).flatMap(([name, item]) => {
    const at = path === "" ? name : `${path}.${name}`;
    const type = schemas.get(schema)?.get(name);
    if (type === undefined) return [at];
    const [, nested] = /^Schema\$(\w+)/.exec(type) ?? [];
    return nested === undefined ? [] : unknownMembers(schemas, nested, item, at);
  });
}
