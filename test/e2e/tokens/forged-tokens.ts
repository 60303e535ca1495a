import { createPublicKey } from "node:crypto";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import type { Test } from "tap";
import { askToken } from "../support/client.ts";
import { encoded, macBy, rsaKeyPair, signedBy, unsigned } from "../support/jws.ts";
import { ask } from "../support/requests.ts";
import { decoded } from "./access-tokens.ts";
import { servedKey } from "./stock-clients.ts";
import type { Surroundings } from "./surroundings.ts";

// What an outsider can try who holds a token of his own and the published keys: RFC 8725, and what verifiers of
// other products have fallen for. Each is to be one and the same 401.

type Forgery = readonly [name: string, token: string];

export async function forgedTokens(t: Test, { baseUrl, credentials }: Surroundings) {
  const token: string = (await askToken(baseUrl, credentials)).json.access_token;
  const [header, claims] = decoded(token);
  const [head = "", body = "", signature = ""] = token.split(".");
  const own = rsaKeyPair();
  const ownJwk = { ...own.publicKey.export({ format: "jwk" }), kid: header.kid, alg: "RS256", use: "sig" };
  const by = (more: object, claim: object = {}) =>
    signedBy(own.privateKey, { ...header, ...more }, { ...claims, ...claim });
  const { visits, url: lure } = await lureFor(t, { keys: [ownJwk] });

  const refused = (name: string, forgeries: readonly Forgery[]) =>
    t.test(name, async (t) => {
      for (const [what, forged] of forgeries) {
        const reply = await tryOut(forged);
        t.equal(reply.status, 401, `${what}: ${reply.text}`);
        t.match(reply.json, { error: "invalid_token" }, what);
        t.match(reply.headers["www-authenticate"], /^Bearer\b.*error="invalid_token"/, what);
      }
    });
  const tryOut = (forged: string) =>
    ask(`${baseUrl}/api/v1/templates`, { headers: { authorization: `Bearer ${forged}` } });

  t.test("the real one is let in, or nothing here would mean anything", async (t) => {
    t.equal((await tryOut(token)).status, 200);
  });

  refused(
    "without a signature",
    ["none", "None", "NONE", "nOnE", ""].flatMap((alg): Forgery[] => [
      [`alg ${alg}, nothing behind the dot`, `${unsigned({ ...header, alg }, claims)}.`],
      [`alg ${alg}, no second dot`, unsigned({ ...header, alg }, claims)],
      [`alg ${alg}, with the signature of before`, `${unsigned({ ...header, alg }, claims)}.${signature}`],
    ]),
  );

  const pem = await servedKey(baseUrl, token);
  const published = await ask(`${baseUrl}/.well-known/jwks.json`);
  const jwk = JSON.parse(published.text).keys.find(({ kid }: { kid: string }) => kid === header.kid);
  const publicKey = createPublicKey(pem);
  const asSecret = {
    PEM: pem,
    "PEM without its last line end": pem.trimEnd(),
    "PKCS#1 PEM": publicKey.export({ type: "pkcs1", format: "pem" }),
    DER: publicKey.export({ type: "spki", format: "der" }),
    "PKCS#1 DER": publicKey.export({ type: "pkcs1", format: "der" }),
    "the JWK": JSON.stringify(jwk),
    "the JWK's modulus": Buffer.from(jwk.n, "base64url"),
    "the JWK's modulus as text": jwk.n,
    "the whole set": published.text,
    "the key identifier": header.kid,
    nothing: "",
  };
  refused(
    "with our public key as the secret of an HMAC",
    Object.entries(asSecret).flatMap(([name, secret]) =>
      ["256", "384", "512"].map((bits): Forgery => {
        const alg = `HS${bits}`;
        return [`${alg} by ${name}`, macBy(secret, `sha${bits}`, { ...header, alg }, claims)];
      }),
    ),
  );

  refused("signed by a key of one's own, brought along or pointed at", [
    ["under our key's name", by({})],
    ["without a key's name", by({ kid: undefined })],
    ["embedded as jwk", by({ jwk: ownJwk })],
    ["embedded as jwk, unnamed", by({ kid: undefined, jwk: ownJwk })],
    ["at a jku", by({ jku: `${lure}/jwks.json` })],
    ["at a jku, under another name", by({ jku: `${lure}/jwks.json`, kid: "mine" })],
    ["at an x5u", by({ x5u: `${lure}/chain.pem` })],
    ["as x5c", by({ x5c: [own.publicKey.export({ type: "spki", format: "der" }).toString("base64")] })],
    ["with kid and iss as addresses", by({ kid: `${lure}/jwks.json` }, { iss: lure })],
  ]);

  refused(
    "with a key identifier that is a trick",
    [
      "../../../../etc/passwd",
      "/dev/null",
      "\u0000",
      `${header.kid}\u0000`,
      "' OR 1=1 --",
      "__proto__",
      "constructor",
      "x".repeat(1500),
      "",
      0,
      null,
      true,
      [header.kid],
      { kid: header.kid },
    ].map((kid): Forgery => [`kid ${JSON.stringify(kid).slice(0, 30)}`, by({ kid })]),
  );

  refused("with headers that change what the token is", [
    ["an unknown crit", by({ crit: ["exp"], exp: claims.exp })],
    ["crit b64", by({ crit: ["b64"], b64: false })],
    ["an empty crit", by({ crit: [] })],
    ["typ JWT", by({ typ: "JWT" })],
    ["no typ", by({ typ: undefined })],
    ["zip", by({ zip: "DEF" })],
    ["alg RS512", by({ alg: "RS512" })],
    ["alg PS256", by({ alg: "PS256" })],
    ["alg ES256", by({ alg: "ES256" })],
    ["alg as a list", by({ alg: ["RS256"] })],
    ["our signature under typ JWT", `${encoded({ ...header, typ: "JWT" })}.${body}.${signature}`],
    ["our signature under a crit", `${encoded({ ...header, crit: ["x"], x: 1 })}.${body}.${signature}`],
  ]);

  refused("with other claims under the signature of before", [
    ["a later end", `${head}.${encoded({ ...claims, exp: claims.exp + 1 })}.${signature}`],
    ["another tenant", `${head}.${encoded({ ...claims, tenant_id: claims.jti })}.${signature}`],
    [
      "the same claims, written differently",
      `${head}.${encoded(JSON.stringify(claims, null, 1))}.${signature}`,
    ],
  ]);

  refused("with claims that make no sense", [
    ["another issuer", by({}, { iss: "https://issuer.example" })],
    ["our issuer with a slash", by({}, { iss: `${baseUrl}/` })],
    ["another audience", by({}, { aud: "https://api.example" })],
    ["an exp of text", by({}, { exp: String(claims.exp) })],
    ["a vast exp", by({}, { exp: 1e30 })],
    ["a past exp", by({}, { exp: 1 })],
    ["no exp", by({}, { exp: undefined })],
    ["an nbf to come", by({}, { nbf: claims.exp })],
    ["an iat to come", by({}, { iat: claims.exp })],
    ["scopes as a list", by({}, { scope: ["passes:read"] })],
    ["no object", signedBy(own.privateKey, header, "[]")],
    ["no JSON", signedBy(own.privateKey, header, "{")],
    ["a header that is no JSON", signedBy(own.privateKey, "{", claims)],
    ["a header that is null", signedBy(own.privateKey, "null", claims)],
  ]);

  refused("with our signature, but not written as JWS compact serialization is", [
    ["four parts", `${token}.`],
    ["five parts", `${token}.${body}.${signature}`],
    ["two parts", `${head}.${body}`],
    ["one part", head],
    ["only dots", ".."],
    ["no claims", `${head}..${signature}`],
    ["no header", `.${body}.${signature}`],
    ["padding", `${token}=`],
    ["more padding", `${token}==`],
    ["padding in the header", `${head}=.${body}.${signature}`],
    [
      "base64 instead of base64url",
      `${head}.${body}.${Buffer.from(signature, "base64url").toString("base64")}`,
    ],
    ["a stray character in the signature", `${head}.${body}.${signature.slice(0, 9)}$${signature.slice(9)}`],
    ["a stray character at the end", `${token}!`],
    ["half a signature", token.slice(0, -256)],
    ["a signature of zeros", `${head}.${body}.${"A".repeat(signature.length)}`],
    ["a longer signature", `${token}AAAA`],
    ["the token in quotes", `"${token}"`],
  ]);

  refused("of a size that no token has", [
    ["three thousand letters", "a".repeat(3000)],
    ["eight thousand letters of claims", by({}, { filler: "x".repeat(5000) })],
    ["a thousand dots", ".".repeat(1000)],
  ]);

  t.test("a header beyond all bounds is refused by one means or another", async (t) => {
    const outcome = await tryOut("a".repeat(200_000)).then(
      ({ status }) => status,
      () => "cut",
    );
    t.ok([400, 401, 431, "cut"].includes(outcome), String(outcome));
    t.equal((await tryOut(token)).status, 200, "and all goes on");
  });

  t.test("nobody went to see the addresses in the tokens", async (t) => {
    t.equal(visits(), 0);
    await ask(lure);
    t.equal(visits(), 1, "though they would have been noticed");
  });
}

/** A server that a gullible verifier would fetch its keys from. */
async function lureFor(t: Test, keySet: object) {
  let connections = 0;
  const server = createServer((_, response) => response.end(JSON.stringify(keySet)));
  server.on("connection", () => connections++);
  await new Promise<void>((listening) => server.listen(0, "127.0.0.1", listening));
  t.teardown(() => server.close());
  const { port } = server.address() as AddressInfo;
  return { visits: () => connections, url: `http://127.0.0.1:${port}` };
}
