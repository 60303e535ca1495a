import { PasswrightError } from "../domain/errors.ts";
import {
  type Credentials,
  isDemoMode,
  type ProviderConfiguration,
  type ProviderConfigurationStore,
} from "../domain/providers/configuration.ts";
import { type WalletKey, walletKeys } from "../domain/templates/template.ts";
import type { SecretPlace } from "../domain/vault.ts";
import { asUnavailable } from "./connection.ts";
import { readCache } from "./read-cache.ts";
import { createRecords, together } from "./records.ts";
import type { StoreParts } from "./store.ts";

type ConfigurationRecord = {
  tenant_id: string;
  wallet: WalletKey;
  enabled: boolean;
  sandbox: boolean;
  /** JSON, nothing secret. */
  summary: string;
  /** Sealed JSON. */
  credentials: string;
  updated_at: number;
};

/** How long another process may go on with a configuration that was changed. */
const staleMs = 2000;

export function createProviderConfigurationStore({
  connection,
  keys,
  run,
  vault,
}: StoreParts): ProviderConfigurationStore {
  const records = createRecords<ConfigurationRecord>(
    connection,
    keys.prefix,
    {
      tenant_id: { type: "string" },
      wallet: { type: "string" },
      enabled: { type: "boolean" },
      sandbox: { type: "boolean" },
      summary: { type: "string" },
      credentials: { type: "string" },
      updated_at: { type: "number" },
    },
    "wallet",
  );
  const place = (tenantId: string, wallet: WalletKey): SecretPlace => ({
    tenantId,
    type: "provider",
    id: wallet,
  });
  const readAll = async (tenantId: string) => {
    const found = await Promise.all(
      walletKeys.map((wallet) => records.read(keys.provider(tenantId, wallet))),
    );
    return found.filter((record) => record !== null);
  };
  const enabled = readCache(
    async (tenantId) => (await readAll(tenantId)).filter((r) => r.enabled).map((r) => r.wallet),
    { entries: 10_000, ttlMs: staleMs },
  );
  const opened = readCache<Credentials[WalletKey]>(
    async (cacheKey) => {
      const [tenantId = "", wallet] = cacheKey.split(" ") as [string, WalletKey];
      const record = await records.read(keys.provider(tenantId, wallet));
      if (record === null || !record.enabled) return null;
      return opening(record, tenantId, wallet);
    },
    { entries: 1000, ttlMs: staleMs },
  );

  const unsealed = (
    record: ConfigurationRecord,
    tenantId: string,
    wallet: WalletKey,
  ): Credentials[WalletKey] => ({
    ...JSON.parse(vault.open(record.credentials, place(tenantId, wallet))),
    ...(isDemoMode(configurationOf(record)) && { demoMode: true }),
  });

  /** Another worker may have the key, or this one after its next start: worth another try, though not for ever. */
  const opening = (
    record: ConfigurationRecord,
    tenantId: string,
    wallet: WalletKey,
  ): Credentials[WalletKey] => {
    try {
      return unsealed(record, tenantId, wallet);
    } catch (cause) {
      throw new PasswrightError(
        "provider_credentials_unreadable",
        `The tenant's credentials for ${wallet} cannot be decrypted: they were sealed under a master key that is not among those of PASSWRIGHT_MASTER_KEY, or were altered. Give the key back, or set them anew with \`passwright providers set ${wallet}\`.`,
        { cause },
      );
    }
  };

  const configurationOf = (record: ConfigurationRecord): ProviderConfiguration => ({
    tenantId: record.tenant_id,
    wallet: record.wallet,
    enabled: record.enabled,
    // Was left out once where it was not the case.
    sandbox: record.sandbox === true,
    summary: JSON.parse(record.summary),
    updatedAtMs: record.updated_at,
  });
  const forget = (tenantId: string, wallet: WalletKey): void => {
    enabled.forget(tenantId);
    opened.forget(`${tenantId} ${wallet}`);
  };

  return {
    async save(configuration, credentials) {
      const { tenantId, wallet } = configuration;
      const record: ConfigurationRecord = {
        tenant_id: tenantId,
        wallet,
        enabled: configuration.enabled,
        sandbox: configuration.sandbox,
        summary: JSON.stringify(configuration.summary),
        credentials: vault.seal(JSON.stringify(credentials), place(tenantId, wallet)),
        updated_at: configuration.updatedAtMs,
      };
      const key = keys.provider(tenantId, wallet);
      await records.write(key, record, (fields) =>
        together(connection, [["hset", key, ...Object.entries(fields).flat()]]),
      );
      forget(tenantId, wallet);
    },
    list: async (tenantId) => (await readAll(tenantId)).map(configurationOf),
    async find(tenantId, wallet) {
      const record = await records.read(keys.provider(tenantId, wallet));
      return record && configurationOf(record);
    },
    async setEnabled({ tenantId, wallet }, isEnabled, nowMs) {
      const key = keys.provider(tenantId, wallet);
      const reply = await run("set-provider-enabled", [key], [isEnabled ? "1" : "0", nowMs]);
      forget(tenantId, wallet);
      return reply as "changed" | "same" | "gone";
    },
    async setDemoMode({ tenantId, wallet }, demoMode, nowMs) {
      const key = keys.provider(tenantId, wallet);
      const reply = await run("set-provider-demo-mode", [key], [demoMode ? "1" : "", nowMs]);
      forget(tenantId, wallet);
      return reply as "changed" | "same" | "gone";
    },
    async remove(tenantId, wallet) {
      try {
        return (await connection.unlink(keys.provider(tenantId, wallet))) === 1;
      } catch (error) {
        throw asUnavailable(error);
      } finally {
        forget(tenantId, wallet);
      }
    },
    enabledWallets: async (tenantId) => (await enabled.get(tenantId)) ?? [],
    credentials: async <Wallet extends WalletKey>(tenantId: string, wallet: Wallet) =>
      (await opened.get(`${tenantId} ${wallet}`)) as Credentials[Wallet] | null,
    async openCredentials<Wallet extends WalletKey>(tenantId: string, wallet: Wallet) {
      const record = await records.read(keys.provider(tenantId, wallet));
      if (record === null) return null;
      try {
        return unsealed(record, tenantId, wallet) as Credentials[Wallet];
      } catch (cause) {
        throw new PasswrightError(
          "invalid_configuration",
          "The credentials cannot be decrypted: they were sealed under a master key that is not among those of PASSWRIGHT_MASTER_KEY, or were altered.",
          { cause },
        );
      }
    },
  };
}
