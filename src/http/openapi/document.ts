import type { JsonSchema, Route } from "../route.ts";
import { createComponents } from "./components.ts";
import { headers } from "./headers.ts";
import { infoOf, tags } from "./info.ts";
import { operationOf } from "./operation.ts";
import { idempotencyKey, ifModifiedSince, ifNoneMatch } from "./parameters.ts";
import { securitySchemes } from "./security.ts";
import { webhooksOf } from "./webhooks.ts";

export type OpenApiDocument = {
  openapi: string;
  paths: Record<string, Record<string, unknown>>;
  webhooks: Record<string, unknown>;
  components: Record<string, Record<string, unknown>>;
} & Record<string, unknown>;

/** The OpenAPI 3.1 document of a route table, for the service at a base URL. */
export function createDocument(
  routes: readonly Route[],
  { baseUrl, version }: { baseUrl: string; version: string },
): OpenApiDocument {
  const components = createComponents();
  const paths: OpenApiDocument["paths"] = {};
  for (const row of routes) {
    paths[row.path] = { ...paths[row.path], [row.method.toLowerCase()]: operationOf(row, components) };
  }
  const webhooks = webhooksOf(components);
  const named = <Part extends { schema: JsonSchema }>(parts: Readonly<Record<string, Part>>) =>
    Object.fromEntries(
      Object.entries(parts).map(([name, part]) => [name, { ...part, schema: components.take(part.schema) }]),
    );
  const parameters = named({
    "Idempotency-Key": idempotencyKey,
    "If-None-Match": ifNoneMatch,
    "If-Modified-Since": ifModifiedSince,
  });
  const usedHeaders = named(headers);
  return {
    openapi: "3.1.0",
    info: infoOf(version),
    servers: [
      {
        url: baseUrl,
        description: "This installation, in production as in a local sandbox",
        "x-internal": false,
      },
    ],
    tags,
    paths,
    webhooks,
    components: {
      schemas: components.schemas(),
      parameters,
      headers: usedHeaders,
      securitySchemes: securitySchemes(baseUrl),
    },
  };
}
