import type { Violation } from "../errors.ts";

/** Tells why an address must not be called, or null when it may be as far as can be told without dialling. */
export type TargetPolicy = { refusal(url: URL): Promise<string | null> };

/** What is wrong with an address that deliveries are to go to: its text, or where it leads. */
export async function urlViolations(targets: TargetPolicy, text: string): Promise<Violation[]> {
  const fault = urlFault(text) ?? (await targets.refusal(new URL(text)));
  return fault === null ? [] : [{ path: "/url", message: fault }];
}

/**
 * What is wrong with the text of an address, or null. The WHATWG parser forgives much that others read differently (white space is
 * dropped, empty user info and further slashes too), so those are asked of the text.
 */
export function urlFault(text: string): string | null {
  if (/[\u0000-\u0020\u007f-\u00a0]/.test(text)) return "must not hold white space or control characters";
  if (!/^https:\/\//i.test(text)) return "must begin with https://";
  if (!URL.canParse(text) || /^https:\/\/[/\\]/i.test(text)) return "must be an absolute URL";
  if (/^https:\/\/[^/\\?#]*@/i.test(text)) return "must not hold a user name or password";
  if (text.includes("#")) return "must not have a fragment";
  return null;
}
