import type { HttpRequest } from "./exchange.ts";
import type { Reply } from "./route.ts";

/** What scripts may send besides what the Fetch standard always lets through. */
const requestHeaders = "Authorization, Content-Type, Idempotency-Key, If-None-Match, Traceparent, Tracestate";
const exposedHeaders = [
  "X-Trace-Id",
  "Location",
  "Retry-After",
  "RateLimit-Limit",
  "RateLimit-Remaining",
  "RateLimit-Reset",
  "Idempotent-Replayed",
].join(", ");
const preflightSeconds = "600";

type CrossOriginRequest = Pick<HttpRequest, "method" | "path" | "header">;

/** The CORS protocol of the Fetch standard, for the API's routes. */
export type Cors = {
  /** The answer to a preflight of an allowed origin, for a path with these methods; null for anything else. */
  preflight(request: CrossOriginRequest, allow: readonly string[]): Reply | null;
  /** What every answer to the request bears, whatever it says. */
  headers(request: CrossOriginRequest): Record<string, string>;
};

/** Lets scripts of exactly these origins call the API; those of none when there are none. */
export function createCors(origins: readonly string[]): Cors {
  const allowed = new Set(origins);
  const allowedOrigin = (request: CrossOriginRequest): string | null => {
    const origin = request.header("origin");
    return origin !== undefined && allowed.has(origin) && isCrossOrigin(request.path) ? origin : null;
  };
  return {
    preflight(request, allow) {
      const isPreflight =
        request.method === "OPTIONS" && request.header("access-control-request-method") !== undefined;
      if (!isPreflight || allowedOrigin(request) === null) return null;
      return {
        status: 204,
        headers: {
          "Access-Control-Allow-Methods": allow.join(", "),
          "Access-Control-Allow-Headers": requestHeaders,
          "Access-Control-Max-Age": preflightSeconds,
          Vary: "Access-Control-Request-Method, Access-Control-Request-Headers",
        },
      };
    },
    headers(request): Record<string, string> {
      if (allowed.size === 0 || !isCrossOrigin(request.path)) return {};
      const origin = allowedOrigin(request);
      // A cache must tell answers apart by who asked, also where the answer is no.
      if (origin === null) return { Vary: "Origin" };
      return {
        Vary: "Origin",
        "Access-Control-Allow-Origin": origin,
        "Access-Control-Expose-Headers": exposedHeaders,
      };
    },
  };
}

/** Wallets, payment providers and people's browsers reach the other paths by themselves. */
export function isCrossOrigin(path: string): boolean {
  return path.startsWith("/api/") || path.startsWith("/.well-known/") || path === "/openapi.json";
}
