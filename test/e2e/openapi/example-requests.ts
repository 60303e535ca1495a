import { ids, pageToken } from "../../../src/http/openapi/examples/ids.ts";
import type { Document, Operation } from "../../support/openapi.ts";
import { signatureOf } from "../../support/stripe-events.ts";
import type { Ask } from "../support/requests.ts";
import type { Replacements } from "./stage.ts";

export type Named = { method: string; template: string; operation: Operation };

export function operationsOf(document: Document): Named[] {
  return Object.entries(document.paths).flatMap(([template, item]) =>
    Object.entries(item).map(([verb, operation]) => ({ method: verb.toUpperCase(), template, operation })),
  );
}

/** Which of the examples' ids stands for `{id}` below a noun. */
const idBelow: Readonly<Record<string, string>> = {
  passes: ids.pass,
  batches: ids.batch,
  jobs: ids.job,
  messages: ids.message,
  templates: ids.template,
  webhooks: ids.webhook,
};

/** The path of an operation with what the stage has in the place of its parts, and the query that it needs. */
export function pathOf({ template, operation }: Named, replacements: Replacements): string {
  const [, noun = ""] = /^\/api\/v1\/([^/]+)/.exec(template) ?? [];
  const parts: Record<string, string> = {
    "{id}": idBelow[noun] ?? "",
    "{externalRef}": "customer-4711",
    "{token}": pageToken,
  };
  const filled = (example: string): string => replacements.get(example) ?? example;
  const path = template.replace(/\{[^}]+\}/g, (part) => filled(parts[part] ?? part));
  const needed = (operation.parameters ?? []).filter((one) => one.in === "query" && one.required);
  const query = new URLSearchParams(
    needed.map(({ name, example }): [string, string] => [name, filled(example)]),
  );
  return query.size === 0 ? path : `${path}?${query}`;
}

/** One request for each example of an operation's body, or one without a body. */
export function exampleRequests(named: Named, replacements: Replacements): { name: string; ask: Ask }[] {
  const { method, operation } = named;
  const bodies = Object.entries(operation.requestBody?.content ?? {});
  if (bodies.length === 0) return [{ name: operation.operationId, ask: { method } }];
  return bodies.flatMap(([mediaType, { examples = {} }]) =>
    Object.entries(examples).map(([name, { value }]) => {
      const filled = replaced(value, replacements);
      const body = mediaType.includes("form")
        ? new URLSearchParams(filled as Record<string, string>).toString()
        : JSON.stringify(filled);
      const headers = {
        "content-type": mediaType,
        ...basicFor(name, replacements),
        ...signatureFor(operation, body),
      };
      return {
        name: `${operation.operationId} ${name}`,
        ask: { method, body, headers: withLength(headers, body) },
      };
    }),
  );
}

function withLength(headers: Record<string, string>, body: string): Record<string, string> {
  return { ...headers, "content-length": String(Buffer.byteLength(body)) };
}

/** The one example whose credentials stand in a header. */
function basicFor(name: string, replacements: Replacements): Record<string, string> {
  if (name !== "basic") return {};
  const parts = [ids.application, "<APPLICATION_SECRET>"].map((part) => replacements.get(part) ?? "");
  return {
    authorization: `Basic ${Buffer.from(parts.map(encodeURIComponent).join(":")).toString("base64")}`,
  };
}

/** The one operation whose caller signs what it sends. */
function signatureFor({ operationId }: Operation, body: string): Record<string, string> {
  return operationId === "receivePaymentEvent" ? { "stripe-signature": signatureOf(body) } : {};
}

function replaced(value: unknown, replacements: Replacements): unknown {
  if (typeof value === "string") return replacements.get(value) ?? value;
  if (Array.isArray(value)) return value.map((item) => replaced(item, replacements));
  if (typeof value !== "object" || value === null) return value;
  return Object.fromEntries(
    Object.entries(value).map(([name, member]) => [name, replaced(member, replacements)]),
  );
}
