// Which operation is which method of the client, and what the document says of it.

/** Resource and method by operationId. An operation that holders of a token may call and that is not here is refused. */
const names = {
  createPass: "passes.create",
  listPasses: "passes.list",
  getPass: "passes.get",
  updatePass: "passes.update",
  revokePass: "passes.revoke",
  upsertPass: "passes.upsertByExternalRef",
  updatePassByExternalRef: "passes.updateByExternalRef",
  listPassVersions: "passes.listVersions",
  listPassMessages: "passes.listMessages",
  createBatch: "batches.create",
  listBatches: "batches.list",
  getBatch: "batches.get",
  cancelBatch: "batches.cancel",
  sendMessage: "messages.send",
  listMessages: "messages.list",
  getMessage: "messages.get",
  getJob: "jobs.get",
  listTemplates: "templates.list",
  getTemplate: "templates.get",
  getLatestTemplateVersion: "templates.getLatestVersion",
  getTemplateSample: "templates.getSample",
  createWebhook: "webhooks.create",
  listWebhooks: "webhooks.list",
  getWebhook: "webhooks.get",
  updateWebhook: "webhooks.update",
  deleteWebhook: "webhooks.delete",
  listWebhookDeliveries: "webhooks.listDeliveries",
  listEvents: "analytics.listEvents",
  summarizeEvents: "analytics.summarize",
  listPackages: "billing.listPackages",
  buyCredits: "billing.topup",
  subscribe: "billing.subscribe",
};

/** The operations of the document that take a bearer token, as methods. Everything else is for browsers and machines. */
export function methodsOf(document) {
  const operations = Object.entries(document.paths).flatMap(([path, byMethod]) =>
    Object.entries(byMethod).map(([verb, operation]) => ({ path, verb, operation })),
  );
  const guarded = operations.filter(({ operation }) =>
    operation.security.some((scheme) => "oauth2" in scheme || "bearer" in scheme),
  );
  const methods = guarded.map((found) => methodOf(document, found));
  const ids = methods.map(({ operationId }) => operationId);
  const gone = Object.keys(names).filter((id) => !ids.includes(id));
  if (gone.length > 0) throw new Error(`no operation of the document is called ${gone.join(", ")}: ${here}`);
  const everywhere = methods
    .map(({ codes }) => new Set(codes))
    .reduce((common, codes) => common.intersection(codes));
  return methods.map((method) => ({
    ...method,
    codes: method.codes.filter((code) => !everywhere.has(code) && !ofThePolicy.includes(code)),
  }));
}

const here = "say so in the table of scripts/generate-client/methods.mjs";

/** Codes that many operations have for the same reason, so that they say nothing about one. */
const ofThePolicy = ["insufficient_scope", "invalid_request", "not_found", "idempotency_key_reused"];

function methodOf(document, { path, verb, operation }) {
  const { operationId, summary, description, parameters = [], requestBody, responses } = operation;
  const name = names[operationId];
  if (name === undefined) throw new Error(`the operation ${operationId} has no name in the client: ${here}`);
  const [resource, method] = name.split(".");
  const all = parameters.map((parameter) =>
    "$ref" in parameter ? resolved(document, parameter.$ref) : parameter,
  );
  const [answer] = Object.entries(responses)
    .filter(([status]) => status.startsWith("2"))
    .map(([, response]) => response.content?.["application/json"]?.schema ?? null);
  return {
    operationId,
    resource,
    method,
    verb: verb.toUpperCase(),
    path,
    summary,
    description,
    pathParameters: all.filter((parameter) => parameter.in === "path"),
    query: all.filter((parameter) => parameter.in === "query"),
    isIdempotent: all.some((parameter) => parameter.name === "Idempotency-Key"),
    body: requestBody?.content["application/json"].schema ?? null,
    answer,
    item: itemOf(document, answer),
    scopes: operation.security.flatMap(({ oauth2 = [] }) => oauth2),
    codes: codesIn(responses),
  };
}

/** What a list lists; null where the answer is no list. */
function itemOf(document, answer) {
  const { properties } = answer?.$ref === undefined ? {} : resolved(document, answer.$ref);
  const members = Object.keys(properties ?? {}).join();
  return members === "data,total,page,page_size" ? properties.data.items : null;
}

function resolved(document, ref) {
  return ref
    .slice(2)
    .split("/")
    .reduce((place, part) => place[part], document);
}

/** The error codes that the examples of the responses show. */
function codesIn(responses) {
  const examples = Object.values(responses).flatMap(({ content = {} }) =>
    Object.values(content).flatMap((media) => Object.values(media.examples ?? {})),
  );
  const isRefusal = (value) => typeof value?.error === "string" && typeof value.trace_id === "string";
  return [...new Set(examples.filter(({ value }) => isRefusal(value)).map(({ value }) => value.error))];
}
