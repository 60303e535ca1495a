import type { Route } from "./route.ts";

export type Match =
  | { found: true; route: Route; params: Record<string, string> }
  /** `allow`: the methods that the path does have; none when the path itself is unknown. */
  | { found: false; allow: string[] };

type Entry = { parts: string[]; byMethod: Map<string, Route> };

/** Finds the row for a method and a path. Literal parts win over `{named}` ones; HEAD is answered by GET's row. */
export function createRouter(
  routes: readonly Route[],
): (method: string, segments: readonly string[]) => Match {
  const literal = new Map<string, Entry>();
  const patterns: Entry[] = [];
  const entries = new Map<string, Entry>();
  for (const route of routes) {
    const parts = route.path.slice(1).split("/");
    let entry = entries.get(route.path);
    if (entry === undefined) {
      entry = { parts, byMethod: new Map() };
      entries.set(route.path, entry);
      if (route.path.includes("{")) patterns.push(entry);
      else literal.set(parts.join("/"), entry);
    }
    if (entry.byMethod.has(route.method)) throw new Error(`${route.method} ${route.path} stands twice`);
    entry.byMethod.set(route.method, route);
  }
  // The more literal parts, the earlier: /passes/by-external-ref/{ref} before /passes/{id}/{what}.
  const named = (entry: Entry): number => entry.parts.filter((part) => part.startsWith("{")).length;
  patterns.sort((a, b) => named(a) - named(b));

  return (method, segments) => {
    const joined = segments.join("/");
    const exact = segments.some((segment) => segment.includes("/")) ? undefined : literal.get(joined);
    const candidates = exact ? [exact] : patterns.filter((entry) => matches(entry.parts, segments));
    const wanted = method === "HEAD" ? "GET" : method;
    for (const entry of candidates) {
      const route = entry.byMethod.get(wanted);
      if (route !== undefined) return { found: true, route, params: paramsOf(entry.parts, segments) };
    }
    return { found: false, allow: [...new Set(candidates.flatMap(allowedMethods))] };
  };
}

function matches(parts: readonly string[], segments: readonly string[]): boolean {
  if (parts.length !== segments.length) return false;
  return parts.every((part, i) => (part.startsWith("{") ? segments[i] !== "" : part === segments[i]));
}

function paramsOf(parts: readonly string[], segments: readonly string[]): Record<string, string> {
  const params: Record<string, string> = {};
  parts.forEach((part, i) => {
    if (part.startsWith("{")) params[part.slice(1, -1)] = segments[i] ?? "";
  });
  return params;
}

function allowedMethods(entry: Entry): string[] {
  return [...entry.byMethod.keys()].flatMap((method) => (method === "GET" ? ["GET", "HEAD"] : [method]));
}
