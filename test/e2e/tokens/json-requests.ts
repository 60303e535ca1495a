import type { Test } from "tap";
import { askToken } from "../support/client.ts";
import { ask, faultyPaths, type Reply, withoutTrace } from "../support/requests.ts";
import { traceId } from "../support/shapes.ts";
import type { Surroundings } from "./surroundings.ts";

/** RFC 6749 section 5.2: no quote, no backslash, nothing outside ASCII. */
const description = /^[\x20-\x21\x23-\x5b\x5d-\x7e]+$/;

/** What both ways of asking have in common when they are refused. */
export function isRefusal(t: Test, reply: Reply, status: number, error: string): void {
  t.equal(reply.status, status, reply.text);
  t.match(reply.json, { error, error_description: description, trace_id: traceId });
  t.match(reply.headers["cache-control"], /no-store/);
  t.match(reply.headers["content-type"], /^application\/json/);
}

const unknownId = "0199d1c5-8a4e-7c3b-9f00-5b1f6a2d7e10";

export async function jsonRequests(t: Test, { baseUrl, credentials, issuer, stranger }: Surroundings) {
  const post = (body: unknown) => ask(`${baseUrl}/api/v1/auth/token`, { body });
  const snake: Record<string, unknown> = { ...credentials, grant_type: "client_credentials" };
  const camel: Record<string, unknown> = {
    tenantId: credentials.tenant_id,
    applicationId: credentials.application_id,
    clientSecret: credentials.application_secret,
    grantType: "client_credentials",
  };

  t.test("both spellings get a token, and grant_type goes with either", async (t) => {
    const { grantType, ...camelOnly } = camel;
    for (const body of [snake, camel, { ...camelOnly, grant_type: grantType }]) {
      const reply = await post(body);
      t.equal(reply.status, 200, reply.text);
      t.match(reply.json, { token_type: "Bearer", access_token: String });
    }
  });

  for (const [spelling, whole] of [
    ["snake_case", snake],
    ["camelCase", camel],
  ] as const) {
    for (const [name, value] of Object.entries(whole)) {
      t.test(`${spelling}: without ${name}`, async (t) => {
        const { [name]: _, ...rest } = whole;
        const reply = await post(rest);
        isRefusal(t, reply, 400, "invalid_request");
        const paths = faultyPaths(reply).map(snakeCase);
        // What is missing has no spelling, so either may be named; the documented one is used here.
        t.strictSame(paths, [snakeCase(`/${name.replace("clientSecret", "application_secret")}`)]);
      });

      const wrongTypes = [null, 5, true, ["client_credentials"], { of: value }];
      t.test(`${spelling}: ${name} of another type`, async (t) => {
        for (const wrong of wrongTypes) {
          const reply = await post({ ...whole, [name]: wrong });
          isRefusal(t, reply, 400, "invalid_request");
          t.strictSame([...new Set(faultyPaths(reply))], [`/${name}`], JSON.stringify(wrong));
        }
      });
    }

    const { 0: tenant = "", 1: application = "", 3: grant = "" } = Object.keys(whole);
    t.test(`${spelling}: identifiers that are no UUID, and other grants`, async (t) => {
      const wrong: [string, string][] = [
        [tenant, "acme"],
        [tenant, ""],
        [tenant, `${unknownId}0`],
        [tenant, `{${unknownId}}`],
        [application, unknownId.replaceAll("-", "")],
        [application, ` ${unknownId}`],
        [grant, "password"],
        [grant, "refresh_token"],
        [grant, "Client_Credentials"],
        [grant, "client_credentials "],
        [grant, ""],
      ];
      for (const [name, value] of wrong) {
        const reply = await post({ ...whole, [name]: value });
        isRefusal(t, reply, 400, "invalid_request");
        t.strictSame(faultyPaths(reply), [`/${name}`], `${name} is ${JSON.stringify(value)}`);
      }
    });
  }

  t.test("both spellings of one field in one body", async (t) => {
    const pairs = Object.entries(camel).map(([name, value]) => ({ [name]: value }));
    for (const extra of pairs) {
      const reply = await post({ ...snake, ...extra });
      isRefusal(t, reply, 400, "invalid_request");
      t.ok(faultyPaths(reply).length > 0, `it says that ${Object.keys(extra)} is too much`);
    }
  });

  t.test("every fault of a body is named", async (t) => {
    const faulty = { tenant_id: 5, application_id: "x", grant_type: "password", sudo: true, scope: [] };
    const reply = await post(faulty);
    isRefusal(t, reply, 400, "invalid_request");
    t.strictSame(
      [...new Set(faultyPaths(reply))],
      ["/application_id", "/application_secret", "/grant_type", "/scope", "/sudo", "/tenant_id"],
    );
    for (const { message } of reply.json.details) t.match(message, /\S/);
  });

  t.test("an unknown member, whatever it is called", async (t) => {
    for (const name of ["extra", "constructor", 'qu"ote', "back\\slash", "größe", "\u202e", "a\r\nb"]) {
      isRefusal(t, await post({ ...snake, [name]: 1 }), 400, "invalid_request");
    }
  });

  t.test("scope asks for a subset, never for more", async (t) => {
    const some = await post({ ...snake, scope: "templates:read passes:read" });
    t.equal(some.status, 200, some.text);
    t.strictSame(some.json.scope.split(" ").sort(), ["passes:read", "templates:read"]);
    const twice = await post({ ...snake, scope: "passes:read passes:read" });
    t.equal(twice.json.scope, "passes:read");
    for (const scope of ["passes:delete", "passes:read nothing", "PASSES:READ"]) {
      isRefusal(t, await post({ ...snake, scope }), 400, "invalid_scope");
    }
    isRefusal(t, await askToken(baseUrl, issuer, { scope: "webhooks:write" }), 400, "invalid_scope");
  });

  t.test("who cannot be told apart from the outside gets one and the same 401", async (t) => {
    const tampered = `${credentials.application_secret.slice(0, -1)}_`;
    const refused = [
      { ...credentials, application_secret: issuer.application_secret },
      { ...credentials, application_secret: stranger.application_secret },
      { ...credentials, application_secret: "wrong" },
      { ...credentials, application_secret: tampered },
      { ...credentials, application_secret: `${credentials.application_secret} ` },
      { ...credentials, tenant_id: unknownId },
      { ...credentials, application_id: unknownId },
      { ...credentials, application_id: stranger.application_id },
      { ...credentials, tenant_id: stranger.tenant_id },
      { ...stranger, tenant_id: credentials.tenant_id },
      { ...credentials, tenant_id: credentials.application_id },
    ];
    const replies = [];
    for (const wrong of refused) {
      const reply = await askToken(baseUrl, wrong);
      isRefusal(t, reply, 401, "invalid_client");
      replies.push({ body: withoutTrace(reply), headers: Object.keys(reply.headers).sort() });
    }
    for (const reply of replies) t.strictSame(reply, replies[0]);
  });
}

function snakeCase(path: string): string {
  return path
    .replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`)
    .replace("client_secret", "application_secret");
}
