import type { Refused } from "../exchange.ts";
import { apiError, permissionDenied } from "./api-error.ts";

const reasons: Record<number, string> = {
  429: "rateLimitExceeded",
  500: "backendError",
  503: "backendError",
};

/** A scripted fault in Google's words. */
export function scriptedRefusal(status: number, headers: Record<string, string>): Refused {
  if (status === 403) return permissionDenied(headers);
  const reason = reasons[status] ?? "unknown";
  return apiError(status, "Scripted fault.", { domain: "global", reason, headers });
}
