import { invalidRequest } from "../errors.ts";
import type { Span } from "./event.ts";

/**
 * The whole milliseconds from one instant to another, both included; an end that is not given stays open.
 * Rejects with invalid_request when it ends before it begins.
 */
export function spanOf(fromMs: number | undefined, toMs: number | undefined): Partial<Span> {
  if (fromMs !== undefined && toMs !== undefined && fromMs > toMs) {
    throw invalidRequest([{ path: "from", message: "must not be after to" }]);
  }
  return {
    ...(fromMs !== undefined && { fromMs: Math.ceil(fromMs) }),
    ...(toMs !== undefined && { toMs: Math.floor(toMs) }),
  };
}
