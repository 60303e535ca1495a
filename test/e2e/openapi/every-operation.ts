import type { Test } from "tap";
import type { Document } from "../../support/openapi.ts";
import type { Ask, Reply } from "../support/requests.ts";
import { exampleRequests, type Named, operationsOf, pathOf } from "./example-requests.ts";
import type { Stage } from "./stage.ts";

/** Sends a request with the token of the stage where the operation wants one; says what is wrong with the answer. */
export type Send = (path: string, ask: Ask) => Promise<{ reply: Reply; faults: string[] }>;

export type Way = {
  document: Document;
  stage: Stage;
  send: Send;
  /** Whether a body that is no JSON gets through. */
  takesMalformed: boolean;
};

/** Sends every example of every operation, and expects the success that is documented. */
export async function everySuccess(t: Test, { document, stage, send }: Way): Promise<void> {
  // Apple's protocol needs a phone with a pass: test/e2e/devices.ts, where answers are held against the document, too.
  // Google's call-backs need its signature: test/http/routes/callbacks.ts.
  const ofWallets = /^\/(apple|google)\//;
  for (const named of operationsOf(document).filter(({ template }) => !ofWallets.test(template))) {
    const replacements = await stage.prepare(named.operation.operationId);
    const path = pathOf(named, replacements);
    const success = Object.keys(named.operation.responses).find((status) => status.startsWith("2"));
    for (const { name, ask } of exampleRequests(named, replacements)) {
      const { reply, faults } = await send(path, withToken(named, ask, stage.client.token));
      t.equal(String(reply.status), success, `${name}: ${reply.status < 300 ? "" : reply.text}`);
      t.strictSame(faults, [], name);
    }
  }
}

/** Sends every operation the usual mistakes, and expects the errors that are documented. */
export async function usualErrors(t: Test, { document, stage, send, takesMalformed }: Way): Promise<void> {
  const replacements = await stage.prepare("getPass");
  const refused = async (
    named: Named,
    path: string,
    ask: Ask,
    expected: { status: number; error: string },
  ) => {
    const { reply, faults } = await send(path, ask);
    const name = `${named.method} ${named.template} ${expected.error}`;
    t.match({ status: reply.status, error: reply.json?.error }, expected, name);
    t.strictSame(faults, [], name);
  };
  for (const named of operationsOf(document)) {
    const { operation, template, method } = named;
    const path = pathOf(named, replacements);
    const [first] = exampleRequests(named, replacements);
    if (first === undefined || !isGuarded(named)) continue;
    const ask = withToken(named, first.ask, stage.client.token);
    await refused(named, path, first.ask, { status: 401, error: "invalid_token" });
    if (template.includes("{id}")) {
      const unknown = template.replace("{id}", crypto.randomUUID());
      await refused(named, unknown, ask, { status: 404, error: "not_found" });
      await refused(named, template.replace("{id}", "7"), ask, { status: 404, error: "not_found" });
    }
    if (operation.requestBody !== undefined) {
      const body = '{"surprise":true}';
      const headers = { ...ask.headers, "content-length": String(body.length) };
      const wrong = { status: 400, error: "invalid_request" };
      await refused(named, path, { ...ask, body, headers }, wrong);
      const broken = { ...ask.headers, "content-length": "1" };
      if (takesMalformed) await refused(named, path, { ...ask, body: "{", headers: broken }, wrong);
    }
    const isList = operation.parameters?.some(({ name }) => name === "page_size") === true;
    if (method === "GET" && isList) {
      const wrong = { status: 400, error: "invalid_request" };
      await refused(named, `${path}?page=0&page_size=101`, ask, wrong);
    }
  }
}

function isGuarded({ operation }: Named): boolean {
  return operation.security.some((one) => "oauth2" in one);
}

function withToken(named: Named, ask: Ask, token: string): Ask {
  if (!isGuarded(named)) return ask;
  return { ...ask, headers: { authorization: `Bearer ${token}`, ...ask.headers } };
}
