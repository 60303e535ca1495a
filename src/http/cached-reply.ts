import { isKnown } from "./conditional.ts";
import type { HttpRequest } from "./exchange.ts";
import type { Reply } from "./route.ts";

/** A body from memory, or 304 to who has it already. */
export function cachedReply(
  http: Pick<HttpRequest, "header">,
  { body, etag }: { body: string | Uint8Array; etag: string },
  { "Content-Type": contentType, ...kept }: { "Content-Type": string } & Record<string, string>,
): Reply {
  const headers = { ...kept, ETag: etag };
  if (isKnown(http, { etag })) return { status: 304, headers };
  return { status: 200, body, headers: { ...headers, "Content-Type": contentType } };
}
