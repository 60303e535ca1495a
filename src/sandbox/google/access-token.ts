import { createHmac, randomBytes, timingSafeEqual } from "node:crypto";
import { existsSync, readFileSync, writeFileSync } from "node:fs";

/** Bearer tokens that need no memory: they outlive a restart, as Google's do. Opaque to whoever carries them. */
export type AccessTokens = {
  issue(account: string): { token: string; expiresInSeconds: number };
  /** The service account that a live token was issued to. */
  verify(token: string): string | undefined;
};

const lifetimeSeconds = 3599;

/** The signing key is kept in `keyFile`, readable by the owner only, and made on first use. */
export function openAccessTokens(keyFile: string, nowMs: () => number): AccessTokens {
  if (!existsSync(keyFile)) writeFileSync(keyFile, randomBytes(32), { mode: 0o600 });
  const key = readFileSync(keyFile);
  const seal = (content: string) => createHmac("sha256", key).update(content).digest();

  return {
    issue(account) {
      const expiresAtMs = nowMs() + lifetimeSeconds * 1000;
      const content = Buffer.from(JSON.stringify([account, expiresAtMs, randomBytes(9).toString("base64")]));
      const text = content.toString("base64url");
      return {
        token: `ya29.${text}.${seal(text).toString("base64url")}`,
        expiresInSeconds: lifetimeSeconds,
      };
    },
    verify(token) {
      const [prefix, content = "", signature = "", ...more] = token.split(".");
      const given = Buffer.from(signature, "base64url");
      const right = seal(content);
      if (prefix !== "ya29" || more.length > 0 || given.length !== right.length) return undefined;
      if (!timingSafeEqual(given, right)) return undefined;
      const [account, expiresAtMs] = JSON.parse(Buffer.from(content, "base64url").toString()) as [
        string,
        number,
      ];
      return expiresAtMs > nowMs() ? account : undefined;
    },
  };
}
