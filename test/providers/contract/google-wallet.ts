import type { Test } from "tap";
import type { GoogleCredentials } from "../../../src/domain/providers/provider.ts";
import { createGoogleProvider } from "../../../src/providers/google/provider.ts";
import type { Wallet } from "../contract.ts";
import { startGoogleSandbox } from "../google/fixtures/sandbox-issuer.ts";

/** Google's wallet, on the sandbox. */
export async function openGoogleWallet(t: Test): Promise<() => Promise<Wallet<GoogleCredentials>>> {
  const sandbox = await startGoogleSandbox(t);
  const create = () =>
    createGoogleProvider({
      clock: { nowMs: Date.now },
      imageUrl: (owner, sha256) => `https://passes.example.com/images/${owner ?? "system"}/${sha256}.png`,
    });
  return async () => {
    const { credentials, state } = await sandbox.openIssuer();
    const provider = create();
    const fault = (what: object) => async () => {
      const of = { times: 1, resource_prefix: `loyaltyObject/${credentials.issuerId}.` };
      await sandbox.control("POST", "/sandbox/google/faults", { ...of, ...what });
    };
    return {
      provider,
      another: create,
      credentials,
      broken: { ...credentials, issuerId: "3388000000099999999" },
      async shown({ pass }) {
        const { classes, objects } = await state();
        const found = objects.find(({ id }) => id.endsWith(`.${pass.id}`))?.resource;
        if (found === undefined) return null;
        const ofClass = classes.find(({ id }) => id === found.classId)?.resource;
        return { texts: JSON.stringify([found, ofClass]), isVoid: found.state === "EXPIRED" };
      },
      count: async () => (await state()).objects.length,
      async message(job, { id, header, body }) {
        const { pass, template } = job;
        const message = { id, header, body, tenantId: pass.tenantId, passId: pass.id, template };
        await provider.showMessage?.(message, credentials, new AbortController().signal);
        return job;
      },
      faults: {
        unavailable: fault({ status: 503 }),
        "rate limited": fault({ status: 429 }),
        "answer lost": fault({ reset: true, after: true }),
        // A message is looked for before it is added.
        async "message lost"() {
          await fault({ delay_ms: 1 })();
          await fault({ reset: true, after: true })();
        },
      },
    };
  };
}
