import type { Test } from "tap";
import type { Billing } from "../../../src/domain/tenants/tenant.ts";
import { openIssuer } from "../../support/issuer.ts";
import { openService } from "../../support/service.ts";
import { createWallets } from "../model/wallets.ts";
import { withToken } from "../support/client.ts";
import type { Reply } from "../support/requests.ts";

export type Customer = Awaited<ReturnType<Awaited<ReturnType<typeof openBatches>>["customer"]>>;
export type Operation = Record<string, unknown>;

/** The API with so many workers, on wallets that do as a pass's data says. Without a worker, batches stay queued. */
export async function openBatches(t: Test, { workers }: { workers: number }) {
  const service = await openService(t, {
    providers: createWallets(),
    workers,
    settings: { PASSWRIGHT_JOB_RETRY_SCHEDULE: "0s,2ms,2ms,2ms" },
  });
  return {
    service,
    /** A tenant of its own, with what it asks for. */
    async customer(billing: Billing = { mode: "prepaid", credits: 1000 }) {
      const { tenantId, templateId } = await openIssuer(service.issuing, { billing });
      const client = withToken(service.url, await service.tokenOf(tenantId), tenantId);
      const pass = (ref: string, data: Record<string, unknown> = { name: "fine" }) => ({
        template_id: templateId,
        intent: "loyalty_card",
        external_ref: ref,
        data,
      });
      return {
        client,
        pass,
        create: (ref: string, data?: Record<string, unknown>): Operation => ({
          type: "create",
          pass: pass(ref, data),
        }),
        submit: (operations: readonly Operation[], headers = {}): Promise<Reply> =>
          client.post("/api/v1/batches", { operations }, headers),
        read: async (id: string) => (await client.get(`/api/v1/batches/${id}`)).json,
        passOf: async (ref: string) => (await client.get(`/api/v1/passes?external_ref=${ref}`)).json.data[0],
        /** What is left: of the balance, or of the month's cap. */
        async left(): Promise<number | undefined> {
          const balance = await service.tenants.balance(tenantId, service.clock.nowMs());
          if (balance?.mode === "prepaid") return balance.credits;
          return balance === null ? undefined : balance.monthlyCap - balance.usedThisMonth;
        },
      };
    },
  };
}

export function update(ref: string, data: Record<string, unknown> = {}): Operation {
  return { type: "update", external_ref: ref, data };
}

export function revoke(ref: string): Operation {
  return { type: "revoke", external_ref: ref };
}
