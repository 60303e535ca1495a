import type { Received } from "./answer.ts";
import { PasswrightError } from "./errors.ts";

export type Request = {
  url: string;
  method: string;
  headers: Record<string, string>;
  /** JSON text. */
  body?: string | undefined;
};

export type Limits = { timeoutMs: number; signal?: AbortSignal | undefined };

/**
 * One request and its whole answer, whatever its status. Rejects with `connection_failed`, `timed_out`, or, once the
 * signal is aborted, with its reason.
 */
export async function exchange(
  fetch: typeof globalThis.fetch,
  { url, ...request }: Request,
  { timeoutMs, signal }: Limits,
): Promise<Received> {
  signal?.throwIfAborted();
  // By hand: a signal made with AbortSignal.any() of a signal that lives as long as the program is kept as long.
  const controller = new AbortController();
  const follow = () => controller.abort(signal?.reason);
  signal?.addEventListener("abort", follow);
  let isLate = false;
  const timer = setTimeout(() => {
    isLate = true;
    controller.abort();
  }, timeoutMs);
  try {
    // The API never redirects, and a redirect that was followed would carry secrets to where it leads.
    const init = { ...request, body: request.body ?? null, redirect: "manual" as const };
    const response = await fetch(url, { ...init, signal: controller.signal });
    return { status: response.status, headers: response.headers, text: await response.text() };
  } catch (cause) {
    signal?.throwIfAborted();
    const description = isLate
      ? `${new URL(url).origin} gave no answer within ${timeoutMs} ms.`
      : `${new URL(url).origin} cannot be reached, or the connection broke.`;
    throw new PasswrightError({ code: isLate ? "timed_out" : "connection_failed", description, cause });
  } finally {
    clearTimeout(timer);
    signal?.removeEventListener("abort", follow);
  }
}
