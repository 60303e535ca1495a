import type { Call } from "./call.ts";

/** Path and query of a call. Throws a TypeError where a value fits into no path. */
export function addressOf({ path, params = {}, query = {} }: Call): string {
  const filled = path.replace(/\{(\w+)\}/g, (_, name: string) => segment(name, params[name]));
  const parameters = new URLSearchParams();
  for (const [name, value] of Object.entries(query)) {
    if (value !== undefined) parameters.append(name, String(value));
  }
  const text = parameters.toString();
  return text === "" ? filled : `${filled}?${text}`;
}

function segment(name: string, value: unknown): string {
  if (typeof value !== "string" || value === "") {
    throw new TypeError(`${name} must be a string that is not empty`);
  }
  if (value === "." || value === "..") {
    // WHATWG URL, section 4.4: such a segment is taken for a step in the tree, percent-encoded too.
    throw new TypeError(`${name} is "${value}", which no path can hold; use the resource's id instead`);
  }
  try {
    return encodeURIComponent(value);
  } catch {
    throw new TypeError(`${name} holds half a surrogate pair, which no path can hold`);
  }
}
