import { randomBytes } from "node:crypto";
import t from "tap";
import { createVault } from "../../src/crypto/vault.ts";
import { createProviderConfigurationStore } from "../../src/redis/provider-configurations.ts";
import { createSigningKeyStore } from "../../src/redis/signing-keys.ts";
import { createWebhookStore } from "../../src/redis/webhooks.ts";
import { openIssuer, plainSecrets } from "../support/issuer.ts";
import { keySpace } from "../support/key-space.ts";
import { openStore } from "../support/store.ts";

const store = await openStore(t);
const issuer = await openIssuer(store);
const webhookId = await issuer.subscribe("pass.created");
const signingKey = "-----BEGIN PRIVATE KEY----- signing plaintext";
await createSigningKeyStore(store).seed([
  {
    kid: "kid",
    state: "active",
    publicJwk: { kty: "RSA", n: "modulus", e: "AQAB", kid: "kid", alg: "RS256", use: "sig" },
    privateKey: signingKey,
    publishedAtMs: 1,
    activatedAtMs: 1,
    retiredAtMs: null,
  },
]);

t.test("no secret is readable anywhere in the store", async (t) => {
  const everything = JSON.stringify(await keySpace(store));
  const secrets = { ...plainSecrets, signingKey, webhookSecret: "correct horse battery" };
  for (const [name, secret] of Object.entries(secrets)) {
    for (const form of [
      secret,
      Buffer.from(secret).toString("base64"),
      Buffer.from(secret).toString("hex"),
    ]) {
      t.notOk(everything.includes(form.replace(/=+$/, "")), `${name} as ${form.slice(0, 12)}…`);
    }
  }
  t.ok(everything.includes(webhookId), "what is not secret is found by this way of looking");
});

t.test("nobody reads the secrets without the master key", async (t) => {
  const thief = { ...store, vault: createVault([randomBytes(32)]) };
  const { tenantId } = issuer;
  await t.rejects(createWebhookStore(thief).target(tenantId, webhookId));
  await t.rejects(createSigningKeyStore(thief).list());
  await t.rejects(createProviderConfigurationStore(thief).credentials(tenantId, "google"));
});

t.test("a webhook's secret that was moved to another webhook opens nothing", async (t) => {
  const other = await issuer.subscribe("pass.created");
  const sealed = await store.connection.hget(store.keys.webhook(issuer.tenantId, webhookId), "secret");
  await store.connection.hset(store.keys.webhook(issuer.tenantId, other), "secret", sealed ?? "");
  await t.rejects(createWebhookStore(store).target(issuer.tenantId, other));
});
