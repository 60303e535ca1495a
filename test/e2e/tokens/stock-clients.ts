import { execFileSync } from "node:child_process";
import { createPublicKey } from "node:crypto";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { createRemoteJWKSet, jwtVerify } from "jose";
import * as oauth from "oauth4webapi";
import * as openid from "openid-client";
import type { Test } from "tap";
import { byJsonwebtoken, byPyjwt, pyjwtIsMissing } from "../../support/foreign-verifiers.ts";
import { askToken } from "../support/client.ts";
import { verifyByJsonwebtoken } from "../support/jsonwebtoken.ts";
import { ask } from "../support/requests.ts";
import { decoded } from "./access-tokens.ts";
import type { Surroundings } from "./surroundings.ts";

/** The service is on loopback, without TLS. */
const insecure = { [oauth.allowInsecureRequests]: true };

export async function stockClients(t: Test, { baseUrl, credentials }: Surroundings) {
  const issuer = new URL(baseUrl);
  const client: oauth.Client = { client_id: credentials.application_id };
  const token: string = (await askToken(baseUrl, credentials)).json.access_token;

  const discovered = async () => {
    const response = await oauth.discoveryRequest(issuer, { algorithm: "oauth2", ...insecure });
    return oauth.processDiscoveryResponse(issuer, response);
  };

  t.test("the metadata of RFC 8414 says where everything is", async (t) => {
    const metadata = await discovered();
    t.match(metadata, {
      issuer: baseUrl,
      token_endpoint: `${baseUrl}/api/v1/auth/token`,
      jwks_uri: `${baseUrl}/.well-known/jwks.json`,
      grant_types_supported: ["client_credentials"],
    });
    for (const method of ["client_secret_basic", "client_secret_post"]) {
      t.ok(metadata.token_endpoint_auth_methods_supported?.includes(method), method);
    }
    t.ok(Array.isArray(metadata.response_types_supported), "a member that RFC 8414 requires");
  });

  for (const [name, authentication] of [
    ["client_secret_basic", oauth.ClientSecretBasic],
    ["client_secret_post", oauth.ClientSecretPost],
  ] as const) {
    t.test(`oauth4webapi gets a token by discovery alone, with ${name}`, async (t) => {
      const server = await discovered();
      const auth = authentication(credentials.application_secret);
      const parameters = { scope: "passes:read" };
      const response = await oauth.clientCredentialsGrantRequest(server, client, auth, parameters, insecure);
      const answer = await oauth.processClientCredentialsResponse(server, client, response);
      t.equal(answer.scope, "passes:read");

      const resource = new URL("/api/v1/passes", baseUrl);
      const passes = await oauth.protectedResourceRequest(
        answer.access_token,
        "GET",
        resource,
        undefined,
        undefined,
        insecure,
      );
      t.equal(passes.status, 200);
    });
  }

  for (const [name, authentication] of [
    ["client_secret_basic", openid.ClientSecretBasic],
    ["client_secret_post", openid.ClientSecretPost],
  ] as const) {
    t.test(`openid-client gets a token by discovery alone, with ${name}`, async (t) => {
      const { application_id: id, application_secret: secret } = credentials;
      const configuration = await openid.discovery(issuer, id, undefined, authentication(secret), {
        algorithm: "oauth2",
        execute: [openid.allowInsecureRequests],
      });
      const answer = await openid.clientCredentialsGrant(configuration, { scope: "passes:read" });
      t.match(answer, { scope: "passes:read", token_type: "bearer" });
      t.ok((answer.expiresIn() ?? 0) > 3500);
      const passes = new URL("/api/v1/passes", baseUrl);
      const reply = await openid.fetchProtectedResource(configuration, answer.access_token, passes, "GET");
      t.equal(reply.status, 200);
      const refusal = await openid
        .clientCredentialsGrant(configuration, { scope: "nothing" })
        .catch((e) => e);
      t.match(refusal, { error: "invalid_scope", status: 400 }, "and it understands a refusal");
    });
  }

  t.test("oauth4webapi takes our token for one of RFC 9068", async (t) => {
    const request = new Request(baseUrl, { headers: { authorization: `Bearer ${token}` } });
    const claims = await oauth.validateJwtAccessToken(await discovered(), request, baseUrl, insecure);
    t.equal(claims.client_id, credentials.application_id);
  });

  t.test("jose verifies it with the served key set", async (t) => {
    const keys = createRemoteJWKSet(new URL(`${baseUrl}/.well-known/jwks.json`));
    const expected = { issuer: baseUrl, audience: baseUrl, typ: "at+jwt", algorithms: ["RS256"] };
    t.match(await jwtVerify(token, keys, expected), { payload: { tenant_id: credentials.tenant_id } });
  });

  t.test("jsonwebtoken verifies it with the served key", async (t) => {
    const expected = { algorithms: ["RS256"], issuer: baseUrl, audience: baseUrl };
    const claims = verifyByJsonwebtoken(token, await servedKey(baseUrl, token), expected);
    t.equal(claims.tenant_id, credentials.tenant_id);
  });

  for (const [name, verify, skip] of [
    ["jsonwebtoken with jwks-rsa", byJsonwebtoken, false],
    ["Debian's PyJWT", byPyjwt, pyjwtIsMissing()],
  ] as const) {
    t.test(`${name} verifies it with the served key set`, { skip }, async (t) => {
      const keySet = JSON.parse((await ask(`${baseUrl}/.well-known/jwks.json`)).text);
      const expected = { keySet, issuer: baseUrl, audience: baseUrl, nowMs: Date.now() };
      t.match(await verify(token, expected), { tenant_id: credentials.tenant_id });
    });
  }

  t.test("OpenSSL verifies it with the served key, and not with one letter changed", async (t) => {
    const folder = t.testdir({ "key.pem": await servedKey(baseUrl, token) });
    const [header, claims, signature = ""] = token.split(".");
    writeFileSync(join(folder, "signature"), Buffer.from(signature, "base64url"));
    const verify = (signed: string) => {
      writeFileSync(join(folder, "signed"), signed);
      const args = ["dgst", "-sha256", "-verify", "key.pem", "-signature", "signature", "signed"];
      return execFileSync("openssl", args, { cwd: folder, encoding: "utf8", stdio: "pipe" });
    };
    t.match(verify(`${header}.${claims}`), /Verified OK/);
    t.throws(() => verify(`${header}.${claims}a`));
  });
}

/** PEM of the key that the token's header names. */
export async function servedKey(baseUrl: string, token: string): Promise<string> {
  const [{ kid }] = decoded(token);
  const { keys } = JSON.parse((await ask(`${baseUrl}/.well-known/jwks.json`)).text);
  const key = keys.find((candidate: { kid: string }) => candidate.kid === kid);
  return createPublicKey({ key, format: "jwk" }).export({ type: "spki", format: "pem" }).toString();
}
