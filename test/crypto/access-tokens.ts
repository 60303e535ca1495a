import { execFileSync } from "node:child_process";
import { createPublicKey } from "node:crypto";
import { writeFileSync } from "node:fs";
import { createRequire } from "node:module";
import { join } from "node:path";
import t from "tap";
import { createAccessTokens } from "../../src/crypto/access-tokens.ts";
import { createKeyring } from "../../src/crypto/keyring.ts";
import type { SigningKey } from "../../src/domain/signing-keys/signing-key.ts";
import { applicationId, tenantId } from "../domain/fixtures/examples.ts";
import { refusalOf } from "../domain/fixtures/refusal.ts";
import { settableClock } from "../support/clock.ts";
import { mintKeys } from "./fixtures/signing-keys.ts";

/** Not typed by its authors. */
const jsonwebtoken: { verify(token: string, key: string, options: object): unknown } = createRequire(
  import.meta.url,
)("jsonwebtoken");
const folder = t.testdir();
const [active, next] = mintKeys("active", "next") as [SigningKey, SigningKey];
const baseUrl = "https://passes.example.com";
const issuedAt = 1_795_000_000;
const claims = {
  id: "0193a0b4-7c11-7abc-8def-0123456789ab",
  tenantId,
  applicationId,
  scopes: ["passes:read", "passes:write"] as const,
  issuedAt,
  expiresAt: issuedAt + 3600,
};

/** Tokens at an instant, over keys that a test may change. */
async function open() {
  const world = { keys: [active, next], clock: settableClock(issuedAt * 1000) };
  const keyring = await createKeyring(async () => world.keys, world.clock);
  return { ...world, world, keyring, tokens: createAccessTokens({ keyring, clock: world.clock, baseUrl }) };
}

const pem = (key: SigningKey): string =>
  createPublicKey({ key: { ...key.publicJwk }, format: "jwk" })
    .export({ type: "spki", format: "pem" })
    .toString();

t.test("a token is what RFC 9068 profiles: header, claims, and nothing else", async (t) => {
  const { tokens } = await open();
  const [header = "", payload = "", ...rest] = (await tokens.sign(claims)).split(".");
  t.equal(rest.length, 1);
  t.strictSame(JSON.parse(Buffer.from(header, "base64url").toString()), {
    alg: "RS256",
    typ: "at+jwt",
    kid: active.kid,
  });
  t.strictSame(JSON.parse(Buffer.from(payload, "base64url").toString()), {
    iss: baseUrl,
    aud: baseUrl,
    sub: applicationId,
    client_id: applicationId,
    tenant_id: tenantId,
    scope: "passes:read passes:write",
    iat: issuedAt,
    exp: issuedAt + 3600,
    jti: claims.id,
  });
});

t.test("jsonwebtoken and openssl verify a token with the published key", async (t) => {
  const { tokens } = await open();
  const token = await tokens.sign(claims);
  t.match(
    jsonwebtoken.verify(token, pem(active), {
      algorithms: ["RS256"],
      issuer: baseUrl,
      audience: baseUrl,
      clockTimestamp: issuedAt,
    }),
    { sub: applicationId },
  );
  const [header, payload, signature = ""] = token.split(".");
  writeFileSync(join(folder, "signed"), `${header}.${payload}`);
  writeFileSync(join(folder, "signature"), Buffer.from(signature, "base64url"));
  writeFileSync(join(folder, "key.pem"), pem(active));
  const args = ["dgst", "-sha256", "-verify", "key.pem", "-signature", "signature", "signed"];
  t.match(execFileSync("openssl", args, { cwd: folder, encoding: "utf8" }), /Verified OK/);
});

t.test("a token is verified to its claims, the first time and again", async (t) => {
  const { tokens } = await open();
  const token = await tokens.sign(claims);
  const expected = {
    tenantId,
    applicationId,
    scopes: ["passes:read", "passes:write"],
    expiresAt: issuedAt + 3600,
  };
  t.strictSame(await tokens.verify(token), expected);
  t.strictSame(await tokens.verify(token), expected);
});

t.test("a token that was verified before is refused as soon as it has expired", async (t) => {
  const { tokens, clock } = await open();
  const token = await tokens.sign(claims);
  clock.setTo((issuedAt + 3599) * 1000);
  await tokens.verify(token);
  clock.setTo((issuedAt + 3600 + 60) * 1000);
  t.match(await refusalOf(() => tokens.verify(token)), { code: "invalid_token", kind: "unauthorized" });
});

t.test("a token that was never seen before is refused within a minute of its expiry", async (t) => {
  const { tokens, clock } = await open();
  const token = await tokens.sign(claims);
  clock.setTo((issuedAt + 3600 + 60) * 1000);
  t.equal((await refusalOf(() => tokens.verify(token))).code, "invalid_token");
});

t.test("a token whose key left the ring is refused, also one that was verified before", async (t) => {
  const { tokens, world, keyring } = await open();
  const token = await tokens.sign(claims);
  await tokens.verify(token);
  world.keys = [{ ...next, state: "active" }];
  await keyring.refresh();
  t.equal((await refusalOf(() => tokens.verify(token))).code, "invalid_token");
});

t.test("tokens of a retiring key are good, and new ones are signed by the active one", async (t) => {
  const { tokens, world, keyring } = await open();
  const old = await tokens.sign(claims);
  world.keys = [
    { ...next, state: "active" },
    { ...active, state: "retiring" },
  ];
  await keyring.refresh();
  t.match(await tokens.verify(old), { applicationId });
  const fresh = await tokens.sign(claims);
  t.match(JSON.parse(Buffer.from(fresh.split(".")[0] ?? "", "base64url").toString()), { kid: next.kid });
  t.match(await tokens.verify(fresh), { applicationId });
});

t.test("scopes that we do not know are not granted, nor in an order of the token's", async (t) => {
  const { tokens } = await open();
  const scopes = ["passes:write", "passes:read", "admin"] as unknown as typeof claims.scopes;
  t.strictSame((await tokens.verify(await tokens.sign({ ...claims, scopes }))).scopes, [
    "passes:read",
    "passes:write",
  ]);
});

t.test("a token of another installation is not ours, though the keys be the same", async (t) => {
  const { keyring, clock } = await open();
  const other = createAccessTokens({ keyring, clock, baseUrl: "https://staging.example.com" });
  const { tokens } = await open();
  const token = await other.sign(claims);
  t.equal((await refusalOf(() => tokens.verify(token))).code, "invalid_token");
});
