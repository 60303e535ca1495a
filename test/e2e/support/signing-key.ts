import { openApp } from "../../../src/app.ts";
import { readConfig } from "../../../src/config.ts";
import type { Passwright } from "./passwright.ts";

/** The private half (PKCS #8, PEM) of the key that signs now: what an attacker must not have, and its tests must. */
export async function activePrivateKey({ announced }: Passwright, masterKey: string): Promise<string> {
  const config = readConfig({
    env: {
      PASSWRIGHT_REDIS_URL: announced.redis_url,
      PASSWRIGHT_MASTER_KEY: masterKey,
      PASSWRIGHT_LOG_LEVEL: "silent",
    },
  });
  const app = await openApp(config, { name: "test" });
  try {
    const active = (await app.signingKeys.list()).find(({ state }) => state === "active");
    if (active === undefined) throw new Error("no key is active");
    return active.privateKey;
  } finally {
    await app.close();
  }
}
