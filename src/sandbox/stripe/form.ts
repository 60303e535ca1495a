import type { Received } from "../exchange.ts";
import { stripeError } from "./api-error.ts";

/** A form in Stripe's notation, taken apart: `a[b][0]=c` is `{ a: { b: { 0: "c" } } }`. Lists are maps by index here. */
export type Form = Map<string, string | Form>;

/** The parameters of a request's body. */
export function readForm(request: Received): Form {
  const type = request.headers["content-type"] ?? "application/x-www-form-urlencoded";
  if (!/^application\/x-www-form-urlencoded\b/i.test(type)) {
    throw stripeError(400, {
      message: `Invalid request (check that your POST content type is application/x-www-form-urlencoded). It was ${type}.`,
    });
  }
  return parseForm(new URLSearchParams(request.body.toString("utf8")));
}

export function parseForm(pairs: Iterable<[name: string, value: string]>): Form {
  const form: Form = new Map();
  for (const [name, value] of pairs) {
    const [, first, rest = ""] = /^([^[\]]+)((?:\[[^[\]]*\])*)$/.exec(name) ?? [];
    if (first === undefined) throw unreadable(name);
    const path = [first, ...[...rest.matchAll(/\[([^[\]]*)\]/g)].map(([, part = ""]) => part)];
    put(form, path, value, name);
  }
  return form;
}

function put(form: Form, path: readonly string[], value: string, name: string): void {
  let place = form;
  for (const [depth, part] of path.entries()) {
    // `a[]` is the next index.
    const key = part === "" ? String(place.size) : part;
    const there = place.get(key);
    if (depth === path.length - 1) {
      if (there instanceof Map) throw unreadable(name);
      place.set(key, value);
      return;
    }
    if (typeof there === "string") throw unreadable(name);
    const next: Form = there ?? new Map();
    place.set(key, next);
    place = next;
  }
}

function unreadable(param: string) {
  return stripeError(400, { message: `Invalid parameter name: ${param}`, param });
}
