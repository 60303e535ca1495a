import { open } from "node:fs/promises";
import { PasswrightError } from "../../../domain/errors.ts";
import type { KeySource } from "./key-cache.ts";
import { lastEndOf, readRootKeys } from "./root-keys.ts";

const largestDocument = 65_536;
const patienceMs = 5000;

/** What Cache-Control says counts within these bounds; where it says nothing, the default. */
const freshness = { leastMs: 300_000, defaultMs: 3_600_000, mostMs: 86_400_000 };

/** Keys that are published at an address. Redirects are not followed. */
export function keysAt(url: string): KeySource {
  return {
    name: url,
    leastIntervalMs: 60_000,
    async load() {
      // Loaded when it is needed first: a start must not wait for it, and most tenants of few installations have Google.
      const { Agent, request } = await import("undici");
      // Once in an hour or so: no connection is kept for that.
      const dispatcher = new Agent({ maxResponseSize: largestDocument, connect: { timeout: patienceMs } });
      try {
        const signal = AbortSignal.timeout(patienceMs);
        const { statusCode, headers, body } = await request(url, { dispatcher, signal });
        const text = await body.text();
        if (statusCode !== 200) throw new Error(`it answered ${statusCode}`);
        return { text, freshMs: freshMsOf(headers) };
      } finally {
        await dispatcher.destroy();
      }
    },
  };
}

/** The same in a file, for a machine that does not reach the address. It is read again every few seconds, while it is asked for. */
export function keysIn(path: string): KeySource {
  return {
    name: path,
    leastIntervalMs: 5000,
    async load() {
      const file = await open(path);
      try {
        const { bytesRead, buffer } = await file.read(Buffer.alloc(largestDocument + 1));
        if (bytesRead > largestDocument) throw new Error(`it has more than ${largestDocument} bytes`);
        return { text: buffer.toString("utf8", 0, bytesRead), freshMs: 5000 };
      } finally {
        await file.close();
      }
    },
  };
}

/** RFC 9111 section 4.2.1, of which a client that keeps one answer needs max-age and Age. */
function freshMsOf(headers: Record<string, string | string[] | undefined>): number {
  const control = [headers["cache-control"]].flat().join(",");
  if (/\bno-(?:store|cache)\b/i.test(control)) return freshness.leastMs;
  const [, seconds] = /\bmax-age\s*=\s*"?(\d{1,10})/i.exec(control) ?? [];
  if (seconds === undefined) return freshness.defaultMs;
  const age = Number(/^\d{1,10}$/.exec(String(headers.age))?.[0] ?? 0);
  return Math.min(Math.max((Number(seconds) - age) * 1000, freshness.leastMs), freshness.mostMs);
}

/** When the last of a source's keys ends (ms). Rejects with provider_unavailable, which says why there are none. */
export async function lastEndMs(source: KeySource): Promise<number> {
  try {
    const { text } = await source.load();
    return lastEndOf(readRootKeys(text));
  } catch (cause) {
    const { message, code } = cause as { message?: string; code?: unknown };
    throw new PasswrightError("provider_unavailable", `${source.name}: ${message || code}`, { cause });
  }
}
