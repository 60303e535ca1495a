import type { WalletKey } from "../templates/template.ts";
import type { AppleCredentials, GoogleCredentials } from "./provider.ts";

export type Credentials = { apple: AppleCredentials; google: GoogleCredentials };

/** A tenant's access to one wallet, without its secrets. */
export type ProviderConfiguration = {
  tenantId: string;
  wallet: WalletKey;
  enabled: boolean;
  /** True: the credentials are the sandbox's, nothing reaches a real wallet. */
  sandbox: boolean;
  /** What may be shown: pass type and team identifier and expiry, or issuer and service account. */
  summary: Record<string, string>;
  updatedAtMs: number;
};

/** Whether the issuer is in Google's demo mode: only its test accounts can save passes. */
export function isDemoMode({ wallet, summary }: Pick<ProviderConfiguration, "wallet" | "summary">): boolean {
  return wallet === "google" && summary.demo_mode === "true";
}

export type ProviderConfigurationStore = {
  /** Encrypts the credentials and replaces what the tenant had for this wallet. */
  save<Wallet extends WalletKey>(
    configuration: ProviderConfiguration & { wallet: Wallet },
    credentials: Credentials[Wallet],
  ): Promise<void>;
  list(tenantId: string): Promise<ProviderConfiguration[]>;
  find(tenantId: string, wallet: WalletKey): Promise<ProviderConfiguration | null>;
  setEnabled(
    named: { tenantId: string; wallet: WalletKey },
    enabled: boolean,
    nowMs: number,
  ): Promise<"changed" | "same" | "gone">;
  /** Of an issuer of Google's; of other wallets it means nothing. */
  setDemoMode(
    named: { tenantId: string; wallet: WalletKey },
    demoMode: boolean,
    nowMs: number,
  ): Promise<"changed" | "same" | "gone">;
  /** Forgets configuration and credentials. False: there was none. */
  remove(tenantId: string, wallet: WalletKey): Promise<boolean>;
  enabledWallets(tenantId: string): Promise<readonly WalletKey[]>;
  /** Decrypted; null when there is none or it is disabled. */
  credentials<Wallet extends WalletKey>(
    tenantId: string,
    wallet: Wallet,
  ): Promise<Credentials[Wallet] | null>;
  /**
   * The same, as they are this moment and also where it is disabled. Rejects with invalid_configuration where they cannot be
   * decrypted.
   */
  openCredentials<Wallet extends WalletKey>(
    tenantId: string,
    wallet: Wallet,
  ): Promise<Credentials[Wallet] | null>;
};
