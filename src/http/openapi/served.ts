import type { Route } from "../route.ts";
import { type ServedBody, servedBody } from "../served-body.ts";
import { createDocument } from "./document.ts";

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
