import {
  type BatchOperation,
  type BatchStatus,
  batchStatuses,
  mostOperations,
} from "../../domain/batches/batch.ts";
import { cancelBatch } from "../../domain/batches/cancel.ts";
import { createBatch } from "../../domain/batches/create.ts";
import { batchResource } from "../../domain/batches/resource.ts";
import { PasswrightError } from "../../domain/errors.ts";
import { accepted as acceptedAnswer, ok } from "../openapi/answers.ts";
import {
  batchList,
  batchToCreate,
  cancelledBatch,
  completedBatch,
  queuedBatch,
} from "../openapi/examples/batches.ts";
import { batchListSchema, batchSchema } from "../openapi/schemas/batch.ts";
import { text } from "../openapi/schemas/scalars.ts";
import {
  type CreatePassBody,
  createPassSchema,
  externalRefSchema,
  type PassDataBody,
  passDataPatchSchema,
} from "../pass-schemas.ts";
import { listReply, type PageQuery, pageOf, pageParameters, querySchema } from "../query.ts";
import { acceptedReply } from "../replayed.ts";
import { checked, exactlyOneOf, guarded, type JsonSchema } from "../route.ts";

type NamedBody = { pass_id?: string; external_ref?: string };
type OperationBody =
  | { type: "create"; pass: CreatePassBody }
  | ({ type: "update"; data: PassDataBody } & NamedBody)
  | ({ type: "revoke" } & NamedBody);
type BatchBody = { name?: string; operations: OperationBody[] };

const nameMembers = {
  pass_id: { type: "string", format: "uuid", description: "The pass, unless external_ref names it." },
  external_ref: { ...externalRefSchema, description: "The pass, unless pass_id names it." },
};

const oneName = exactlyOneOf("pass_id", "external_ref");

const operationTitles = {
  create: "BatchCreateOperation",
  update: "BatchUpdateOperation",
  revoke: "BatchRevokeOperation",
} as const;

function operationSchema(
  type: OperationBody["type"],
  required: string[],
  members: Record<string, unknown>,
  rules: JsonSchema = {},
) {
  return {
    title: operationTitles[type],
    type: "object",
    additionalProperties: false,
    required: ["type", ...required],
    properties: { type: { type: "string", const: type }, ...members },
    ...rules,
  };
}

const createBody = checked<BatchBody>({
  title: "BatchCreateRequest",
  type: "object",
  additionalProperties: false,
  required: ["operations"],
  properties: {
    name: { ...text(100), minLength: 1, description: "For people." },
    operations: {
      type: "array",
      minItems: 1,
      maxItems: mostOperations,
      items: {
        title: "BatchOperation",
        type: "object",
        required: ["type"],
        properties: { type: { type: "string", enum: ["create", "update", "revoke"] } },
        discriminator: { propertyName: "type" },
        oneOf: [
          operationSchema("create", ["pass"], { pass: createPassSchema }),
          operationSchema("update", ["data"], { ...nameMembers, data: passDataPatchSchema }, oneName),
          operationSchema("revoke", [], nameMembers, oneName),
        ],
      },
    },
  },
});

const listQuery = checked<PageQuery & { status?: BatchStatus }>(
  querySchema({
    ...pageParameters,
    status: { type: "string", enum: batchStatuses, description: "Only batches in this status." },
  }),
);

const accepted202 = (description: string, example: unknown) =>
  acceptedAnswer(description, batchSchema, example);

export const batchRoutes = [
  guarded({
    method: "POST",
    path: "/api/v1/batches",
    operationId: "createBatch",
    tag: "Batches",
    summary: "Accept up to 10,000 operations on passes",
    description:
      "Takes up to 10,000 operations, 8 MiB in all. A body that breaks a rule is refused whole, each fault with its index; an operation that fails later does not stop the others. Those on one pass are carried out in order. Credits for the creations are reserved now, and what was not used comes back. At most 10 batches of a tenant are queued or processing.",
    examples: { mixed: { summary: "One operation of each type", value: batchToCreate } },
    answers: [accepted202("Accepted: the batch is queued.", queuedBatch)],
    errors: ["too_many_batches", "insufficient_credits", "contract_cap_reached"],
    access: "passes:write",
    idempotent: true,
    enqueues: true,
    maxBodyBytes: 8 * 1024 * 1024,
    body: createBody,
    async handle({ body, claims, idempotency, traceId }, deps) {
      const batch = await createBatch(deps, {
        tenantId: claims.tenantId,
        name: body.name ?? null,
        operations: body.operations.map(operationOf),
        idempotency,
        traceId,
      });
      return acceptedReply(batch, deps);
    },
  }),
  guarded({
    method: "GET",
    path: "/api/v1/batches",
    operationId: "listBatches",
    tag: "Batches",
    summary: "List batches, newest first",
    description: "Lists the tenant's batches.",
    answers: [ok("A page of batches.", batchListSchema, batchList)],
    access: "passes:write",
    query: listQuery,
    async handle({ query, claims }, { batches }) {
      const page = pageOf(query);
      const filter = query.status === undefined ? {} : { status: query.status };
      const { items, total } = await batches.list(claims.tenantId, filter, page);
      return listReply(items.map(batchResource), total, page);
    },
  }),
  guarded({
    method: "GET",
    path: "/api/v1/batches/{id}",
    operationId: "getBatch",
    tag: "Batches",
    summary: "Read a batch and how far it is",
    description: "Reads a batch with its counts, and the first errors.",
    answers: [ok("The batch.", batchSchema, completedBatch)],
    access: "passes:write",
    async handle({ params, claims }, { batches }) {
      const batch = await batches.find(claims.tenantId, params.id ?? "");
      if (batch === null) throw new PasswrightError("not_found", "There is no batch with this id.");
      return { status: 200, body: batchResource(batch) };
    },
  }),
  guarded({
    method: "DELETE",
    path: "/api/v1/batches/{id}",
    operationId: "cancelBatch",
    tag: "Batches",
    summary: "Cancel a batch that is still queued",
    description: "Cancels a batch of which nothing has been carried out. Its reserved credits come back.",
    answers: [accepted202("The batch is cancelled.", cancelledBatch)],
    errors: [{ code: "invalid_state", says: "Only a batch that is still queued can be cancelled." }],
    access: "passes:write",
    idempotent: true,
    handle: async ({ params, claims, idempotency }, deps) =>
      acceptedReply(
        await cancelBatch(deps, { tenantId: claims.tenantId, batchId: params.id ?? "", idempotency }),
        deps,
      ),
  }),
];

function operationOf(body: OperationBody): BatchOperation {
  if (body.type === "create") {
    const { template_id, intent, external_ref, data } = body.pass;
    return {
      type: "create",
      templateId: template_id.toLowerCase(),
      intent,
      externalRef: external_ref,
      data,
    };
  }
  const name =
    body.pass_id === undefined
      ? { externalRef: body.external_ref ?? "" }
      : { passId: body.pass_id.toLowerCase() };
  return body.type === "update" ? { type: "update", name, data: body.data } : { type: "revoke", name };
}
