import type { Clock } from "../../domain/clock.ts";
import type { AppleCredentials, PassToIssue, Provider } from "../../domain/providers/provider.ts";
import type { ApnsClient } from "./apns/client.ts";
import { buildBundle } from "./bundle.ts";
import { passJson, passJsonBytes } from "./pass-json.ts";
import { createPreparedTemplates } from "./prepared-template.ts";
import { createSigningIdentities } from "./signing-identity.ts";
import { zip, zipOpening } from "./zip-store.ts";

export type AppleProvider = Provider<AppleCredentials> & {
  /**
   * The signed .pkpass of a pass in its newest version, in pieces: the images, which all passes of a template share, are
   * not copied. With an RSA key the same version, template and credentials
   * give the same bytes. Throws provider_credentials_invalid or provider_rejected.
   */
  build(job: PassToIssue, credentials: AppleCredentials): Promise<Uint8Array[]>;
  /** Several signed passes as one .pkpasses, each under its serial number. The same passes give the same bytes. */
  bundle(passes: readonly { serialNumber: string; file: readonly Uint8Array[] }[]): Promise<Uint8Array[]>;
};

export type AppleProviderOptions = {
  clock: Clock;
  /** What pushes go through; nothing is pushed without it. */
  apns?: ApnsClient;
  /** Memory for prepared template files, bytes; 64 MiB when absent. */
  templateCacheBytes?: number;
  /** How many credentials stay parsed; 1,000 when absent. */
  credentialsCacheEntries?: number;
};

/**
 * The Apple-style wallet. Nothing of a pass is stored at Apple: the file is made whenever somebody fetches it,
 * so `issue` only proves that it can be made, and devices are told by a push to fetch it.
 */
export function createAppleProvider({
  clock,
  apns,
  templateCacheBytes = 64 * 1024 * 1024,
  credentialsCacheEntries = 1000,
}: AppleProviderOptions): AppleProvider {
  const templates = createPreparedTemplates({ maxBytes: templateCacheBytes });
  const identities = createSigningIdentities({ maxEntries: credentialsCacheEntries });

  async function build(job: PassToIssue, credentials: AppleCredentials): Promise<Uint8Array[]> {
    const identity = identities.get(credentials);
    identity.assertValidAt(clock.nowMs());
    return buildBundle(await templates.get(job.template), passJsonBytes(passJson(job, credentials)), {
      sign: identity.sign,
      // The version's own time, so that it always gives the same file; yet a renewed certificate must not
      // seem to have signed before it was valid.
      signingTimeMs: Math.max(job.pass.updatedAtMs, identity.notBeforeMs),
    });
  }

  return {
    key: "apple",
    build,
    async bundle(passes) {
      const files = passes.map(({ serialNumber, file }) => ({
        path: `${serialNumber}.pkpass`,
        content: file,
      }));
      return zip(await zipOpening([]), files);
    },
    async issue(job, credentials, signal) {
      signal.throwIfAborted();
      await build(job, credentials);
      return { saveLink: `/p/${job.pass.pageToken}/pass.pkpass` };
    },
    ...(apns !== undefined && { push: apns.push }),
    async close() {
      apns?.close();
      templates.clear();
      identities.clear();
    },
  };
}
