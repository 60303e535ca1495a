import type { Providers } from "../../src/domain/passes/carry-out.ts";
import type { Credentials } from "../../src/domain/providers/configuration.ts";
import type { Provider } from "../../src/domain/providers/provider.ts";

/** Wallets of a test in which no pass is issued; Google's does what it is given besides. */
export function idleWallets(google: Partial<Provider<Credentials["google"]>>): Providers {
  const issue = async () => {
    throw new Error("no pass is issued here");
  };
  const close = async () => {};
  return { apple: { key: "apple", issue, close }, google: { key: "google", issue, close, ...google } };
}
