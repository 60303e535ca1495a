import type { HttpRequest } from "./exchange.ts";
import type { Reply } from "./route.ts";

/** A body from memory, or 304 to who has it already (RFC 9110 section 13.1.2: the weak comparison). */
export function cachedReply(
  http: Pick<HttpRequest, "header">,
  { body, etag }: { body: string | Uint8Array; etag: string },
  { "Content-Type": contentType, ...kept }: { "Content-Type": string } & Record<string, string>,
): Reply {
  const headers = { ...kept, ETag: etag };
  const known = http
    .header("if-none-match")
    ?.split(",")
    .map((tag) => tag.trim().replace(/^W\//, ""));
  if (known?.includes(etag) || known?.includes("*")) return { status: 304, headers };
  return { status: 200, body, headers: { ...headers, "Content-Type": contentType } };
}
