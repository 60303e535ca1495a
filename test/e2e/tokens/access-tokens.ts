import { createHash } from "node:crypto";
import type { Test } from "tap";
import { askToken } from "../support/client.ts";
import { ask } from "../support/requests.ts";
import type { Surroundings } from "./surroundings.ts";

const scopes = {
  backend:
    "passes:read passes:write templates:read templates:write messages:read messages:write webhooks:write analytics:read",
  issuer: "passes:read passes:write templates:read messages:read messages:write",
  reporting: "passes:read templates:read messages:read analytics:read",
};

type Key = { kid: string; n: string; e: string };

export async function accessTokens(t: Test, { baseUrl, credentials, issuer, reporting }: Surroundings) {
  const before = Math.floor(Date.now() / 1000);
  const reply = await askToken(baseUrl, credentials);
  const [header, claims] = decoded(reply.json.access_token);

  t.test("the answer is not to be stored, and says how long the token lives", async (t) => {
    t.equal(reply.status, 200);
    t.match(reply.headers["cache-control"], /no-store/);
    t.match(reply.headers["content-type"], /^application\/json/);
    t.strictSame(Object.keys(reply.json).sort(), [
      "access_token",
      "expires_at",
      "expires_in",
      "scope",
      "token_type",
    ]);
    t.equal(reply.json.token_type, "Bearer");
    t.ok([3599, 3600].includes(reply.json.expires_in), `expires_in is ${reply.json.expires_in}`);
    t.equal(reply.json.expires_at, claims.exp);
  });

  t.test("the header names RS256, at+jwt, and the key by its RFC 7638 thumbprint", async (t) => {
    t.strictSame(Object.keys(header).sort(), ["alg", "kid", "typ"]);
    t.match(header, { alg: "RS256", typ: "at+jwt" });
    const { keys }: { keys: Key[] } = JSON.parse((await ask(`${baseUrl}/.well-known/jwks.json`)).text);
    t.ok(
      keys.some(({ kid }) => kid === header.kid),
      "the key is published",
    );
    for (const { kid, n, e } of keys) {
      const canonical = `{"e":"${e}","kty":"RSA","n":"${n}"}`;
      t.equal(kid, createHash("sha256").update(canonical).digest("base64url"));
    }
  });

  t.test("the claims are those of RFC 9068, and the tenant", async (t) => {
    t.strictSame(Object.keys(claims).sort(), [
      "aud",
      "client_id",
      "exp",
      "iat",
      "iss",
      "jti",
      "scope",
      "sub",
      "tenant_id",
    ]);
    t.match(claims, {
      iss: baseUrl,
      sub: credentials.application_id,
      client_id: credentials.application_id,
      tenant_id: credentials.tenant_id,
      scope: reply.json.scope,
    });
    t.strictSame([claims.aud].flat(), [baseUrl]);
    t.equal(claims.exp - claims.iat, 3600);
    t.ok(claims.iat >= before - 1 && claims.iat <= Math.ceil(Date.now() / 1000), "issued now");
  });

  t.test("no two tokens share an identifier", async (t) => {
    const replies = await Promise.all([1, 2, 3].map(() => askToken(baseUrl, credentials)));
    const ids = replies.map(({ json }) => decoded(json.access_token)[1].jti);
    t.equal(new Set([...ids, claims.jti]).size, 4);
  });

  for (const [type, owner] of Object.entries({ backend: credentials, issuer, reporting })) {
    t.test(`an application of type ${type} gets the scopes of its type`, async (t) => {
      const { json } = await askToken(baseUrl, owner);
      t.strictSame(json.scope.split(" ").sort(), scopes[type as keyof typeof scopes].split(" ").sort());
    });
  }
}

/** Header and claims, unverified. */
export function decoded(token: string): [ReturnType<typeof JSON.parse>, ReturnType<typeof JSON.parse>] {
  const [header = "", claims = ""] = token.split(".");
  const part = (text: string) => JSON.parse(Buffer.from(text, "base64url").toString("utf8"));
  return [part(header), part(claims)];
}
