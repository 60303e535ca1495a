import type { HttpRequest } from "./exchange.ts";

/** What tells one state of a body from another (RFC 9110 section 8.8). */
export type Validators = { etag: string; modifiedAtMs?: number };

/**
 * Whether the caller has this state already. ETags are compared weakly (RFC 9110 section 13.1.2), a date counts only
 * where there are none (section 13.1.3), and a date that is none is ignored.
 */
export function isKnown(http: Pick<HttpRequest, "header">, { etag, modifiedAtMs }: Validators): boolean {
  const tags = http.header("if-none-match");
  if (tags === undefined) {
    const sinceMs = Date.parse(http.header("if-modified-since") ?? "");
    return modifiedAtMs !== undefined && modifiedAtMs <= sinceMs;
  }
  const known = tags.split(",").map((tag) => opaque(tag.trim()));
  return known.includes(opaque(etag)) || known.includes("*");
}

function opaque(etag: string): string {
  return etag.replace(/^W\//, "");
}
