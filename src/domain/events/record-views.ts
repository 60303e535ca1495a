import type { Clock } from "../clock.ts";
import type { Ids } from "../ids.ts";
import type { Log } from "../log.ts";
import type { EventStore } from "./event.ts";

/** Views that are being written at a time. More come only while the store is slower than the viewers. */
const mostInFlight = 500;

export type ViewRecorder = {
  /** Notes a view, and does not keep the viewer waiting for it. */
  viewed(pass: { tenantId: string; id: string; templateId: string }): void;
  /** Resolves when nothing is being written. */
  settled(): Promise<void>;
};

/** Records who opens a pass, after they have got it: a view that cannot be written is logged, and lost. */
export function createViewRecorder(deps: {
  events: Pick<EventStore, "recordView">;
  ids: Ids;
  clock: Clock;
  log: Log;
}): ViewRecorder {
  const inFlight = new Set<Promise<void>>();
  let lost = 0;
  return {
    viewed({ tenantId, id: passId, templateId }) {
      if (inFlight.size >= mostInFlight) {
        if (lost++ === 0) deps.log.warn({ in_flight: inFlight.size }, "view.dropped");
        return;
      }
      const view = { tenantId, passId, templateId, eventId: deps.ids.uuid(), atMs: deps.clock.nowMs() };
      const write = deps.events
        .recordView(view)
        .catch((error) => deps.log.warn({ pass_id: passId, err: error }, "view.failed"))
        .finally(() => {
          inFlight.delete(write);
          if (inFlight.size > 0 || lost === 0) return;
          deps.log.warn({ views: lost }, "views.lost");
          lost = 0;
        });
      inFlight.add(write);
    },
    async settled() {
      await Promise.all(inFlight);
    },
  };
}
