import type { SealedSecret, SealedSecrets } from "../domain/secrets/sealed-secret.ts";
import type { SigningKey } from "../domain/signing-keys/signing-key.ts";
import { walletKeys } from "../domain/templates/template.ts";
import { maxWebhooksPerTenant } from "../domain/webhooks/webhook.ts";
import { asUnavailable } from "./connection.ts";
import type { StoreParts } from "./store.ts";

/** The secrets as they lie in hashes: wallet credentials and webhook secrets as fields, signing keys within JSON. */
export function createSealedSecrets({ connection, keys, run }: StoreParts): SealedSecrets {
  const placeIn = ({
    kind,
    tenantId,
    id,
  }: Pick<SealedSecret, "kind" | "tenantId" | "id">): [string, string] => {
    if (kind === "signing_key" || tenantId === null) return [keys.signingKeys, id];
    if (kind === "provider") return [`${keys.ofTenant(tenantId)}:provider:${id}`, "credentials"];
    return [keys.webhook(tenantId, id), "secret"];
  };
  const read = async (
    secret: Pick<SealedSecret, "kind" | "tenantId" | "id">,
  ): Promise<SealedSecret | null> => {
    const { kind, tenantId, id } = secret;
    const stored = await connection.hget(...placeIn(secret));
    if (stored === null) return null;
    const type = kind === "signing_key" ? "signing-key" : kind;
    const sealed = kind === "signing_key" ? (JSON.parse(stored) as SigningKey).privateKey : stored;
    return { kind, tenantId, id, place: { tenantId, type, id }, sealed, stored };
  };
  const readAll = async (secrets: readonly Pick<SealedSecret, "kind" | "tenantId" | "id">[]) => {
    const found = await Promise.all(secrets.map(read));
    return found.filter((secret) => secret !== null);
  };
  const orUnavailable = async <Result>(reading: Promise<Result>): Promise<Result> => {
    try {
      return await reading;
    } catch (error) {
      throw asUnavailable(error);
    }
  };

  return {
    signingKeys: () =>
      orUnavailable(
        connection
          .hkeys(keys.signingKeys)
          .then((kids) => readAll(kids.map((id) => ({ kind: "signing_key", tenantId: null, id })))),
      ),
    ofTenant: (tenantId) =>
      orUnavailable(
        connection
          .zrange(keys.webhooks(tenantId), "0", String(maxWebhooksPerTenant))
          .then((webhookIds) =>
            readAll([
              ...walletKeys.map((id) => ({ kind: "provider", tenantId, id }) as const),
              ...webhookIds.map((id) => ({ kind: "webhook", tenantId, id }) as const),
            ]),
          ),
      ),
    again: (secret) => orUnavailable(read(secret)),
    async reseal(secret, sealed) {
      const [key, field] = placeIn(secret);
      const replacement =
        secret.kind === "signing_key"
          ? JSON.stringify({ ...(JSON.parse(secret.stored) as SigningKey), privateKey: sealed })
          : sealed;
      const reply = await run("reseal-field", [key], [field, secret.stored, replacement]);
      return reply as "resealed" | "changed";
    },
  };
}
