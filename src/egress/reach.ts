import { connect as connectPlain, isIP, type Socket } from "node:net";
import { connect as connectTls, rootCertificates } from "node:tls";
import type { Reach } from "../domain/doctor/ports.ts";
import { portRefusal } from "./blocked-ports.ts";
import { type AllowedRange, guardedLookup, literalRefusal, type Resolve } from "./target-guard.ts";

/**
 * Connects, with TLS where that is asked for, says nothing and leaves. Webhooks go through the guard that deliveries go
 * through. Rejects with what went wrong, or after `timeoutMs`.
 */
export function createReach(options: {
  allowed: readonly AllowedRange[];
  /** Further roots, PEM. */
  ca: string | null;
  timeoutMs?: number;
  resolve?: Resolve;
}): Pick<Reach, "wallet" | "webhook"> {
  const { allowed, ca, timeoutMs = 5000 } = options;
  const lookup = guardedLookup(allowed, options.resolve);

  function open(url: URL, guard: object): Socket {
    const host = url.hostname.replace(/^\[|\]$/g, "");
    const isSecure = url.protocol === "https:";
    const where = { host, port: Number(url.port || (isSecure ? 443 : 80)), ...guard };
    if (!isSecure) return connectPlain(where);
    return connectTls({
      ...where,
      ALPNProtocols: ["h2", "http/1.1"],
      ...(isIP(host) === 0 && { servername: host }),
      ...(ca !== null && { ca: [...rootCertificates, ca] }),
    });
  }

  async function visit(url: URL, guard: object): Promise<void> {
    const socket = open(url, guard);
    const arrived = Promise.withResolvers<void>();
    const timer = setTimeout(
      () => arrived.reject(new Error(`no connection within ${timeoutMs / 1000} s`)),
      timeoutMs,
    );
    socket.once(url.protocol === "https:" ? "secureConnect" : "connect", () => arrived.resolve());
    // Also what comes after the end, which nobody waits for.
    socket.on("error", (error: NodeJS.ErrnoException) => arrived.reject(told(error)));
    try {
      await arrived.promise;
    } finally {
      clearTimeout(timer);
      socket.destroy();
    }
  }

  return {
    wallet: (origin) => visit(new URL(origin), {}),
    async webhook(url) {
      const target = new URL(url);
      const refusal = portRefusal(target.port) ?? literalRefusal(target.hostname, allowed);
      if (refusal !== null) throw new Error(`${target.hostname} ${refusal}`);
      await visit(target, { lookup });
    },
  };
}

/** Where all addresses of a name fail, the error that has them all says nothing itself. */
function told(error: NodeJS.ErrnoException): Error {
  const first = error instanceof AggregateError ? error.errors[0] : error;
  const text = first instanceof Error && first.message !== "" ? first.message : (error.code ?? "it failed");
  return new Error(text, { cause: error });
}
