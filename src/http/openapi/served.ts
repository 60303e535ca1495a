import { createHash } from "node:crypto";
import type { Route } from "../route.ts";
import { createDocument } from "./document.ts";

/** A body in memory with its strong ETag. */
export type ServedBody = { body: string | Uint8Array; etag: string };

export function servedBody(body: string | Uint8Array): ServedBody {
  return { body, etag: `"${createHash("sha256").update(body).digest("base64url")}"` };
}

/** The document of a table, ready to send; made when it is first asked for, and never again. */
export function createServedDocument(
  routes: readonly Route[],
  place: { baseUrl: string; version: string },
): () => ServedBody {
  let served: ServedBody | undefined;
  return () => {
    served ??= servedBody(JSON.stringify(createDocument(routes, place)));
    return served;
  };
}
