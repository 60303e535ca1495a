import type { Log } from "../domain/log.ts";
import { preparePublished } from "../domain/templates/prepare-published.ts";
import type { RunOnce } from "./loop.ts";

/** So soon the wallets are told of a version that was published. */
const roundMs = 1000;

/** They have so long for a round; what they have not answered comes again. */
const patienceMs = 40_000;

/** Tells the wallets of template versions that were published. */
export function tendPublished(deps: Parameters<typeof preparePublished>[0] & { log: Log }): RunOnce {
  return async (stop) => {
    const signal = AbortSignal.any([stop, AbortSignal.timeout(patienceMs)]);
    const { prepared, hasMore } = await preparePublished(deps, signal);
    for (const { tenantId, templateId, version, outcome, fault } of prepared) {
      const facts = { tenant: tenantId, template: templateId, version, outcome };
      if (fault !== undefined) deps.log.warn({ ...facts, err: fault }, "template.prepared");
      else if (outcome === "prepared") deps.log.info(facts, "template.prepared");
    }
    return hasMore ? 0 : roundMs;
  };
}
