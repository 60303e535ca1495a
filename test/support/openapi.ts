import { Ajv2020, type ValidateFunction } from "ajv/dist/2020.js";
import formats from "ajv-formats";

/** As much of an OpenAPI document as tests look into. */
export type Document = {
  paths: Record<string, Record<string, Operation>>;
  webhooks: Record<string, { post: Operation }>;
  components: Record<string, Record<string, Json>>;
};

export type Operation = {
  operationId: string;
  tags: string[];
  summary: string;
  description: string;
  security: Record<string, string[]>[];
  parameters?: Json[];
  requestBody?: { content: Record<string, Content> };
  responses: Record<string, { description: string; headers?: Json; content?: Record<string, Content> }>;
};

export type Content = { schema?: Json; examples?: Record<string, { summary: string; value: unknown }> };

/** What a document holds is looked into, not typed. */
export type Json = Record<string, ReturnType<typeof JSON.parse>>;

export type Answer = {
  status: number;
  headers: Record<string, unknown>;
  text: string;
  json: unknown;
};

/** Validates values against the schemas of a document, which may be found anywhere in it by a JSON pointer. */
export function schemasOf(document: Document) {
  const ajv = new Ajv2020({ allErrors: true, strict: false, validateSchema: false });
  // It is a function of a CommonJS module, which TypeScript takes for a namespace.
  (formats as unknown as (of: Ajv2020) => void)(ajv);
  for (const format of ["int32", "int64", "uri-template", "iri", "password"]) ajv.addFormat(format, true);
  ajv.addSchema(closed(document) as Json, "openapi");
  const compiled = new Map<string, ValidateFunction>();
  /** What is wrong with a value; empty when nothing is. */
  return (pointer: readonly string[], value: unknown): string[] => {
    const $ref = `openapi#/${pointer.map(pointerPart).join("/")}`;
    const validate = compiled.get($ref) ?? ajv.compile({ $ref });
    compiled.set($ref, validate);
    if (validate(value)) return [];
    return (validate.errors ?? []).map(
      ({ instancePath, message, params }) => `${instancePath} ${message} ${JSON.stringify(params)}`,
    );
  };
}

/**
 * A document whose objects take no member but the named ones. The published one leaves that open, so that members can
 * be added; what is sent today must be what is written today.
 */
function closed(part: unknown): unknown {
  if (Array.isArray(part)) return part.map(closed);
  if (typeof part !== "object" || part === null) return part;
  const entries = Object.entries(part).map(([name, value]) => [
    name,
    name === "examples" ? value : closed(value),
  ]);
  const copy = Object.fromEntries(entries) as Json;
  const isObject = copy.type === "object" && "properties" in copy && !("additionalProperties" in copy);
  return isObject ? { ...copy, additionalProperties: false } : copy;
}

function pointerPart(name: string): string {
  return encodeURIComponent(name.replaceAll("~", "~0").replaceAll("/", "~1"));
}

/** Checks answers of the service against what its document says of the operation, or says what does not agree. */
export function createAnswerCheck(document: Document) {
  const faults = schemasOf(document);
  const find = operationFinder(document);
  return (method: string, path: string, answer: Answer): string[] => {
    const found = find(method, path);
    // Errors of paths and methods that there are not, and of framing, are no operation's: they bear the error object.
    if (found === undefined) {
      const isError = answer.status >= 400 && answer.json !== undefined;
      return isError ? faults(["components", "schemas", "Error"], answer.json) : [];
    }
    const { template, verb, operation } = found;
    const at = `${method} ${template}: ${answer.status}`;
    const response = operation.responses[answer.status];
    if (response === undefined) return [`${at} is not documented`];
    const missing = requiredHeaders(document, response.headers ?? {}).filter(
      (name) => answer.headers[name.toLowerCase()] === undefined,
    );
    const faultsOfHeaders = missing.map((name) => `${at} lacks the header ${name}`);
    if (answer.text === "") return faultsOfHeaders;
    const mediaType = String(answer.headers["content-type"]).split(";")[0] ?? "";
    const content = response.content?.[mediaType];
    if (content === undefined) return [...faultsOfHeaders, `${at} as ${mediaType} is not documented`];
    if (content.schema === undefined) return faultsOfHeaders;
    const pointer = [
      "paths",
      template,
      verb,
      "responses",
      String(answer.status),
      "content",
      mediaType,
      "schema",
    ];
    return [...faultsOfHeaders, ...faults(pointer, answer.json).map((fault) => `${at}${fault}`)];
  };
}

function requiredHeaders(document: Document, headers: Json): string[] {
  return Object.keys(headers).filter((name) => document.components.headers?.[name]?.required === true);
}

/** Finds the operation of a path; literal paths win, as in the router. */
export function operationFinder(document: Document) {
  const templates = Object.keys(document.paths)
    .map((template) => ({ template, shape: shapeOf(template), holes: template.split("{").length }))
    .sort((one, other) => one.holes - other.holes);
  return (method: string, path: string) => {
    const verb = method === "HEAD" ? "get" : method.toLowerCase();
    for (const { template, shape } of templates) {
      const operation = document.paths[template]?.[verb];
      if (operation !== undefined && shape.test(path)) return { template, verb, operation };
    }
    return undefined;
  };
}

function shapeOf(template: string): RegExp {
  const literal = template.split(/\{[^}]+\}/).map((part) => part.replace(/[.*+?^${}()|[\]\\]/g, "\\$&"));
  return new RegExp(`^${literal.join("[^/]+")}$`);
}
