import type { RequestCounter } from "../domain/tenants/request-rate.ts";
import type { RunOnce } from "./loop.ts";

/** So late is known what was asked. */
const writeMs = 5000;

/** Writes down how many requests each tenant has made. */
export function requestCountLoop(requests: Pick<RequestCounter, "write">): RunOnce {
  return async () => {
    await requests.write();
    return writeMs;
  };
}
