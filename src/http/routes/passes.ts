import { invalidRequest, PasswrightError } from "../../domain/errors.ts";
import type { ChangeRequest } from "../../domain/passes/change.ts";
import { type CreatePassInput, createPass } from "../../domain/passes/create.ts";
import { type AcceptedPass, type PassStatus, passStatuses } from "../../domain/passes/pass.ts";
import { passResource } from "../../domain/passes/resource.ts";
import { revokePass } from "../../domain/passes/revoke.ts";
import { updatePass } from "../../domain/passes/update.ts";
import { upsertPass } from "../../domain/passes/upsert.ts";
import { versionResource } from "../../domain/passes/versions.ts";
import {
  type CreatePassBody,
  createPassSchema,
  externalRefSchema,
  type PassDataBody,
  passDataPatchSchema,
} from "../pass-schemas.ts";
import { listReply, type PageQuery, pageOf, pageParameters, querySchema } from "../query.ts";
import { type AuthorizedCall, checked, guarded, type Reply } from "../route.ts";

const createBody = checked<CreatePassBody>(createPassSchema);

const listQuery = checked<PageQuery & { status?: PassStatus; external_ref?: string }>(
  querySchema({
    ...pageParameters,
    status: { type: "string", enum: passStatuses },
    external_ref: externalRefSchema,
  }),
);

const updateBody = checked<{ data: PassDataBody }>({
  type: "object",
  additionalProperties: false,
  required: ["data"],
  properties: { data: passDataPatchSchema },
});

const pageQuery = checked<PageQuery>(querySchema(pageParameters));

export const passRoutes = [
  guarded({
    method: "POST",
    path: "/api/v1/passes",
    summary: "Create a pass",
    access: "passes:write",
    idempotent: true,
    body: createBody,
    handle: async (call, deps) => accepted(await createPass(deps, creationOf(call)), deps),
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
      if (pass === null) throw noSuchPass();
      return { status: 200, body: passResource(pass, baseUrl) };
    },
  }),
  guarded({
    method: "PATCH",
    path: "/api/v1/passes/{id}",
    summary: "Update a pass's data, key by key",
    access: "passes:write",
    idempotent: true,
    body: updateBody,
    handle: async (call, deps) =>
      accepted(
        await updatePass(deps, { ...requestOf(call), name: { passId: call.params.id ?? "" }, ...call.body }),
        deps,
      ),
  }),
  guarded({
    method: "DELETE",
    path: "/api/v1/passes/{id}",
    summary: "Revoke a pass",
    access: "passes:write",
    idempotent: true,
    handle: async (call, deps) =>
      accepted(await revokePass(deps, { ...requestOf(call), name: { passId: call.params.id ?? "" } }), deps),
  }),
  guarded({
    method: "PUT",
    path: "/api/v1/passes/by-external-ref/{externalRef}",
    summary: "Create the pass of an external reference, or replace its data",
    access: "passes:write",
    idempotent: true,
    body: createBody,
    async handle(call, deps) {
      if (call.body.external_ref !== call.params.externalRef) {
        throw invalidRequest([{ path: "/external_ref", message: "must equal the reference in the path" }]);
      }
      return accepted(await upsertPass(deps, creationOf(call)), deps);
    },
  }),
  guarded({
    method: "PATCH",
    path: "/api/v1/passes/by-external-ref/{externalRef}",
    summary: "Update the data of the pass of an external reference, key by key",
    access: "passes:write",
    idempotent: true,
    body: updateBody,
    async handle(call, deps) {
      const name = { externalRef: call.params.externalRef ?? "" };
      return accepted(await updatePass(deps, { ...requestOf(call), name, ...call.body }), deps);
    },
  }),
  guarded({
    method: "GET",
    path: "/api/v1/passes/{id}/versions",
    summary: "List the versions of a pass's data, newest first",
    access: "passes:read",
    query: pageQuery,
    async handle({ params, query, claims }, { passes }) {
      const page = pageOf(query);
      const found = await passes.versions(claims.tenantId, params.id ?? "", page);
      if (found === null) throw noSuchPass();
      return listReply(found.items.map(versionResource), found.total, page);
    },
  }),
];

function requestOf({ claims, idempotency, traceId }: AuthorizedCall<unknown, unknown>): ChangeRequest {
  return { tenantId: claims.tenantId, idempotency, traceId, workClass: "interactive" };
}

function creationOf(call: AuthorizedCall<CreatePassBody, unknown>): CreatePassInput {
  const { body } = call;
  return {
    ...requestOf(call),
    templateId: body.template_id.toLowerCase(),
    intent: body.intent,
    externalRef: body.external_ref,
    data: body.data,
  };
}

function accepted({ body, jobId, replayed }: AcceptedPass, { baseUrl }: { baseUrl: string }): Reply {
  return {
    status: 202,
    body,
    headers: {
      Location: `${baseUrl}/api/v1/jobs/${jobId}`,
      ...(replayed && { "Idempotent-Replayed": "true" }),
    },
  };
}

function noSuchPass(): PasswrightError {
  return new PasswrightError("not_found", "There is no pass with this id.");
}
