import { randomUUID, constants as tlsConstants } from "node:crypto";
import {
  constants,
  createSecureServer,
  type Http2SecureServer,
  type IncomingHttpHeaders,
  type ServerHttp2Session,
  type ServerHttp2Stream,
} from "node:http2";
import type { TLSSocket } from "node:tls";
import type { Issued } from "../authority/authority.ts";
import type { Faults } from "../faults.ts";
import { pause } from "../pause.ts";
import type { DeviceLog } from "./device-log.ts";
import { type Client, judgeHeaders, judgePayload, maxPayloadBytes } from "./rules.ts";

export type ApnsParts = {
  identity: Issued;
  /** PEM certificates that may stand above a client's. */
  trusted: string[];
  log: DeviceLog;
  faults: Faults;
  nowMs: () => number;
  closing: AbortSignal;
  finished: (facts: { method: string; path: string; status: number; reason?: string }) => void;
};

export type Apns = {
  server: Http2SecureServer;
  /** Sends GOAWAY on every session, which then ends when its open requests are answered. Returns how many. */
  goAway(errorCode: number): number;
  close(): void;
};

type Reply = { status: number; reason?: string; timestamp?: number; headers?: Record<string, string> };

/** Apple's push service for passes, over HTTP/2 with client certificates. Not yet listening. */
export function createApns(parts: ApnsParts): Apns {
  const sessions = new Set<ServerHttp2Session>();
  const server = createSecureServer({
    cert: parts.identity.certificate,
    key: parts.identity.key,
    ca: parts.trusted,
    requestCert: true,
    // A stranger's certificate is refused by an answer that says so, not by a broken handshake.
    rejectUnauthorized: false,
    // A resumed session would not show the certificate again.
    secureOptions: tlsConstants.SSL_OP_NO_TICKET,
    minVersion: "TLSv1.2",
    settings: { maxConcurrentStreams: 1000 },
  });
  server.on("session", (session) => {
    sessions.add(session);
    session.on("close", () => sessions.delete(session));
    session.on("error", () => session.destroy());
  });
  // Handshakes that fail, and peers that vanish, concern nobody but them.
  server.on("tlsClientError", () => {});
  server.on("sessionError", () => {});
  server.on("stream", (stream, headers) => {
    stream.on("error", () => stream.destroy());
    handle(parts, stream, headers).catch(() => stream.destroy());
  });

  return {
    server,
    goAway(errorCode) {
      const open = [...sessions].filter((session) => !session.closed && !session.destroyed);
      for (const session of open) {
        session.goaway(errorCode, 0, Buffer.from(JSON.stringify({ reason: "Shutdown" })));
        session.close();
      }
      return open.length;
    },
    close() {
      for (const session of sessions) session.destroy();
    },
  };
}

async function handle(
  parts: ApnsParts,
  stream: ServerHttp2Stream,
  headers: IncomingHttpHeaders,
): Promise<void> {
  const given = headers["apns-id"];
  const apnsId = typeof given === "string" && given !== "" ? given : randomUUID().toUpperCase();
  const reply = await judge(parts, stream, headers, apnsId);
  if (reply === undefined || stream.destroyed) return;
  const { status, reason, timestamp } = reply;
  stream.respond({ ":status": status, "apns-id": apnsId, ...reply.headers });
  stream.end(reason === undefined ? undefined : JSON.stringify({ reason, timestamp }));
  // A body that was not read to its end is not wanted any more (RFC 9113 section 8.1).
  if (!stream.readableEnded) stream.close(constants.NGHTTP2_NO_ERROR);
  const { ":method": method = "", ":path": path = "" } = headers;
  parts.finished({ method, path, status, ...(reason !== undefined && { reason }) });
}

async function judge(
  parts: ApnsParts,
  stream: ServerHttp2Stream,
  headers: IncomingHttpHeaders,
  apnsId: string,
): Promise<Reply | undefined> {
  const verdict = judgeHeaders(headers, clientOf(stream, headers));
  const payload = await readPayload(stream);
  if (!verdict.accepted) return verdict;
  const { token, topic } = verdict;

  const fault = parts.faults.take(token);
  await pause(fault?.delayMs ?? 0, parts.closing);
  if (fault?.reset) {
    stream.close(constants.NGHTTP2_INTERNAL_ERROR);
    return undefined;
  }
  const status = fault?.status ?? null;
  if (status !== null && fault?.when === "before") return scripted(status, fault.headers);

  const refusal = judgePayload(payload);
  if (refusal !== undefined && !refusal.accepted) return refusal;
  const goneSinceMs = parts.log.goneSinceMs(token);
  if (goneSinceMs !== undefined) return { status: 410, reason: "Unregistered", timestamp: goneSinceMs };

  const { "apns-priority": priority, "apns-push-type": pushType } = headers;
  parts.log.record({
    apns_id: apnsId,
    token,
    topic,
    priority: typeof priority === "string" ? priority : null,
    push_type: typeof pushType === "string" ? pushType : null,
    payload: JSON.parse(payload.toString("utf8")),
    at: new Date(parts.nowMs()).toISOString(),
  });
  return status === null ? { status: 200 } : scripted(status, fault?.headers ?? {});
}

function scripted(status: number, headers: Record<string, string>): Reply {
  const reasons: Record<number, string> = {
    403: "Forbidden",
    429: "TooManyRequests",
    500: "InternalServerError",
    503: "ServiceUnavailable",
  };
  return { status, reason: reasons[status] ?? "InternalServerError", headers };
}

function clientOf(stream: ServerHttp2Stream, headers: IncomingHttpHeaders): Client {
  const socket = stream.session?.socket as TLSSocket | undefined;
  const hasProviderToken = /^bearer /i.test(headers.authorization ?? "");
  if (socket?.authorized !== true) return { topic: undefined, hasProviderToken };
  // The UID attribute has no place in node's type of a subject.
  const subject = socket.getPeerCertificate().subject as unknown as Record<string, string | undefined>;
  return subject.UID === undefined ? { topic: undefined, hasProviderToken } : { topic: subject.UID };
}

/** The payload, or the first part of one that is longer than any is allowed to be. */
async function readPayload(stream: ServerHttp2Stream): Promise<Buffer> {
  const chunks: Buffer[] = [];
  let size = 0;
  for await (const chunk of stream.iterator({ destroyOnReturn: false })) {
    chunks.push(chunk);
    size += chunk.length;
    if (size > maxPayloadBytes) break;
  }
  return Buffer.concat(chunks, size);
}
