import type { Answer, Example, JsonSchema, Route } from "../route.ts";
import type { Components } from "./components.ts";
import { errorResponses } from "./errors.ts";
import { headerRefs } from "./headers.ts";
import { parametersOf } from "./parameters.ts";
import { securityOf } from "./security.ts";

/** A row of the route table as an operation of the document. */
export function operationOf(row: Route, components: Components): Record<string, unknown> {
  const parameters = parametersOf(row).map((parameter) =>
    "schema" in parameter ? { ...parameter, schema: components.take(parameter.schema) } : parameter,
  );
  return {
    operationId: row.operationId,
    tags: [row.tag],
    summary: row.summary,
    description: row.description,
    security: securityOf(row),
    ...(parameters.length > 0 && { parameters }),
    ...requestBody(row, components),
    responses: { ...errorResponses(row, components), ...answersOf(row, components) },
  };
}

function requestBody(row: Route, components: Components): { requestBody?: unknown } {
  const ownBody =
    row.body === null ? {} : { "application/json": { schema: row.body, examples: row.examples ?? {} } };
  const bodies = Object.entries({ ...ownBody, ...row.bodies });
  if (bodies.length === 0) return {};
  const content = bodies.map(([mediaType, { schema, examples }]) => [
    mediaType,
    contentOf(schema, examples, components),
  ]);
  return { requestBody: { required: true, content: Object.fromEntries(content) } };
}

function contentOf(
  schema: JsonSchema,
  examples: Readonly<Record<string, Example>>,
  components: Components,
): Record<string, unknown> {
  return { schema: components.take(schema), examples };
}

/** An answer stands beside an error of the same status: a page that is not found is no error object. */
function answersOf(row: Route, components: Components): Record<string, unknown> {
  return Object.fromEntries(
    row.answers.map((answer) => [String(answer.status), responseOf(row, answer, components)]),
  );
}

function responseOf(row: Route, answer: Answer, components: Components): Record<string, unknown> {
  const replayable = row.idempotent === true && answer.status < 300;
  const headers = headerRefs(row, [
    ...(answer.headers ?? []),
    ...(replayable ? (["Idempotent-Replayed"] as const) : []),
  ]);
  return { description: answer.description, headers, ...answerContent(answer, components) };
}

function answerContent(answer: Answer, components: Components): { content?: unknown } {
  const { schema, example } = answer;
  const mediaTypes = answer.mediaTypes ?? (schema === null ? [] : ["application/json"]);
  if (mediaTypes.length === 0) return {};
  const examples = { usual: { summary: answer.description, value: example } };
  const content = schema === null ? {} : contentOf(schema, examples, components);
  return { content: Object.fromEntries(mediaTypes.map((mediaType) => [mediaType, content])) };
}
