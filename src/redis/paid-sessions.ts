import type { PaidSessionStore } from "../domain/billing/payments.ts";
import type { StoreParts } from "./store.ts";

export function createPaidSessionStore({ keys, run }: StoreParts): PaidSessionStore {
  return {
    async grant({ sessionId, tenantId, packageId, credits }, atMs) {
      const reply = await run(
        "grant-paid-session",
        [keys.tenant(tenantId), keys.credits(tenantId), keys.paidSessions(tenantId)],
        [sessionId, credits, JSON.stringify({ package: packageId, credits, at: atMs })],
      );
      return reply as Awaited<ReturnType<PaidSessionStore["grant"]>>;
    },
  };
}
