import { PasswrightError } from "../../domain/errors.ts";
import { createPass } from "../../domain/passes/create.ts";
import { type PassStatus, passStatuses } from "../../domain/passes/pass.ts";
import { passResource } from "../../domain/passes/resource.ts";
import { listReply, type PageQuery, pageOf, pageParameters, querySchema } from "../query.ts";
import { checked, guarded } from "../route.ts";

/** Neither C0 nor C1 controls. */
const externalRefSchema = {
  type: "string",
  minLength: 1,
  maxLength: 255,
  pattern: "^[^\\u0000-\\u001f\\u007f-\\u009f]*$",
};

const createBody = checked<{
  template_id: string;
  intent: string;
  external_ref: string;
  data: Record<string, string>;
}>({
  type: "object",
  additionalProperties: false,
  required: ["template_id", "intent", "external_ref", "data"],
  properties: {
    template_id: { type: "string", format: "uuid" },
    intent: { type: "string", minLength: 1, maxLength: 64 },
    external_ref: externalRefSchema,
    data: {
      type: "object",
      maxProperties: 100,
      propertyNames: { pattern: "^[A-Za-z0-9_.-]{1,64}$" },
      additionalProperties: { type: "string", maxLength: 4096 },
    },
  },
});

const listQuery = checked<PageQuery & { status?: PassStatus; external_ref?: string }>(
  querySchema({
    ...pageParameters,
    status: { type: "string", enum: passStatuses },
    external_ref: externalRefSchema,
  }),
);

export const passRoutes = [
  guarded({
    method: "POST",
    path: "/api/v1/passes",
    summary: "Create a pass",
    access: "passes:write",
    idempotent: true,
    body: createBody,
    async handle({ body, claims, idempotency, traceId }, deps) {
      const accepted = await createPass(deps, {
        tenantId: claims.tenantId,
        templateId: body.template_id.toLowerCase(),
        intent: body.intent,
        externalRef: body.external_ref,
        data: body.data,
        idempotency,
        traceId,
      });
      return {
        status: 202,
        body: accepted.body,
        headers: {
          Location: `${deps.baseUrl}/api/v1/jobs/${accepted.jobId}`,
          ...(accepted.replayed && { "Idempotent-Replayed": "true" }),
        },
      };
    },
  }),
  guarded({
    method: "GET",
    path: "/api/v1/passes",
    summary: "List passes, newest first",
    access: "passes:read",
    query: listQuery,
    async handle({ query, claims }, { passes, baseUrl }) {
      const page = pageOf(query);
      const filter = {
        ...(query.status !== undefined && { status: query.status }),
        ...(query.external_ref !== undefined && { externalRef: query.external_ref }),
      };
      const { items, total } = await passes.list(claims.tenantId, filter, page);
      return listReply(
        items.map((pass) => passResource(pass, baseUrl)),
        total,
        page,
      );
    },
  }),
  guarded({
    method: "GET",
    path: "/api/v1/passes/{id}",
    summary: "Read a pass",
    access: "passes:read",
    async handle({ params, claims }, { passes, baseUrl }) {
      const pass = await passes.find(claims.tenantId, params.id ?? "");
      if (pass === null) throw new PasswrightError("not_found", "There is no pass with this id.");
      return { status: 200, body: passResource(pass, baseUrl) };
    },
  }),
];
