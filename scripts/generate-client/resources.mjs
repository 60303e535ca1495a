// A file for each resource with a method for each of its operations, and the file that puts them together.

import { comment, typeOf } from "./schemas.mjs";

/** Files by name. */
export function resourceFiles(document, methods) {
  const byResource = Map.groupBy(methods, ({ resource }) => resource);
  const describedBy = new Map(
    document.tags.map(({ name, description }) => [name.toLowerCase(), description]),
  );
  const files = [...byResource].map(([resource, own]) => [
    `${resource}.ts`,
    resourceFile(resource, own, describedBy.get(resource)),
  ]);
  return { ...Object.fromEntries(files), "resources.ts": resourcesFile([...byResource.keys()]) };
}

function resourceFile(resource, methods, description) {
  const queries = methods.filter(({ query }) => query.length > 0);
  const code = [
    ...queries.map(queryType),
    `${comment([description])}export function create${capitalized(resource)}(send: Send) {
      return {
        ${methods.map(methodText).join("\n\n")}
      };
    }\n`,
  ].join("\n");
  return `${importsOf(code)}\n${code}`;
}

function queryType({ operationId, query }) {
  const isPaged = pageParameters.every((wanted) => query.some(({ name }) => name === wanted));
  const own = query.filter(({ name }) => !isPaged || !pageParameters.includes(name));
  const members = own.map(({ name, description, schema }) => {
    const preset = schema.default === undefined ? "" : `Without it: ${schema.default}.`;
    return `${comment([`${description} ${preset}`.trim()])}${name}?: ${typeOf(schema)} | undefined;`;
  });
  const parts = [
    ...(isPaged ? ["PageQuery"] : []),
    ...(members.length > 0 ? [`{\n${members.join("\n")}\n}`] : []),
  ];
  return `export type ${queryName(operationId)} = ${parts.join(" & ")};\n`;
}

const pageParameters = ["page", "page_size"];

function methodText(method) {
  const { summary, description, codes, scopes, answer, item } = method;
  const refusals = codes.length === 0 ? "" : `Refusals: ${codes.map((code) => `\`${code}\``).join(", ")}.`;
  const scope = scopes.length === 0 ? "" : `Scope: \`${scopes.join(" ")}\`.`;
  const doc = comment([`${summary}.`, description, `${scope} ${refusals}`.trim()]);
  const parameters = parametersOf(method).join(", ");
  if (item !== null) {
    return `${doc}${method.method}(${parameters}): List<${typeOf(item)}> {
      return listOf(send, ${callOf(method)}, options);
    },`;
  }
  return `${doc}${method.method}(${parameters}): Promise<${answer === null ? "void" : typeOf(answer)}> {
    return send(${callOf(method)}, options);
  },`;
}

function parametersOf({ pathParameters, body, query, operationId, isIdempotent }) {
  return [
    ...pathParameters.map(({ name }) => `${name}: string`),
    ...(body === null ? [] : [`body: ${typeOf(body)}`]),
    ...(query.length === 0 ? [] : [`query: ${queryName(operationId)} = {}`]),
    `options: ${isIdempotent ? "MutationOptions" : "CallOptions"} = {}`,
  ];
}

function callOf({ verb, path, pathParameters, body, query, isIdempotent }) {
  const members = [
    `method: ${JSON.stringify(verb)}`,
    `path: ${JSON.stringify(path)}`,
    ...(pathParameters.length === 0
      ? []
      : [`params: { ${pathParameters.map(({ name }) => name).join(", ")} }`]),
    ...(query.length === 0 ? [] : ["query"]),
    ...(body === null ? [] : ["body"]),
    ...(isIdempotent ? ["idempotent: true"] : []),
  ];
  return `{ ${members.join(", ")} }`;
}

function resourcesFile(resources) {
  const imports = resources.map(
    (resource) => `import { create${capitalized(resource)} } from "./${resource}.ts";`,
  );
  const exports = resources.map((resource) => `export type * from "./${resource}.ts";`);
  const members = resources.map((resource) => `${resource}: create${capitalized(resource)}(send),`);
  return `import type { Send } from "../call.ts";
${imports.sort().join("\n")}

${exports.sort().join("\n")}

/** Every operation that holders of a token may call, by resource. */
export function createResources(send: Send) {
  return {
    ${members.join("\n")}
  };
}
`;
}

/** Only what the code names, sorted as the linter wants it. */
function importsOf(code) {
  const isUsed = (name) => new RegExp(`\\b${name}\\b`).test(code);
  const schemas = [...new Set(code.match(/(?<=[:<]\s?|: Promise<|: List<)[A-Z]\w+/g))]
    .filter((name) => !own.includes(name) && !new RegExp(`export type ${name} `).test(code))
    .sort();
  const calls = ["CallOptions", "MutationOptions", "Send"].filter(isUsed);
  return [
    `import type { ${calls.join(", ")} } from "../call.ts";`,
    ...(isUsed("listOf") ? ['import { type List, listOf, type PageQuery } from "../paging.ts";'] : []),
    `import type { ${schemas.join(", ")} } from "./schemas.ts";`,
    "",
  ].join("\n");
}

const own = ["CallOptions", "MutationOptions", "Send", "List", "PageQuery", "Promise", "Array", "Record"];

function queryName(operationId) {
  return `${capitalized(operationId)}Query`;
}

function capitalized(word) {
  return word.charAt(0).toUpperCase() + word.slice(1);
}
