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
  if (schema.type === "object") return objectOf(schema);
  const variants = schema.oneOf ?? schema.anyOf;
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
    default:
      throw new Error(`no type for a schema with ${known.join(", ")}: teach ${here}`);
  }
}

function objectOf({ properties, required = [], additionalProperties, oneOf = [] }) {
  if (properties === undefined) {
    const values = typeof additionalProperties === "object" ? typeOf(additionalProperties) : "unknown";
    return `Record<string, ${values}>`;
  }
  const choices = oneOf.flatMap((choice) => choice.required);
  const common = Object.keys(properties).filter((name) => !choices.includes(name));
  const membersOf = (names, isRequired) =>
    names.map((name) => memberOf(name, properties[name], isRequired(name))).join("\n");
  const all = `{\n${membersOf(common, (name) => required.includes(name))}\n}`;
  if (choices.length === 0) return all;
  // Exactly one of them: each choice says of the others that they are not there.
  const variants = choices.map((chosen) => {
    const others = choices
      .filter((name) => name !== chosen)
      .map((name) => `${JSON.stringify(name)}?: undefined;`);
    return `{\n${[membersOf([chosen], () => true), ...others].join("\n")}\n}`;
  });
  return `${all} & (${variants.join(" | ")})`;
}

function memberOf(name, schema, isRequired) {
  // «| undefined» so that a caller may pass on what he does not have: JSON leaves it out.
  const type = `${typeOf(schema)}${isRequired ? "" : " | undefined"}`;
  return `${comment([schema.description])}${JSON.stringify(name)}${isRequired ? "" : "?"}: ${type};`;
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
