import { json, type Received, Refused } from "../exchange.ts";

/** The members of a request's JSON object; an absent body counts as an empty one. */
export type Body = Record<string, unknown>;

/**
 * Reads a JSON object that has no other members than `names`; 400 or 415 otherwise. The media type is insisted
 * upon because a web page can send any other one across origins unasked.
 */
export function readObject(request: Received, names: readonly string[]): Body {
  if (request.body.length === 0) return {};
  if (!/^application\/json\b/i.test(request.headers["content-type"] ?? "")) {
    throw new Refused(json(415, { error: "invalid_request", message: "the body must be application/json" }));
  }
  const value = parse(request.body);
  if (typeof value !== "object" || value === null || Array.isArray(value)) {
    throw badRequest("the body must be a JSON object");
  }
  const unknown = Object.keys(value).find((name) => !names.includes(name));
  if (unknown !== undefined) throw badRequest(`unknown member: ${unknown}`);
  return value as Body;
}

export function badRequest(message: string): Refused {
  return new Refused(json(400, { error: "invalid_request", message }));
}

/** A text that matches `pattern` whole, or undefined when the member is absent. */
export function text(body: Body, name: string, pattern: RegExp): string | undefined {
  const value = body[name];
  if (value === undefined) return undefined;
  if (typeof value === "string" && pattern.test(value)) return value;
  throw badRequest(`${name} must match ${pattern}`);
}

/** A whole number from `least` to `most`, or undefined when the member is absent. */
export function whole(
  body: Body,
  name: string,
  [least, most]: readonly [number, number],
): number | undefined {
  const value = body[name];
  if (value === undefined) return undefined;
  if (typeof value === "number" && Number.isInteger(value) && value >= least && value <= most) return value;
  throw badRequest(`${name} must be a whole number from ${least} to ${most}`);
}

/** One of these words, or undefined when the member is absent. */
export function oneOf<Word extends string>(
  body: Body,
  name: string,
  words: readonly Word[],
): Word | undefined {
  const value = body[name];
  const found = words.find((word) => word === value);
  if (value === undefined || found !== undefined) return found;
  throw badRequest(`${name} must be one of ${words.join(", ")}`);
}

/** A truth value, or undefined when the member is absent. */
export function truth(body: Body, name: string): boolean | undefined {
  const value = body[name];
  if (value === undefined || typeof value === "boolean") return value;
  throw badRequest(`${name} must be true or false`);
}

export const flag = (body: Body, name: string): boolean => truth(body, name) ?? false;

/** Header fields to be sent back: names to values, neither with a line break. */
export function headerFields(body: Body, name: string): Record<string, string> | undefined {
  const value = body[name];
  if (value === undefined) return undefined;
  const pairs = typeof value === "object" && value !== null ? Object.entries(value) : [["", undefined]];
  for (const [field, content] of pairs) {
    if (!/^[A-Za-z0-9-]+$/.test(String(field)) || typeof content !== "string" || /[^\t -~]/.test(content)) {
      throw badRequest(`${name} must be an object of header names and values`);
    }
  }
  return Object.fromEntries(pairs.map(([field, content]) => [String(field).toLowerCase(), String(content)]));
}

function parse(body: Buffer): unknown {
  try {
    return JSON.parse(body.toString("utf8"));
  } catch {
    throw badRequest("the body is not JSON");
  }
}
