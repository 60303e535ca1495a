import {
  type BatchOperation,
  type BatchStatus,
  batchStatuses,
  mostOperations,
} from "../../domain/batches/batch.ts";
import { cancelBatch } from "../../domain/batches/cancel.ts";
import { type AcceptedBatch, createBatch } from "../../domain/batches/create.ts";
import { batchResource } from "../../domain/batches/resource.ts";
import { PasswrightError } from "../../domain/errors.ts";
import {
  type CreatePassBody,
  createPassSchema,
  externalRefSchema,
  type PassDataBody,
  passDataPatchSchema,
} from "../pass-schemas.ts";
import { listReply, type PageQuery, pageOf, pageParameters, querySchema } from "../query.ts";
import { checked, guarded, type Reply } from "../route.ts";

type NamedBody = { pass_id?: string; external_ref?: string };
type OperationBody =
  | { type: "create"; pass: CreatePassBody }
  | ({ type: "update"; data: PassDataBody } & NamedBody)
  | ({ type: "revoke" } & NamedBody);
type BatchBody = { name?: string; operations: OperationBody[] };

const nameMembers = { pass_id: { type: "string", format: "uuid" }, external_ref: externalRefSchema };

const named = { "x-exactly-one-of": Object.keys(nameMembers) };

function operationSchema(type: OperationBody["type"], required: string[], members: Record<string, unknown>) {
  return {
    type: "object",
    additionalProperties: false,
    required: ["type", ...required],
    properties: { type: { const: type }, ...members },
  };
}

const createBody = checked<BatchBody>({
  type: "object",
  additionalProperties: false,
  required: ["operations"],
  properties: {
    name: { type: "string", minLength: 1, maxLength: 100 },
    operations: {
      type: "array",
      minItems: 1,
      maxItems: mostOperations,
      items: {
        type: "object",
        required: ["type"],
        properties: { type: { type: "string", enum: ["create", "update", "revoke"] } },
        discriminator: { propertyName: "type" },
        oneOf: [
          operationSchema("create", ["pass"], { pass: createPassSchema }),
          { ...operationSchema("update", ["data"], { ...nameMembers, data: passDataPatchSchema }), ...named },
          { ...operationSchema("revoke", [], nameMembers), ...named },
        ],
      },
    },
  },
});

const listQuery = checked<PageQuery & { status?: BatchStatus }>(
  querySchema({ ...pageParameters, status: { type: "string", enum: batchStatuses } }),
);

export const batchRoutes = [
  guarded({
    method: "POST",
    path: "/api/v1/batches",
    summary: "Accept up to 10,000 operations on passes",
    access: "passes:write",
    idempotent: true,
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
      return accepted(batch, deps);
    },
  }),
  guarded({
    method: "GET",
    path: "/api/v1/batches",
    summary: "List batches, newest first",
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
    summary: "Read a batch and how far it is",
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
    summary: "Cancel a batch that is still queued",
    access: "passes:write",
    idempotent: true,
    handle: async ({ params, claims, idempotency }, deps) =>
      accepted(
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

function accepted({ body, jobId, replayed }: AcceptedBatch, { baseUrl }: { baseUrl: string }): Reply {
  return {
    status: 202,
    body,
    headers: {
      Location: `${baseUrl}/api/v1/jobs/${jobId}`,
      ...(replayed && { "Idempotent-Replayed": "true" }),
    },
  };
}
