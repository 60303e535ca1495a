import type { Log } from "../domain/log.ts";
import type { ResignDeps } from "../domain/resigns/deps.ts";
import { driveResign } from "../domain/resigns/drive.ts";
import { createTaskDriver, type TaskDriver } from "./task-driver.ts";

/** Has phones fetch their passes again, where an operator has asked for it. */
export function createResignDriver(deps: ResignDeps & { log: Log }): TaskDriver {
  return createTaskDriver({
    kind: "resign",
    holds: deps.resignTasks,
    drive: (held, signal) => driveResign(deps, held, signal),
    facts: ({ tenantId, passes }) => ({ tenant: tenantId, passes }),
    log: deps.log,
  });
}
