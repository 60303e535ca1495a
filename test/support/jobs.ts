import { createBatch } from "../../src/domain/batches/create.ts";
import { sendMessage } from "../../src/domain/messages/send.ts";
import { createBatchStore } from "../../src/redis/batches.ts";
import { createJobHistory } from "../../src/redis/job-history.ts";
import { createMessageStore } from "../../src/redis/messages.ts";
import { type Issuer, openIssuer, passOf } from "./issuer.ts";
import type { TestStore } from "./store.ts";
import { claimOf, failed, openQueue, settle } from "./work.ts";

const traceId = "4bf92f3577b34da6a3ce929d0e0e4736";

/** A tenant that has jobs, and what operators see of them. Each of the verbs answers with a job's id. */
export async function openJobs(store: TestStore, options: Parameters<typeof openIssuer>[1] = {}) {
  const issuer: Issuer = await openIssuer(store, options);
  const queue = await openQueue(store);
  const batches = createBatchStore(store);
  const jobHistory = createJobHistory(store, store.clock);
  const { tenantId } = issuer;
  const take = () => claimOf(queue, issuer);
  return {
    ...issuer,
    issuer,
    store,
    queue,
    batches,
    jobHistory,
    take,
    createPass: async (): Promise<string> => passOf(await issuer.create()).job_id,
    async sendMessage(passId: string): Promise<string> {
      const deps = { ...issuer, messages: createMessageStore(store) };
      const subject = { kind: "pass", id: passId } as const;
      const message = { subject, header: "Hello", body: "there" };
      const { body } = await sendMessage(deps, { tenantId, idempotency: null, traceId, ...message });
      return JSON.parse(body).job_id;
    },
    async createBatch(): Promise<string> {
      const { body } = await createBatch(
        { ...issuer, batches },
        {
          ...{ tenantId, name: null, idempotency: null, traceId },
          operations: [{ type: "revoke", name: { externalRef: "nobody" } }],
        },
      );
      return JSON.parse(body).job_id;
    },
    /** A pass whose wallets gave up, or with `bury` false refused it. */
    async failPass(bury = true): Promise<string> {
      const id = passOf(await issuer.create()).job_id;
      const code = bury ? "provider_unavailable" : "provider_rejected";
      for (const task of await take()) await settle(store, task, failed(code, { bury }));
      return id;
    },
    /** A pass whose first attempts failed; the next are due far from now. */
    async putOffPass(dueAtMs = store.clock.nowMs() + 600_000): Promise<string> {
      const id = passOf(await issuer.create()).job_id;
      const failure = { code: "provider_unavailable", description: "away" };
      for (const task of await take()) await queue.retryLater(task, failure, dueAtMs);
      return id;
    },
  };
}
