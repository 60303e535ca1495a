import { hash } from "node:crypto";
import { createSecureContext, rootCertificates } from "node:tls";
import { LRUCache } from "lru-cache";
import type { Clock } from "../../../domain/clock.ts";
import type { PushAnswer } from "../../../domain/devices/push.ts";
import { PasswrightError } from "../../../domain/errors.ts";
import type { AppleCredentials } from "../../../domain/providers/provider.ts";
import { isStaleToken, pushAnswer } from "./answers.ts";
import { openApnsConnection } from "./connection.ts";
import { dialApns } from "./dial.ts";
import { type ApnsPool, createApnsPool, Unreachable } from "./pool.ts";
import { createProviderTokens, type ProviderTokens } from "./provider-token.ts";

export type ApnsClient = {
  /**
   * Tells a device that a pass of it may have changed. Pushes to one device that are asked for while the first still waits
   * are one. Throws provider_credentials_invalid, provider_unavailable, or the signal's reason.
   */
  push(credentials: AppleCredentials, deviceToken: string, signal: AbortSignal): Promise<PushAnswer>;
  close(): void;
};

export type ApnsClientOptions = {
  clock: Clock;
  /** Further roots, PEM, that APNs' certificate may stand under. */
  ca?: string | null;
  proxy?: URL | null;
  /** Connections of one credential; 4 when absent. */
  mostConnections?: number;
};

/** Credentials with open connections. */
const mostPools = 200;

/** Connections that nothing was asked of for so long are given up. */
const idleMs = 15 * 60_000;

type Line = { pool: ApnsPool; tokens: ProviderTokens | null; waiting: Map<string, Promise<PushAnswer>> };

/** Apple's push service for passes: HTTP/2, by the Pass Type ID certificate or by a push key of its team. */
export function createApnsClient(options: ApnsClientOptions): ApnsClient {
  const { clock, ca = null, proxy = null, mostConnections = 4 } = options;
  const lines = new LRUCache<string, Line>({ max: mostPools, dispose: ({ pool }) => pool.close() });
  const names = new WeakMap<AppleCredentials, string>();

  /** The pushes of a page come with one and the same credentials. */
  function nameOf(credentials: AppleCredentials): string {
    const name = names.get(credentials) ?? hash("sha256", JSON.stringify(credentials));
    names.set(credentials, name);
    return name;
  }

  function lineOf(credentials: AppleCredentials): Line {
    const name = nameOf(credentials);
    const known = lines.get(name);
    if (known !== undefined) return known;
    const { apnsUrl, certificate, key, keyPassphrase, pushKey, teamIdentifier } = credentials;
    const secureContext = createSecureContext({
      ...(pushKey === undefined && { cert: certificate, key }),
      ...(pushKey === undefined && keyPassphrase !== undefined && { passphrase: keyPassphrase }),
      ...(ca !== null && { ca: [...rootCertificates, ca] }),
      minVersion: "TLSv1.2",
    });
    const pool = createApnsPool({
      most: mostConnections,
      nowMs: () => clock.nowMs(),
      open: async (changed, signal) => {
        const socket = await dialApns(
          { origin: apnsUrl, secureContext, proxy },
          AbortSignal.any([signal, AbortSignal.timeout(10_000)]),
        );
        return openApnsConnection(apnsUrl, socket, changed);
      },
    });
    const tokens =
      pushKey === undefined ? null : createProviderTokens({ clock }, { teamIdentifier, ...pushKey });
    const line: Line = { pool, tokens, waiting: new Map() };
    lines.set(name, line);
    return line;
  }

  const closeIdle = setInterval(() => {
    for (const [name, { pool }] of lines) {
      const sinceMs = pool.idleSinceMs();
      if (sinceMs !== null && clock.nowMs() - sinceMs > idleMs) lines.delete(name);
    }
  }, idleMs / 3).unref();

  async function send(
    { pool, tokens, waiting }: Line,
    { topic, deviceToken, signal }: { topic: string; deviceToken: string; signal: AbortSignal },
  ): Promise<PushAnswer> {
    let used = "";
    const headers = (): Record<string, string> => {
      // From now on the device may have asked already: whoever comes later needs a push of their own.
      waiting.delete(deviceToken);
      used = tokens?.get() ?? "";
      return {
        "apns-topic": topic,
        "apns-priority": "5",
        ...(used !== "" && { authorization: `bearer ${used}` }),
      };
    };
    const path = `/3/device/${deviceToken}`;
    try {
      let answer = await pool.post(path, headers, signal);
      if (tokens !== null && isStaleToken(answer)) {
        tokens.drop(used);
        answer = await pool.post(path, headers, signal);
      }
      return pushAnswer(answer, clock.nowMs());
    } catch (error) {
      if (error instanceof PasswrightError || signal.aborted) throw error;
      throw unavailable(error, clock.nowMs());
    } finally {
      waiting.delete(deviceToken);
    }
  }

  return {
    push(credentials, deviceToken, signal) {
      const line = lineOf(credentials);
      const asked = line.waiting.get(deviceToken);
      if (asked !== undefined) return asked;
      const topic = credentials.passTypeIdentifier;
      const pushed = send(line, { topic, deviceToken, signal });
      line.waiting.set(deviceToken, pushed);
      return pushed;
    },
    close() {
      clearInterval(closeIdle);
      lines.clear();
    },
  };
}

function unavailable(error: unknown, nowMs: number): PasswrightError {
  const detail = error instanceof Error ? error.message : "APNs did not answer.";
  const waitMs = error instanceof Unreachable ? error.retryAtMs - nowMs : null;
  return new PasswrightError("provider_unavailable", detail, {
    cause: error,
    ...(waitMs !== null && { retryAfterSeconds: Math.max(1, Math.ceil(waitMs / 1000)) }),
  });
}
