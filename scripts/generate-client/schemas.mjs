// The document's schemas as TypeScript types.

const prefix = "#/components/schemas/";

/** Names that mean something else to whoever reads TypeScript. */
const renamed = { Error: "ErrorObject", Event: "AnalyticsEvent" };

/** What the client itself speaks of, besides what its methods take and answer. */
const ownSchemas = ["TokenResponse", "Error", "Problem"];

/** `PassResponse` is a Pass, `PassListResponse` a PassList. */
function typeName(component) {
  return renamed[component] ?? component.replace(/Response$/, "");
}

/** schemas.ts: a type for every schema that the methods, the events and the client itself need. */
export function schemaFile(document, methods) {
  const { schemas } = document.components;
  const events = Object.values(document.webhooks).map(
    ({ post }) => post.requestBody.content["application/json"].schema,
  );
  const used = new Set();
  const use = (schema) => {
    for (const component of componentsIn(schema)) {
      if (used.has(component)) continue;
      used.add(component);
      use(schemas[component]);
    }
  };
  for (const { body, answer, item, query } of methods) use([body, item ?? answer, query]);
  use(events);
  use(ownSchemas.map((component) => ({ $ref: prefix + component })));

  const inOrder = Object.keys(schemas).filter((component) => used.has(component));
  const names = inOrder.map(typeName);
  const twice = names.filter((name, index) => names.indexOf(name) !== index);
  if (twice.length > 0) throw new Error(`two schemas are the type ${twice.join(", ")}: see ${here}`);
  const types = inOrder.map((component) => {
    const { description, ...schema } = schemas[component];
    return `${comment([description])}export type ${typeName(component)} = ${typeOf(schema, component)};\n`;
  });
  const union = `${comment(["What a webhook delivers. More types may be added: let what you do not know pass."])}export type WebhookEvent = ${events.map((schema) => typeOf(schema)).join(" | ")};\n`;
  return [...types, union].join("\n");
}

const here = "scripts/generate-client/schemas.mjs";

/** A schema as a type, in one line or many: the formatter makes it readable. */
export function typeOf(schema, component) {
  const known = Object.keys(schema);
  if (schema.$ref !== undefined) return typeName(schema.$ref.slice(prefix.length));
  if (schema.const !== undefined) return JSON.stringify(schema.const);
  if (schema.enum !== undefined) {
    const words = schema.enum.map((word) => JSON.stringify(word)).join(" | ");
    // The document promises more words; the empty object keeps editors proposing those that there are.
    return component === "ErrorCode" ? `${words} | (string & {})` : words;
  }
  // «Exactly one of these members» is a rule of an object, not a choice of types; its type stays the readable one.
  const isRule =
    schema.type === "object" && schema.oneOf?.every((one) => Object.keys(one).join() === "required");
  const variants = isRule ? undefined : (schema.oneOf ?? schema.anyOf);
  if (variants !== undefined) return variants.map((variant) => typeOf(variant)).join(" | ");
  if (Array.isArray(schema.type)) {
    return schema.type.map((type) => typeOf({ ...schema, type })).join(" | ");
  }
  switch (schema.type) {
    case "null":
    case "boolean":
    case "string":
      return schema.type;
    case "integer":
    case "number":
      return "number";
    case "array":
      return `Array<${typeOf(schema.items)}>`;
    case "object":
      return objectOf(schema);
    default:
      throw new Error(`no type for a schema with ${known.join(", ")}: teach ${here}`);
  }
}

function objectOf({ properties, required = [], additionalProperties }) {
  if (properties === undefined) {
    const values = typeof additionalProperties === "object" ? typeOf(additionalProperties) : "unknown";
    return `Record<string, ${values}>`;
  }
  const members = Object.entries(properties).map(([name, schema]) => {
    const isRequired = required.includes(name);
    // «| undefined» so that a caller may pass on what he does not have: JSON leaves it out.
    const type = `${typeOf(schema)}${isRequired ? "" : " | undefined"}`;
    return `${comment([schema.description])}${JSON.stringify(name)}${isRequired ? "" : "?"}: ${type};`;
  });
  return `{\n${members.join("\n")}\n}`;
}

/** Paragraphs as a doc comment, in lines of at most 112 characters. */
export function comment(paragraphs) {
  const lines = paragraphs
    .filter((paragraph) => paragraph !== undefined && paragraph !== "")
    .flatMap((paragraph, index) => [
      ...(index > 0 ? [""] : []),
      ...wrapped(paragraph.replaceAll("*/", "*\\/")),
    ]);
  if (lines.length === 0) return "";
  if (lines.length === 1) return `/** ${lines[0]} */\n`;
  return `/**\n${lines.map((line) => ` * ${line}`.trimEnd()).join("\n")}\n */\n`;
}

function wrapped(text) {
  const lines = [""];
  for (const word of text.split(/\s+/)) {
    const line = lines.at(-1);
    if (line !== "" && line.length + word.length > 104) lines.push(word);
    else lines[lines.length - 1] = line === "" ? word : `${line} ${word}`;
  }
  return lines;
}

/** The components that a schema refers to, in any depth of its own. */
function componentsIn(schema) {
  if (Array.isArray(schema)) return schema.flatMap(componentsIn);
  if (typeof schema !== "object" || schema === null) return [];
  const { $ref, discriminator, ...rest } = schema;
  const own = typeof $ref === "string" ? [$ref.slice(prefix.length)] : [];
  return [...own, ...Object.values(rest).flatMap(componentsIn)];
}
