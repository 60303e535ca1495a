import { cachedReply } from "../cached-reply.ts";
import { notModified } from "../openapi/answers.ts";
import { type Answer, open } from "../route.ts";

/** Kept, and asked for again each time: a new release must be seen at once. */
const revalidated = "public, no-cache";

const documentAnswer: Answer = {
  status: 200,
  description: "The document (OpenAPI 3.1).",
  schema: {
    title: "OpenApiDocument",
    type: "object",
    required: ["openapi", "info", "paths"],
    properties: {
      openapi: { type: "string", pattern: "^3\\.1\\.[0-9]+$", maxLength: 10 },
      info: { type: "object" },
      paths: { type: "object" },
    },
  },
  example: { openapi: "3.1.0", info: { title: "Passwright", version: "1.0.0" }, paths: {} },
  headers: ["Cache-Control", "ETag"],
};

export const documentRoutes = [
  open({
    method: "GET",
    path: "/openapi.json",
    operationId: "getOpenApiDocument",
    tag: "Service",
    summary: "This document",
    description: "Made from the same table and schemas that requests are checked with.",
    answers: [documentAnswer, notModified],
    handle: ({ http }, { openApiDocument }) =>
      cachedReply(http, openApiDocument(), {
        "Cache-Control": revalidated,
        "Content-Type": "application/json; charset=utf-8",
      }),
  }),
];
