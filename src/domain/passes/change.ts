import type { Clock } from "../clock.ts";
import { creditRefusal } from "../credits/refusal.ts";
import { PasswrightError } from "../errors.ts";
import { eventBody } from "../events/body.ts";
import { type IdempotencyClaim, type IdempotencyStore, keyReused, recallAnswer } from "../idempotency.ts";
import type { Ids } from "../ids.ts";
import type { WorkClass } from "../jobs/work.ts";
import { type AcceptedPass, isRevoked, type Pass, type PassStore, type PassWarnings } from "./pass.ts";
import { passResource } from "./resource.ts";

export type ChangeDeps = {
  passes: PassStore;
  idempotency: IdempotencyStore;
  ids: Ids;
  clock: Clock;
  baseUrl: string;
};

/** Who asks for a change, and how urgently. */
export type ChangeRequest = {
  tenantId: string;
  idempotency: IdempotencyClaim | null;
  traceId: string;
  workClass: WorkClass;
};

type Change = {
  kind: "update" | "revoke";
  change(pass: Pass): Promise<{ pass: Pass; warnings?: PassWarnings }>;
};

/** Somebody else's changes of the same pass that are waited out before the caller hears of them. */
const mostTries = 100;

/**
 * Accepts a change of a pass that `find` reads: once it returns, the new state, the kept version, job, event and queue
 * entries exist, written in one step, on top of exactly what was read.
 * Rejects with not_found, invalid_state (revoked), idempotency_key_reused, insufficient_credits or contract_cap_reached
 * (an update of a pass that failed everywhere, whose credit went back), or what `change` rejects with.
 */
export async function changePass(
  deps: ChangeDeps,
  request: ChangeRequest,
  find: () => Promise<Pass | null>,
  { kind, change }: Change,
): Promise<AcceptedPass> {
  const kept = await recallAnswer(deps, request.tenantId, request.idempotency);
  if (kept !== null) return replayedPass(kept);
  for (let tries = 0; tries < mostTries; tries += 1) {
    const before = await find();
    if (before === null) throw notFound();
    const atMs = Math.max(deps.clock.nowMs(), before.updatedAtMs);
    const jobId = deps.ids.uuid();
    const changed = await change(before).catch(async (refusal: unknown) => {
      // An equal request at the same moment may have been carried out since it was asked: both get its answer.
      const carriedOut = await recallAnswer(deps, request.tenantId, request.idempotency);
      if (carriedOut === null) throw refusal;
      return carriedOut;
    });
    if (typeof changed === "string") return replayedPass(changed);
    const after: Pass = {
      ...changed.pass,
      jobId,
      updatedAtMs: atMs,
      revision: before.revision + 1,
      ...(changed.pass.version > before.version && { versionJobId: jobId, versionAtMs: atMs }),
    };
    const body = JSON.stringify(passResource(after, deps.baseUrl));
    const type = kind === "revoke" ? ("pass.revoked" as const) : ("pass.updated" as const);
    const eventId = deps.ids.uuid();
    const event = { id: eventId, type, tenantId: request.tenantId, atMs, resource: body };
    const result = await deps.passes.change({
      kind,
      before,
      after,
      workClass: request.workClass,
      traceId: request.traceId,
      idempotency: request.idempotency,
      response: answerToKeep(request, after, body),
      event: { id: eventId, type, webhookBody: eventBody(event) },
      ...(changed.warnings !== undefined && { warnings: changed.warnings }),
    });
    switch (result.outcome) {
      case "accepted":
        return { body, passId: after.id, jobId, replayed: false };
      case "replayed":
        return replayedPass(result.response);
      case "key_reused":
        throw keyReused();
      case "not_found":
        throw notFound();
      case "invalid_state":
        throw revokedAlready();
      case "outdated":
        continue;
      default:
        throw creditRefusal(result, { required: 1, baseUrl: deps.baseUrl, atMs });
    }
  }
  throw new PasswrightError("unavailable", "Too many changes of this pass at the same time. Try again.", {
    retryAfterSeconds: 1,
  });
}

/** What is kept of an answer. */
export function answerToKeep({ idempotency }: ChangeRequest, pass: Pass, body: string): string {
  return idempotency?.brief ? JSON.stringify({ id: pass.id, job_id: pass.jobId }) : body;
}

/** The first answer to a request, as it was kept. */
export function replayedPass(response: string): AcceptedPass {
  const { id, job_id } = JSON.parse(response) as { id: string; job_id: string };
  return { body: response, passId: id, jobId: job_id, replayed: true };
}

/** Before anything about the new data is said: a revoked pass takes none. */
export function requireNotRevoked(pass: Pass): void {
  if (isRevoked(pass)) throw revokedAlready();
}

function revokedAlready(): PasswrightError {
  return new PasswrightError("invalid_state", "The pass is revoked, and a revoked pass stays as it is.");
}

function notFound(): PasswrightError {
  return new PasswrightError("not_found", "There is no such pass.");
}
