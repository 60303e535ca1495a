import { findTemplate, latestVersion } from "../../domain/templates/find.ts";
import { templateDetail, templateItem, templateSnapshot } from "../../domain/templates/resource.ts";
import { samplePass } from "../../domain/templates/sample.ts";
import { type TemplateStatus, type TemplateType, templateTypes } from "../../domain/templates/template.ts";
import { listReply, type PageQuery, pageOf, pageParameters, querySchema } from "../query.ts";
import { type AuthorizedCall, checked, guarded } from "../route.ts";
import type { ServingDeps } from "../serving.ts";

const listQuery = checked<PageQuery & { template_type?: TemplateType; status?: TemplateStatus }>(
  querySchema({
    ...pageParameters,
    template_type: { type: "string", enum: templateTypes },
    status: { type: "string", enum: ["active", "archived"] },
  }),
);

export const templateRoutes = [
  guarded({
    method: "GET",
    path: "/api/v1/templates",
    summary: "List the tenant's own and the system templates, newest first",
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
    summary: "Read a template",
    access: "templates:read",
    handle: async (call, deps) => ({ status: 200, body: templateDetail(await templateOf(call, deps)) }),
  }),
  guarded({
    method: "GET",
    path: "/api/v1/templates/{id}/versions/latest",
    summary: "Read the version that new passes are made with",
    access: "templates:read",
    handle: async (call, deps) => ({
      status: 200,
      body: templateSnapshot(await latestVersion(deps, await templateOf(call, deps))),
    }),
  }),
  guarded({
    method: "GET",
    path: "/api/v1/templates/{id}/sample",
    summary: "Get a body for POST /passes to edit",
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
