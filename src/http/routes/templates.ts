import { findTemplate, latestVersion } from "../../domain/templates/find.ts";
import { templateDetail, templateItem, templateSnapshot } from "../../domain/templates/resource.ts";
import { samplePass } from "../../domain/templates/sample.ts";
import { type TemplateStatus, type TemplateType, templateTypes } from "../../domain/templates/template.ts";
import { ok } from "../openapi/answers.ts";
import {
  templateDetail as detailExample,
  samplePass as sampleExample,
  templateSnapshot as snapshotExample,
  templateList,
} from "../openapi/examples/templates.ts";
import { templateListSchema, templateSchema, templateSnapshotSchema } from "../openapi/schemas/template.ts";
import { createPassSchema } from "../pass-schemas.ts";
import { listReply, type PageQuery, pageOf, pageParameters, querySchema } from "../query.ts";
import { type AuthorizedCall, checked, guarded } from "../route.ts";
import type { ServingDeps } from "../serving.ts";

const listQuery = checked<PageQuery & { template_type?: TemplateType; status?: TemplateStatus }>(
  querySchema({
    ...pageParameters,
    template_type: { type: "string", enum: templateTypes, description: "Only templates of this type." },
    status: { type: "string", enum: ["active", "archived"], description: "Only templates in this status." },
  }),
);

export const templateRoutes = [
  guarded({
    method: "GET",
    path: "/api/v1/templates",
    operationId: "listTemplates",
    tag: "Templates",
    summary: "List the tenant's own and the system templates, newest first",
    description: "Lists the templates that passes can be made from, and the archived ones.",
    answers: [ok("A page of templates.", templateListSchema, templateList)],
    access: "templates:read",
    query: listQuery,
    async handle({ query, claims }, { templates }) {
      const page = pageOf(query);
      const filter = {
        ...(query.template_type !== undefined && { type: query.template_type }),
        ...(query.status !== undefined && { status: query.status }),
      };
      const { items, total } = await templates.list(claims.tenantId, filter, page);
      return listReply(items.map(templateItem), total, page);
    },
  }),
  guarded({
    method: "GET",
    path: "/api/v1/templates/{id}",
    operationId: "getTemplate",
    tag: "Templates",
    summary: "Read a template",
    description: "Reads a template, with the wallets that it supports.",
    answers: [ok("The template.", templateSchema, detailExample)],
    access: "templates:read",
    handle: async (call, deps) => ({ status: 200, body: templateDetail(await templateOf(call, deps)) }),
  }),
  guarded({
    method: "GET",
    path: "/api/v1/templates/{id}/versions/latest",
    operationId: "getLatestTemplateVersion",
    tag: "Templates",
    summary: "Read the version that new passes are made with",
    description:
      "The frozen snapshot of fields, look and barcode. A pass keeps the version that it was made with until its next update, which takes the latest.",
    answers: [ok("The snapshot.", templateSnapshotSchema, snapshotExample)],
    access: "templates:read",
    handle: async (call, deps) => ({
      status: 200,
      body: templateSnapshot(await latestVersion(deps, await templateOf(call, deps))),
    }),
  }),
  guarded({
    method: "GET",
    path: "/api/v1/templates/{id}/sample",
    operationId: "getTemplateSample",
    tag: "Templates",
    summary: "Get a body for POST /passes to edit",
    description:
      "Static fields hold the template's default, Placeholders a `{{key}}` token, Computed ones are left out. The body is accepted as soon as the tokens are replaced.",
    answers: [ok("A body for POST /api/v1/passes.", createPassSchema, sampleExample)],
    errors: [
      { code: "invalid_template", says: "The template is archived: no more passes are made from it." },
    ],
    access: "templates:read",
    handle: async (call, deps) => ({
      status: 200,
      body: samplePass(await latestVersion(deps, await templateOf(call, deps))),
    }),
  }),
];

function templateOf({ claims, params }: AuthorizedCall<unknown, unknown>, deps: ServingDeps) {
  return findTemplate(deps, claims.tenantId, params.id ?? "");
}
