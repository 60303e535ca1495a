import { mkdirSync } from "node:fs";
import { join } from "node:path";
import type { Test } from "tap";
import { systemClock } from "../../../src/domain/clock.ts";
import type { AppleCredentials } from "../../../src/domain/providers/provider.ts";
import { createAppleProvider } from "../../../src/providers/apple/provider.ts";
import { readJson, unpack, verifyWithOpenssl } from "../apple/fixtures/archive.ts";
import { createAuthority } from "../apple/fixtures/authority.ts";
import { credentialsOf } from "../apple/fixtures/pass-to-issue.ts";
import type { Wallet } from "../contract.ts";

/** Apple's wallet: nothing is stored there, and what a phone shows is the file that it fetches. */
export async function openAppleWallet(t: Test): Promise<() => Promise<Wallet<AppleCredentials>>> {
  const dir = t.testdir();
  const authority = createAuthority(dir);
  const root = join(dir, authority.rootFile);
  const credentials = credentialsOf(authority, authority.leaf("contract"));
  const create = () => createAppleProvider({ clock: systemClock });
  let files = 0;
  return async () => {
    const provider = create();
    const issued = new Set<string>();
    return {
      provider: {
        ...provider,
        async issue(job, by, signal) {
          const link = await provider.issue(job, by, signal);
          issued.add(job.pass.id);
          return link;
        },
      },
      another: create,
      credentials,
      broken: { ...credentials, key: "nonsense" },
      async shown(job) {
        if (!issued.has(job.pass.id)) return null;
        const place = join(dir, `file-${++files}`);
        mkdirSync(place);
        const folder = unpack(place, "pass", Buffer.concat(await provider.build(job, credentials)));
        verifyWithOpenssl(folder, root);
        const passJson = readJson(folder, "pass.json");
        return { texts: JSON.stringify(passJson), isVoid: passJson.voided === true };
      },
      count: async () => issued.size,
      async message(job, { id, header, body }) {
        return { ...job, pass: { ...job.pass, message: { id, header, body, at: Date.UTC(2026, 10, 21) } } };
      },
    };
  };
}
