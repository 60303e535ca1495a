import { problemPath } from "./handbook/addresses.ts";
import type { Reply } from "./route.ts";

type ErrorObject = { error: string; error_description: string };

/**
 * A failure's reply as problem details (RFC 9457) that keep the members of the error object. `instance` is the path
 * that was asked for; trace_id tells one occurrence from another.
 */
export function asProblem(reply: Reply, place: { baseUrl: string; path: string }): Reply {
  const failure = reply.body as ErrorObject;
  return {
    ...reply,
    headers: { ...reply.headers, "Content-Type": "application/problem+json" },
    body: {
      type: `${place.baseUrl}${problemPath(failure.error)}`,
      title: titleOf(failure.error),
      status: reply.status,
      detail: failure.error_description,
      instance: place.path,
      ...failure,
    },
  };
}

/** `payments_not_configured` is «Payments not configured»: the same for every occurrence, as section 3.1.3 has it. */
function titleOf(code: string): string {
  const words = code.replaceAll("_", " ");
  return words.charAt(0).toUpperCase() + words.slice(1);
}
