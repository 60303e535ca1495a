import { type DriveDeps, driveReplay } from "../domain/deadletters/drive-replay.ts";
import type { Log } from "../domain/log.ts";
import { createTaskDriver, type TaskDriver } from "./task-driver.ts";

/** Goes on with the replays that were begun at a terminal which is no more. */
export function createReplayDriver(deps: DriveDeps & { log: Log }): TaskDriver {
  return createTaskDriver({
    kind: "replay",
    holds: deps.replayTasks,
    drive: (held, signal) => driveReplay(deps, held, { signal }),
    facts: ({ tenantId, matched }) => ({ tenant: tenantId, matched }),
    log: deps.log,
  });
}
