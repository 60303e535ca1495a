import { type ClientHttp2Session, connect, constants } from "node:http2";
import type { TLSSocket } from "node:tls";
import { createAbortWatch } from "./abort-watch.ts";

/** What APNs answered. `body` is empty where there is none. */
export type ApnsAnswer = { status: number; body: string; retryAfter: string | null };

/** The connection ended before there was an answer. Whether APNs has seen the request is not known. */
export class ConnectionLost extends Error {
  override name = "ConnectionLost";
}

/** One HTTP/2 connection to APNs. */
export type ApnsConnection = {
  /** How many more requests it takes now. */
  room(): number;
  /** False once it takes no more: APNs has said so, or it has ended. */
  isUsable(): boolean;
  /** Rejects with ConnectionLost, or with the signal's reason. */
  post(path: string, headers: Record<string, string>, signal: AbortSignal): Promise<ApnsAnswer>;
  /** What is under way may end. */
  close(): void;
};

/** An empty JSON dictionary: what has changed, the device asks for itself. */
const payload = Buffer.from("{}");

/** APNs says first how many streams it allows; for so long that is waited for. */
const greetingMs = 10_000;
/** It is asked so often whether it is still there, and has so long to answer. */
const pingEveryMs = 60_000;
const pingMs = 10_000;

/** More than any answer of APNs has. */
const longestBody = 4096;

/**
 * HTTP/2 over a connection that is there, once APNs has said how many requests it takes at a time. `changed` is called whenever
 * it may take more than before, or no more. Rejects where it ends before that.
 */
export async function openApnsConnection(
  origin: string,
  socket: TLSSocket,
  changed: () => void,
): Promise<ApnsConnection> {
  const session = connect(origin, { createConnection: () => socket, settings: { enablePush: false } });
  await greeted(session);
  const onAbort = createAbortWatch();
  let underWay = 0;
  let isOver = false;
  const pinging = setInterval(() => ping(session), pingEveryMs).unref();

  function retire(): void {
    if (isOver) return;
    isOver = true;
    clearInterval(pinging);
    changed();
  }

  // With a provider token it is one request at a time until the first was accepted.
  session.on("remoteSettings", changed);
  // What it has begun it still answers; what it has not is refused, and asked again elsewhere.
  session.on("goaway", retire);
  session.on("error", retire);
  session.on("close", retire);

  return {
    room() {
      if (isOver || session.closed || session.destroyed) return 0;
      return Math.max(0, (session.remoteSettings.maxConcurrentStreams ?? 100) - underWay);
    },
    isUsable: () => !isOver,
    post(path, headers, signal) {
      underWay += 1;
      const stream = session.request({ ":method": "POST", ":path": path, ...headers });
      return new Promise<ApnsAnswer>((resolve, reject) => {
        const answer: ApnsAnswer = { status: 0, body: "", retryAfter: null };
        const forget = onAbort(signal, () => stream.close(constants.NGHTTP2_CANCEL));
        stream.setEncoding("utf8");
        stream.on("response", (given) => {
          answer.status = given[":status"] ?? 0;
          answer.retryAfter = given["retry-after"] ?? null;
        });
        stream.on("data", (text: string) => {
          if (answer.body.length < longestBody) answer.body += text;
        });
        // It closes next, and says why by its code.
        stream.on("error", () => {});
        stream.on("close", () => {
          underWay -= 1;
          forget();
          if (answer.status !== 0 && stream.rstCode === constants.NGHTTP2_NO_ERROR) resolve(answer);
          else if (signal.aborted) reject(signal.reason);
          else reject(new ConnectionLost(`the stream ended with HTTP/2 error ${stream.rstCode}`));
          changed();
        });
        stream.end(payload);
      });
    },
    close() {
      retire();
      session.close();
    },
  };
}

function greeted(session: ClientHttp2Session): Promise<void> {
  return new Promise((resolve, reject) => {
    const late = setTimeout(() => session.destroy(new Error("APNs did not answer in time")), greetingMs);
    session.once("error", reject);
    session.once("close", () => {
      clearTimeout(late);
      reject(new Error("APNs closed the connection"));
    });
    session.once("remoteSettings", () => {
      clearTimeout(late);
      session.off("error", reject);
      resolve();
    });
  });
}

/** Ends a connection whose other side is gone without a word. */
function ping(session: ClientHttp2Session): void {
  const overdue = setTimeout(() => session.destroy(), pingMs);
  const isSent = session.ping((error) => {
    clearTimeout(overdue);
    if (error !== null) session.destroy();
  });
  if (!isSent) clearTimeout(overdue);
}
