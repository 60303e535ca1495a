import { PasswrightError } from "../../domain/errors.ts";
import { cachedReply } from "../cached-reply.ts";
import type { HttpRequest } from "../exchange.ts";
import { guidePath, guidesPath, problemPath, problemsPath } from "../handbook/addresses.ts";
import { notModified, page } from "../openapi/answers.ts";
import { referenceHeaders } from "../openapi/reference/page.ts";
import { type Answer, open, type Reply } from "../route.ts";
import type { HandlerDeps } from "../serving.ts";

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

const pageAnswer: Answer = { ...page(200, "The page."), headers: ["Cache-Control", "ETag"] };
const noPage = { code: "not_found", says: "There is no page at this address." } as const;
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
    answers: [pageAnswer, notModified],
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
    path: guidesPath,
    operationId: "listGuides",
    tag: "Service",
    summary: "What guides there are",
    description: "Made of the documents that come with this release, and works offline and without scripts.",
    answers: [pageAnswer, notModified],
    handle: ({ http }, deps) => handbookReply(http, deps, guidesPath),
  }),
  open({
    method: "GET",
    path: `${guidesPath}/{name}`,
    operationId: "showGuide",
    tag: "Service",
    summary: "A guide",
    description: "Made of a document that comes with this release.",
    pathParameters: { name: pageName("^[a-z-]+$", "first-pass") },
    answers: [pageAnswer, notModified],
    errors: [noPage],
    handle: ({ http, params }, deps) => handbookReply(http, deps, guidePath(params.name ?? "")),
  }),
  open({
    method: "GET",
    path: problemsPath,
    operationId: "listProblems",
    tag: "Service",
    summary: "What error codes there are",
    description: "And what the members of an error mean.",
    answers: [pageAnswer, notModified],
    handle: ({ http }, deps) => handbookReply(http, deps, problemsPath),
  }),
  open({
    method: "GET",
    path: `${problemsPath}/{code}`,
    operationId: "showProblem",
    tag: "Service",
    summary: "Cause and remedy of an error code",
    description: "What `type` of problem details (RFC 9457) leads to.",
    pathParameters: { code: pageName("^[a-z_]+$", "insufficient_credits") },
    answers: [pageAnswer, notModified],
    errors: [noPage],
    handle: ({ http, params }, deps) => handbookReply(http, deps, problemPath(params.code ?? "")),
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

function pageName(pattern: string, example: string) {
  return {
    type: "string",
    pattern,
    maxLength: 64,
    description: "As the address of the page has it.",
    example,
  };
}

async function handbookReply(http: HttpRequest, { handbook }: HandlerDeps, path: string): Promise<Reply> {
  const { page, headers } = await handbook();
  const body = page(path);
  if (body === undefined) throw new PasswrightError(noPage.code, noPage.says);
  return cachedReply(http, body, {
    ...headers,
    "Cache-Control": revalidated,
    "Content-Type": "text/html; charset=utf-8",
  });
}
