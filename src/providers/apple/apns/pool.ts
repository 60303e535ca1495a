import { createAbortWatch } from "./abort-watch.ts";
import { type ApnsAnswer, type ApnsConnection, ConnectionLost } from "./connection.ts";

/** The connections to APNs of one credential. */
export type ApnsPool = {
  /**
   * Sends a request as soon as there is room for it. A request that a connection took with it is sent again over another.
   * Rejects with Unreachable, or with the signal's reason.
   */
  post(path: string, headers: () => Record<string, string>, signal: AbortSignal): Promise<ApnsAnswer>;
  /** Nothing has been asked of it since. */
  idleSinceMs(): number | null;
  close(): void;
};

/** APNs cannot be reached; until `retryAtMs` nobody tries. */
export class Unreachable extends Error {
  override name = "Unreachable";
  readonly retryAtMs: number;

  constructor(cause: unknown, retryAtMs: number) {
    super(`APNs cannot be reached: ${cause instanceof Error ? cause.message : String(cause)}`, { cause });
    this.retryAtMs = retryAtMs;
  }
}

type Waiting = {
  path: string;
  headers: () => Record<string, string>;
  signal: AbortSignal;
  triesLeft: number;
  resolve(answer: ApnsAnswer): void;
  reject(error: unknown): void;
};

const firstPauseMs = 250;
const longestPauseMs = 30_000;
const mostTries = 3;

/**
 * Keeps up to `most` connections, opened as the room of those that there are is used up, and opened anew after they have
 * ended; after failures only when a growing pause is over.
 */
export function createApnsPool(options: {
  most: number;
  open(changed: () => void, signal: AbortSignal): Promise<ApnsConnection>;
  nowMs(): number;
  random?: () => number;
}): ApnsPool {
  const { most, open, nowMs, random = Math.random } = options;
  const waiting = new Set<Waiting>();
  const onAbort = createAbortWatch();
  const closing = new AbortController();
  let connections: ApnsConnection[] = [];
  let isOpening = false;
  let failures = 0;
  let retryAtMs = 0;
  let underWay = 0;
  let idleSinceMs: number | null = nowMs();

  function sendWaiting(): void {
    connections = connections.filter((connection) => connection.isUsable());
    for (const connection of connections) {
      for (let room = connection.room(); room > 0 && waiting.size > 0; room -= 1) {
        const [next] = waiting;
        if (next === undefined) break;
        waiting.delete(next);
        void send(connection, next);
      }
    }
    if (waiting.size > 0 && connections.length < most) void openAnother();
  }

  async function send(connection: ApnsConnection, request: Waiting): Promise<void> {
    try {
      request.resolve(await connection.post(request.path, request.headers(), request.signal));
    } catch (error) {
      request.triesLeft -= 1;
      if (!(error instanceof ConnectionLost) || request.triesLeft === 0 || request.signal.aborted) {
        request.reject(error);
        return;
      }
      waiting.add(request);
      sendWaiting();
    }
  }

  async function openAnother(): Promise<void> {
    // Those that are there will take what waits, only later.
    const hasOthers = connections.length > 0;
    if (isOpening || closing.signal.aborted || (hasOthers && nowMs() < retryAtMs)) return;
    isOpening = true;
    try {
      connections.push(await open(sendWaiting, closing.signal));
      failures = 0;
    } catch (error) {
      failures += 1;
      const pauseMs = Math.min(firstPauseMs * 2 ** (failures - 1), longestPauseMs);
      retryAtMs = nowMs() + pauseMs * (0.8 + 0.4 * random());
      if (connections.length === 0) rejectAll(new Unreachable(error, retryAtMs));
    } finally {
      isOpening = false;
    }
    sendWaiting();
  }

  function rejectAll(error: unknown): void {
    const all = [...waiting];
    waiting.clear();
    for (const { reject } of all) reject(error);
  }

  return {
    async post(path, headers, signal) {
      signal.throwIfAborted();
      if (connections.length === 0 && nowMs() < retryAtMs) {
        throw new Unreachable("it could not be reached a moment ago", retryAtMs);
      }
      const { promise, resolve, reject } = Promise.withResolvers<ApnsAnswer>();
      const request: Waiting = { path, headers, signal, triesLeft: mostTries, resolve, reject };
      const leave = (): void => {
        if (waiting.delete(request)) reject(signal.reason);
      };
      const forget = onAbort(signal, leave);
      waiting.add(request);
      underWay += 1;
      idleSinceMs = null;
      sendWaiting();
      try {
        return await promise;
      } finally {
        forget();
        underWay -= 1;
        if (underWay === 0) idleSinceMs = nowMs();
      }
    },
    idleSinceMs: () => idleSinceMs,
    close() {
      closing.abort();
      rejectAll(new Error("the connections to APNs are being closed"));
      for (const connection of connections) connection.close();
      connections = [];
    },
  };
}
