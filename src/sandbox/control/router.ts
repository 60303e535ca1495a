import { type Answer, json, type Received } from "../exchange.ts";

export type Handler = (request: Received, parameters: string[]) => Promise<Answer> | Answer;

/** Method, path with `{name}` for one segment, handler. An e-mail address is a segment with its «@» as it is or as %40. */
export type Route = readonly [method: string, path: string, handler: Handler];

/** Finds the route of a request: 404 for an unknown path, 405 with `Allow` for a known one. HEAD is a GET. */
export function createRouter(routes: readonly Route[]): (request: Received) => Promise<Answer> | Answer {
  const table = routes.map(([method, path, handler]) => {
    const pattern = new RegExp(`^${path.replace(/\{\w+\}/g, "((?:[A-Za-z0-9._~@-]|%40){1,255})")}$`);
    return { method, pattern, handler };
  });
  return (request) => {
    const method = request.method === "HEAD" ? "GET" : request.method;
    const matching = table.filter(({ pattern }) => pattern.test(request.path));
    const route = matching.find((candidate) => candidate.method === method);
    if (route !== undefined) {
      const parameters = route.pattern.exec(request.path)?.slice(1) ?? [];
      return route.handler(request, parameters.map(decodeURIComponent));
    }
    if (matching.length === 0) return json(404, { error: "not_found" });
    const allow = matching.map((candidate) => candidate.method).join(", ");
    return json(405, { error: "method_not_allowed" }, { allow });
  };
}
