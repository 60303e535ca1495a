import { PasswrightError } from "../../domain/errors.ts";
import { cachedReply } from "../cached-reply.ts";
import { notModified, page } from "../openapi/answers.ts";
import { referenceHeaders } from "../openapi/reference/page.ts";
import { type Answer, open, type Reply } from "../route.ts";

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
      servers: { type: "array", maxItems: 1, items: { type: "object" } },
      tags: { type: "array", maxItems: 100, items: { type: "object" } },
      paths: { type: "object" },
      webhooks: { type: "object" },
      components: { type: "object" },
    },
  },
  example: { openapi: "3.1.0", info: { title: "Passwright", version: "1.0.0" }, paths: {} },
  headers: ["Cache-Control", "ETag"],
};

const pageAnswer = page(200, "The page.");
const fileAnswer: Answer = {
  status: 200,
  description: "The file.",
  mediaTypes: ["text/css", "text/javascript", "text/plain"],
  schema: null,
  headers: ["Cache-Control"],
};

const assetName = {
  type: "string",
  pattern: "^[a-z-]+-[0-9a-f]{16}\\.[a-z]+$",
  maxLength: 64,
  description: "A name as the page has it, with the beginning of the SHA-256 of its content.",
  example: "start-0123456789abcdef.js",
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
  open({
    method: "GET",
    path: "/docs",
    operationId: "showReference",
    tag: "Service",
    summary: "This document as a page to read and to try things out",
    description: "Works offline: everything that it loads comes from here.",
    answers: [{ ...pageAnswer, headers: ["Cache-Control", "ETag"] }, notModified],
    async handle({ http }, { reference }) {
      return cachedReply(http, (await reference()).page, {
        ...referenceHeaders,
        "Cache-Control": revalidated,
        "Content-Type": "text/html; charset=utf-8",
      });
    },
  }),
  open({
    method: "GET",
    path: "/docs/{file}",
    operationId: "getReferenceFile",
    tag: "Service",
    summary: "A script, style or licence of the reference page",
    description: "A name stands for one content, for ever.",
    pathParameters: { file: assetName },
    answers: [fileAnswer],
    errors: [{ code: "not_found", says: "There is no file at this address." }],
    async handle({ http, params }, { reference }): Promise<Reply> {
      const asset = (await reference()).asset(params.file ?? "");
      if (asset === undefined) throw new PasswrightError("not_found", "There is no file at this address.");
      const zipped = /\bgzip\b/i.test(http.header("accept-encoding") ?? "");
      return {
        status: 200,
        body: zipped ? asset.gzipped : asset.body,
        headers: {
          "Content-Type": asset.contentType,
          "Cache-Control": "public, max-age=31536000, immutable",
          "Cross-Origin-Resource-Policy": "same-origin",
          Vary: "Accept-Encoding",
          ...(zipped && { "Content-Encoding": "gzip" }),
        },
      };
    },
  }),
];
