import { createPrivateKey } from "node:crypto";
import t from "tap";
import { createAccessTokens } from "../../src/crypto/access-tokens.ts";
import { createKeyring } from "../../src/crypto/keyring.ts";
import type { SigningKey } from "../../src/domain/signing-keys/signing-key.ts";
import { applicationId, tenantId } from "../domain/fixtures/examples.ts";
import { refusalOf } from "../domain/fixtures/refusal.ts";
import { signedBy } from "../e2e/support/jws.ts";
import { openLure } from "../e2e/support/lure.ts";
import { settableClock } from "../support/clock.ts";
import { forgedTokens } from "../support/forged-tokens.ts";
import { mintKeys } from "./fixtures/signing-keys.ts";

// What attackers and broken issuers send as tokens: each is invalid_token, and nothing else happens.

const [ours, removed] = mintKeys("active", "active") as [SigningKey, SigningKey];
const baseUrl = "https://passes.example.com";
const now = 1_795_000_000;
const clock = settableClock(now * 1000);
const keyring = await createKeyring(async () => [ours], clock);
const tokens = createAccessTokens({ keyring, clock, baseUrl });
const lure = await openLure(t);

const claims = {
  iss: baseUrl,
  aud: baseUrl,
  sub: applicationId,
  client_id: applicationId,
  tenant_id: tenantId,
  scope: "passes:read",
  iat: now,
  exp: now + 3600,
  jti: "jti",
};
const signedByKey = ({ kid, privateKey }: SigningKey) =>
  signedBy(createPrivateKey(privateKey), { alg: "RS256", typ: "at+jwt", kid }, claims);
const good = signedByKey(ours);

const corpus = [
  ...forgedTokens({
    token: good,
    privateKey: ours.privateKey,
    keySet: keyring.published().body,
    lure: lure.url,
  }),
  { kind: "a key of before", what: "a removed key's", token: signedByKey(removed) },
];

t.test("the token that the forgeries were made of is good", async (t) => {
  t.match(await tokens.verify(good), { tenantId, applicationId, scopes: ["passes:read"] });
});

for (const [kind, forgeries] of Map.groupBy(corpus, (forgery) => forgery.kind)) {
  t.test(`refused: ${kind}`, async (t) => {
    for (const { what, token } of forgeries) {
      const verdict = await tokens.verify(token).then(
        () => "accepted",
        () => refusalOf(() => tokens.verify(token)),
      );
      t.match(verdict, { code: "invalid_token", kind: "unauthorized" }, what);
      if (typeof verdict !== "string")
        t.notMatch(verdict.detail, / at |Error|node_modules/, "nothing of the inside");
    }
  });
}

t.test("no address that a token names was asked for anything", async (t) => {
  t.equal(lure.visits(), 0);
});
