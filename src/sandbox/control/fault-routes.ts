import { json, type Received } from "../exchange.ts";
import type { Fault, Faults } from "../faults.ts";
import { badRequest, flag, headerFields, readObject, text, whole } from "./body.ts";
import type { Route } from "./router.ts";

const members = ["status", "delay_ms", "times", "resource_prefix", "headers", "reset", "after"];

/**
 * Scripts faults at `path`: POST adds one, GET lists those still active, DELETE ends them all.
 * `{ status?, delay_ms?, times? (1), resource_prefix? («»: all), headers?, reset?, after? }`; with `after` the
 * request takes effect and only the answer is lost.
 */
export function faultRoutes(path: string, faults: Faults, statuses: readonly number[]): Route[] {
  return [
    ["GET", path, () => json(200, { faults: faults.list().map(describe) })],
    ["POST", path, (request) => json(201, describe(faults.add(readFault(request, statuses))))],
    [
      "DELETE",
      path,
      () => {
        faults.clear();
        return { status: 204 };
      },
    ],
  ];
}

function readFault(request: Received, statuses: readonly number[]): Omit<Fault, "id"> {
  const body = readObject(request, members);
  const status = whole(body, "status", [400, 599]) ?? null;
  if (status !== null && !statuses.includes(status)) {
    throw badRequest(`status must be one of ${statuses.join(", ")}`);
  }
  const delayMs = whole(body, "delay_ms", [0, 600_000]) ?? 0;
  const reset = flag(body, "reset");
  if (status === null && delayMs === 0 && !reset) throw badRequest("give status, delay_ms or reset");
  return {
    status,
    delayMs,
    reset,
    when: flag(body, "after") ? "after" : "before",
    remaining: whole(body, "times", [1, 1_000_000]) ?? 1,
    resourcePrefix: text(body, "resource_prefix", /^[\w./~-]{0,255}$/) ?? "",
    headers: headerFields(body, "headers") ?? {},
  };
}

function describe({ id, status, delayMs, reset, when, remaining, resourcePrefix, headers }: Fault) {
  return {
    id,
    status,
    delay_ms: delayMs,
    reset,
    after: when === "after",
    times: remaining,
    resource_prefix: resourcePrefix,
    headers,
  };
}
