import { createHash } from "node:crypto";

/** A body in memory with its strong ETag. */
export type ServedBody = { body: string | Uint8Array; etag: string };

export function servedBody(body: string | Uint8Array): ServedBody {
  return { body, etag: `"${createHash("sha256").update(body).digest("base64url")}"` };
}
