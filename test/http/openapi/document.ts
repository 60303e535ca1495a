import t from "tap";
import { webhookEventTypes } from "../../../src/domain/events/event.ts";
import { createDocument } from "../../../src/http/openapi/document.ts";
import { routes } from "../../../src/http/routes.ts";
import { type Document, type Operation, schemasOf } from "../../support/openapi.ts";

const document = createDocument(routes, {
  baseUrl: "https://passes.example.com",
  version: "1.2.3",
}) as unknown as Document;
const verbs = ["get", "post", "put", "patch", "delete"];
const operations = Object.entries(document.paths).flatMap(([path, item]) =>
  Object.entries(item).map(([verb, operation]) => ({
    path,
    verb,
    operation,
    name: `${verb.toUpperCase()} ${path}`,
  })),
);
const operationOf = (row: { method: string; path: string }): Operation | undefined =>
  document.paths[row.path]?.[row.method.toLowerCase()];
const nameOf = ({ method, path }: { method: string; path: string }) => `${method} ${path}`;

t.test("every row is an operation, and every operation a row", async (t) => {
  t.strictSame(operations.map(({ name }) => name).sort(), routes.map(nameOf).sort());
  t.ok(operations.every(({ verb }) => verbs.includes(verb)));
});

t.test("every operation has words, and no two the same name", async (t) => {
  for (const { name, operation } of operations) {
    t.match(operation.operationId, /^[a-z][A-Za-z]+$/, name);
    t.match(operation.summary, /\S/, name);
    t.match(operation.description, /\S.*\.$/, name);
    t.equal(operation.tags.length, 1, name);
  }
  t.equal(new Set(operations.map(({ operation }) => operation.operationId)).size, operations.length);
});

t.test("every body has a schema and an example, or says that it is no JSON", async (t) => {
  for (const { name, operation } of operations) {
    const responses = Object.entries(operation.responses);
    t.ok(
      responses.some(([status]) => status.startsWith("2")),
      `${name} says what success is`,
    );
    const contents = [
      ...Object.entries(operation.requestBody?.content ?? {}),
      ...responses.flatMap(([, { content }]) => Object.entries(content ?? {})),
    ];
    for (const [mediaType, content] of contents) {
      if (!/json|form/.test(mediaType)) continue;
      t.ok(content.schema, `${name} ${mediaType} has a schema`);
      t.ok(Object.keys(content.examples ?? {}).length > 0, `${name} ${mediaType} has an example`);
    }
  }
});

t.test("every example is valid in the eyes of its own schema", async (t) => {
  const faults = schemasOf(document);
  const webhooks = Object.entries(document.webhooks).map(
    ([type, { post }]) => ({ at: ["webhooks", type, "post"], operation: post }) as const,
  );
  const all = [
    ...operations.map(({ path, verb, operation }) => ({ at: ["paths", path, verb], operation })),
    ...webhooks,
  ];
  let count = 0;
  for (const { at, operation } of all) {
    const bodies = Object.entries(operation.requestBody?.content ?? {}).map(
      ([mediaType, content]) => [[...at, "requestBody", "content", mediaType], content] as const,
    );
    const answers = Object.entries(operation.responses).flatMap(([status, { content }]) =>
      Object.entries(content ?? {}).map(
        ([mediaType, one]) => [[...at, "responses", status, "content", mediaType], one] as const,
      ),
    );
    for (const [pointer, content] of [...bodies, ...answers]) {
      for (const [name, { value }] of Object.entries(content.examples ?? {})) {
        count += 1;
        const found = faults([...pointer, "schema"], value);
        if (found.length > 0) t.fail(`${pointer.join(" ")} ${name}: ${found.join("; ")}`);
      }
    }
  }
  t.ok(count > 300, `${count} examples`);
});

t.test("what a row's policy implies is written at its operation", async (t) => {
  for (const row of routes) {
    const { responses, parameters = [], security } = operationOf(row) as Operation;
    const name = nameOf(row);
    const codes = (status: number) =>
      Object.values(responses[status]?.content ?? {}).flatMap(({ examples }) => Object.keys(examples ?? {}));
    const isGuarded = row.access !== "public" && row.access !== "device";
    t.equal(codes(401).includes("invalid_token"), row.access !== "public", name);
    t.equal(codes(403).includes("insufficient_scope"), isGuarded && row.access !== "token", name);
    if (isGuarded && row.access !== "token") t.strictSame(security[0], { oauth2: [row.access] }, name);
    t.equal(codes(409).includes("idempotency_key_reused"), row.idempotent === true, name);
    t.equal(
      parameters.some(({ $ref }) => $ref === "#/components/parameters/Idempotency-Key"),
      row.idempotent === true,
      name,
    );
    t.equal(codes(429).includes("too_many_requests"), row.rateLimited !== undefined, name);
    if (row.path.includes("{id}")) t.ok(codes(404).includes("not_found"), name);
    t.equal("413" in responses, row.body !== null || row.bodies !== undefined, name);
    t.ok(codes(500).includes("internal_error"), name);
  }
});

t.test("every part of a path is a parameter, and every parameter has words", async (t) => {
  for (const { name, path, operation } of operations) {
    const own = (operation.parameters ?? []).filter((parameter) => !("$ref" in parameter));
    const named = own.filter((parameter) => parameter.in === "path").map((parameter) => parameter.name);
    t.strictSame(
      named,
      [...path.matchAll(/\{([^}]+)\}/g)].map(([, part]) => part),
      name,
    );
    for (const parameter of own) t.match(parameter.description, /\S/, `${name} ${parameter.name}`);
  }
});

t.test("a row that leaves its path's parts without words is found out", async (t) => {
  const [row] = routes;
  if (row === undefined) throw new Error("there is no row");
  const place = { baseUrl: "https://passes.example.com", version: "1.2.3" };
  t.throws(() => createDocument([{ ...row, path: "/things/{thing}" }], place), /nothing of thing/);
});

t.test("the seven events are webhooks, with signature and body", async (t) => {
  t.strictSame(Object.keys(document.webhooks), [...webhookEventTypes]);
  for (const [type, { post }] of Object.entries(document.webhooks)) {
    const headers = (post.parameters ?? []).map(({ name }) => name);
    for (const name of [
      "X-Service-Signature",
      "X-Service-Event",
      "X-Service-Delivery",
      "webhook-signature",
    ]) {
      t.ok(headers.includes(name), `${type} ${name}`);
    }
    t.ok(post.requestBody?.content["application/json"]?.schema, type);
  }
});

t.test("no integer, string or list is without bounds", async (t) => {
  const unbounded = (part: unknown, at: string): string[] => {
    if (typeof part !== "object" || part === null) return [];
    const { type, enum: words, ...schema } = part as Record<string, unknown>;
    const types = [type].flat();
    const faults = [
      ...(types.includes("integer") && !("minimum" in schema && "maximum" in schema) ? [at] : []),
      ...(types.includes("string") && !words && !("const" in schema) && !("maxLength" in schema) ? [at] : []),
      ...(types.includes("array") && !("maxItems" in schema) ? [at] : []),
    ];
    const inner = Object.entries(part).filter(([name]) => name !== "examples" && name !== "example");
    return [...faults, ...inner.flatMap(([name, value]) => unbounded(value, `${at}/${name}`))];
  };
  t.strictSame(unbounded(document.components.schemas, ""), []);
});
