import { pageTokensPattern } from "../page-tokens.ts";
import type { JsonSchema } from "../route.ts";

/** What formats of our own are to everybody else: keywords in their place. */
const publicFormats: Readonly<Record<string, { format: string } | { pattern: string }>> = {
  "webhook-url": { format: "iri" },
  "webhook-secret": { format: "password" },
  "page-tokens": { pattern: pageTokensPattern },
};

/**
 * Takes schemas into a document: one with a title becomes a component, and every use of it a reference. What a schema's
 * keywords imply, and linters and generators like to see written, is written.
 */
export function createComponents() {
  const components = new Map<string, { text: string; schema: Record<string, unknown> }>();

  function take(schema: JsonSchema): Record<string, unknown> {
    const { title, ...rest } = schema;
    if (typeof title !== "string") return complete(rest);
    const { description, ...bare } = rest;
    const text = JSON.stringify(bare);
    const known = components.get(title);
    if (known === undefined) {
      const entry = { text, schema: {} };
      // Before its parts are taken, so that the order is the order of reading.
      components.set(title, entry);
      Object.assign(entry.schema, { ...(description !== undefined && { description }), ...complete(bare) });
    } else if (known.text !== text) {
      throw new Error(`two schemas have the title ${title}`);
    } else if (description !== undefined && known.schema.description === undefined) {
      known.schema.description = description;
    }
    const $ref = `#/components/schemas/${title}`;
    const own = description !== undefined && description !== components.get(title)?.schema.description;
    return own ? { $ref, description } : { $ref };
  }

  function complete(schema: JsonSchema): Record<string, unknown> {
    const found: Record<string, unknown> = {};
    for (const [keyword, value] of Object.entries(schema)) found[keyword] = taken(keyword, value);
    if (isChoiceOfMembers(schema)) found.oneOf = describedChoices(schema, found);
    const types = [schema.type].flat();
    if (types.includes("integer")) {
      found.format = Number(schema.maximum) <= 2_147_483_647 ? "int32" : "int64";
    }
    if (schema.format === "uuid") found.maxLength = 36;
    const inPublic = publicFormats[String(schema.format)];
    if (inPublic !== undefined) {
      delete found.format;
      Object.assign(found, inPublic);
    }
    return schema.discriminator === undefined ? found : tagged(schema, found);
  }

  function taken(keyword: string, value: unknown): unknown {
    if (keyword === "properties" || keyword === "patternProperties") {
      const members = Object.entries(value as Record<string, JsonSchema>);
      return Object.fromEntries(members.map(([name, member]) => [name, take(member)]));
    }
    if (keyword === "items" || keyword === "additionalProperties") {
      return typeof value === "object" ? take(value as JsonSchema) : value;
    }
    if (keyword === "oneOf" || keyword === "anyOf" || keyword === "allOf") {
      return (value as JsonSchema[]).map(take);
    }
    return value;
  }

  /** Linters look for a required member beside the word that requires it. */
  function describedChoices(schema: MemberChoices, found: Record<string, unknown>): unknown[] {
    const properties = found.properties as Record<string, unknown>;
    return schema.oneOf.map(({ required }) => ({
      required,
      properties: Object.fromEntries(required.map((name) => [name, properties[name]])),
    }));
  }

  /** A union told apart by one member: the variants say all of it, and OpenAPI wants to know which word means which. */
  function tagged(schema: JsonSchema, found: Record<string, unknown>): Record<string, unknown> {
    const { propertyName } = schema.discriminator as { propertyName: string };
    const variants = schema.oneOf as { properties: Record<string, { const: string }> }[];
    const refs = found.oneOf as { $ref: string }[];
    const mapping = Object.fromEntries(
      variants.map(({ properties }, index) => [properties[propertyName]?.const, refs[index]?.$ref]),
    );
    return { oneOf: refs, discriminator: { propertyName, mapping } };
  }

  return {
    take,
    schemas: () => Object.fromEntries([...components].map(([title, { schema }]) => [title, schema])),
  };
}

type MemberChoices = JsonSchema & { oneOf: readonly { required: string[] }[] };

/** What `exactlyOneOf` makes of an object. */
function isChoiceOfMembers(schema: JsonSchema): schema is MemberChoices {
  const { properties, oneOf } = schema as { properties?: object; oneOf?: readonly object[] };
  return properties !== undefined && oneOf?.every((one) => Object.keys(one).join() === "required") === true;
}

export type Components = ReturnType<typeof createComponents>;
