import { invalidRequest, PasswrightError } from "../../domain/errors.ts";
import type { ChangeRequest } from "../../domain/passes/change.ts";
import { type CreatePassInput, createPass } from "../../domain/passes/create.ts";
import { type PassStatus, passStatuses } from "../../domain/passes/pass.ts";
import { passResource } from "../../domain/passes/resource.ts";
import { revokePass } from "../../domain/passes/revoke.ts";
import { updatePass } from "../../domain/passes/update.ts";
import { upsertPass } from "../../domain/passes/upsert.ts";
import { versionResource } from "../../domain/passes/versions.ts";
import { accepted as acceptedAnswer, ok } from "../openapi/answers.ts";
import {
  activePass,
  dataToUpdate,
  passList,
  passToCreate,
  passVersions,
  pendingPass,
  revokingPass,
  updatingPass,
} from "../openapi/examples/passes.ts";
import { passListSchema, passSchema, passVersionListSchema } from "../openapi/schemas/pass.ts";
import {
  type CreatePassBody,
  createPassSchema,
  externalRefSchema,
  type PassDataBody,
  passDataPatchSchema,
} from "../pass-schemas.ts";
import { listReply, type PageQuery, pageOf, pageParameters, querySchema } from "../query.ts";
import { acceptedReply } from "../replayed.ts";
import { type AuthorizedCall, checked, guarded } from "../route.ts";

const createBody = checked<CreatePassBody>(createPassSchema);

const listQuery = checked<PageQuery & { status?: PassStatus; external_ref?: string }>(
  querySchema({
    ...pageParameters,
    status: { type: "string", enum: passStatuses, description: "Only passes in this status." },
    external_ref: { ...externalRefSchema, description: "Only the pass of this reference." },
  }),
);

const updateBody = checked<{ data: PassDataBody }>({
  title: "PassUpdateRequest",
  type: "object",
  additionalProperties: false,
  required: ["data"],
  properties: { data: passDataPatchSchema },
});

const pageQuery = checked<PageQuery>(querySchema(pageParameters));

const creationExamples = { loyaltyCard: { summary: "A loyalty card", value: passToCreate } };
const updateExamples = { points: { summary: "One value changes", value: dataToUpdate } };
const updateRefusals = [
  "invalid_template",
  "no_providers",
  "invalid_state",
  "insufficient_credits",
  "contract_cap_reached",
] as const;
const noPassOfReference = { code: "not_found", says: "There is no such pass." } as const;
const acceptedPass = (description: string, example: unknown) =>
  acceptedAnswer(description, passSchema, example);

export const passRoutes = [
  guarded({
    method: "POST",
    path: "/api/v1/passes",
    operationId: "createPass",
    tag: "Passes",
    summary: "Create a pass",
    description:
      "Creates a pass in every wallet that the template supports and the tenant has. Takes one credit, or one of the contract's month; a pass that no wallet takes gives it back. The pair of tenant and `external_ref` is a key of its own: the same template, intent and data again get the first answer again, other ones 409.",
    examples: creationExamples,
    answers: [acceptedPass("Accepted: the pass is pending.", pendingPass)],
    errors: [
      "invalid_template",
      "intent_mismatch",
      "no_providers",
      "duplicate_external_ref",
      "insufficient_credits",
      "contract_cap_reached",
    ],
    access: "passes:write",
    idempotent: true,
    enqueues: true,
    body: createBody,
    handle: async (call, deps) => acceptedReply(await createPass(deps, creationOf(call)), deps),
  }),
  guarded({
    method: "GET",
    path: "/api/v1/passes",
    operationId: "listPasses",
    tag: "Passes",
    summary: "List passes, newest first",
    description: "Lists the tenant's passes, revoked ones included.",
    answers: [ok("A page of passes.", passListSchema, passList)],
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
    operationId: "getPass",
    tag: "Passes",
    summary: "Read a pass",
    description: "Reads a pass as it stands now, with its links for the wallets as soon as they are there.",
    answers: [ok("The pass.", passSchema, activePass)],
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
    operationId: "updatePass",
    tag: "Passes",
    summary: "Update a pass's data, key by key",
    description:
      "Merges values into the pass's data: a null removes a key, what is not named stays. Makes a new version in any case, and takes the template's latest version along. Wallets always get the newest data, also where updates overtake each other. Takes no credit, unless the pass failed in every wallet and so gave its own back.",
    examples: updateExamples,
    answers: [acceptedPass("Accepted: the pass is updating.", updatingPass)],
    errors: updateRefusals,
    access: "passes:write",
    idempotent: true,
    enqueues: true,
    body: updateBody,
    handle: async (call, deps) =>
      acceptedReply(
        await updatePass(deps, { ...requestOf(call), name: { passId: call.params.id ?? "" }, ...call.body }),
        deps,
      ),
  }),
  guarded({
    method: "DELETE",
    path: "/api/v1/passes/{id}",
    operationId: "revokePass",
    tag: "Passes",
    summary: "Revoke a pass",
    description:
      "Voids the pass in every wallet. From this moment nothing about it can be changed, and its page answers 410.",
    answers: [acceptedPass("Accepted: the pass is revoking.", revokingPass)],
    errors: ["invalid_state"],
    access: "passes:write",
    idempotent: true,
    enqueues: true,
    handle: async (call, deps) =>
      acceptedReply(
        await revokePass(deps, { ...requestOf(call), name: { passId: call.params.id ?? "" } }),
        deps,
      ),
  }),
  guarded({
    method: "PUT",
    path: "/api/v1/passes/by-external-ref/{externalRef}",
    operationId: "upsertPass",
    tag: "Passes",
    summary: "Create the pass of an external reference, or replace its data",
    description:
      "Creates the pass, or, where the reference has one, replaces its data whole. `external_ref` in the body must equal the reference in the path. A revoked pass stays revoked.",
    examples: creationExamples,
    answers: [acceptedPass("Accepted: the pass is pending, or updating.", updatingPass)],
    errors: [
      "invalid_template",
      "intent_mismatch",
      "no_providers",
      "invalid_state",
      "insufficient_credits",
      "contract_cap_reached",
    ],
    access: "passes:write",
    idempotent: true,
    enqueues: true,
    body: createBody,
    async handle(call, deps) {
      if (call.body.external_ref !== call.params.externalRef) {
        throw invalidRequest([{ path: "/external_ref", message: "must equal the reference in the path" }]);
      }
      return acceptedReply(await upsertPass(deps, creationOf(call)), deps);
    },
  }),
  guarded({
    method: "PATCH",
    path: "/api/v1/passes/by-external-ref/{externalRef}",
    operationId: "updatePassByExternalRef",
    tag: "Passes",
    summary: "Update the data of the pass of an external reference, key by key",
    description: "The same as updating by id. Never creates a pass.",
    examples: updateExamples,
    answers: [acceptedPass("Accepted: the pass is updating.", updatingPass)],
    errors: [noPassOfReference, ...updateRefusals],
    access: "passes:write",
    idempotent: true,
    enqueues: true,
    body: updateBody,
    async handle(call, deps) {
      const name = { externalRef: call.params.externalRef ?? "" };
      return acceptedReply(await updatePass(deps, { ...requestOf(call), name, ...call.body }), deps);
    },
  }),
  guarded({
    method: "GET",
    path: "/api/v1/passes/{id}/versions",
    operationId: "listPassVersions",
    tag: "Passes",
    summary: "List the versions of a pass's data, newest first",
    description:
      "Every accepted state of the pass's data. A revocation changes no data, and makes no version.",
    answers: [ok("A page of versions.", passVersionListSchema, passVersions)],
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

function noSuchPass(): PasswrightError {
  return new PasswrightError("not_found", "There is no pass with this id.");
}
