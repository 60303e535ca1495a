import type { Duplex } from "node:stream";
import { Cluster, type Redis } from "ioredis";
import { sendAtTurnEnd } from "./turn-end.ts";

/** So many pieces are under way at a time: one is worked on at the server while the answers to another are worked on here. */
const mostUnanswered = 2;

/** Not longer than this waits what could be sent: an answer may take its time, and need not come at all. */
const longestWaitMs = 1;

/**
 * Has a connection send what is written within one turn of the event loop as one piece, and while others are under way,
 * until the first of them is answered (as TCP does by Nagle's algorithm, RFC 896). Each command would be a call of the
 * system by itself, here and at the server, and under load those cost more than what the commands do.
 */
export function coalesceWrites(connection: Redis | Cluster): void {
  if (connection instanceof Cluster) {
    connection.on("+node", coalesceWrites);
    return;
  }
  // A new stream with every connection that is made.
  connection.on("connect", () => {
    const { stream } = connection as Redis & { stream: Duplex };
    const write = stream.write.bind(stream) as (...args: unknown[]) => boolean;
    let isHeld = false;
    let unanswered = 0;
    let waiting: NodeJS.Timeout | undefined;
    const send = (): void => {
      waiting = undefined;
      isHeld = false;
      unanswered += 1;
      stream.uncork();
    };
    stream.write = (...args: unknown[]): boolean => {
      if (!isHeld) {
        isHeld = true;
        stream.cork();
        if (unanswered < mostUnanswered) sendAtTurnEnd(send);
        else waiting = setTimeout(send, longestWaitMs);
      }
      return write(...args);
    };
    stream.on("data", () => {
      // It may be the answer to more than one.
      unanswered = 0;
      if (waiting === undefined) return;
      clearTimeout(waiting);
      waiting = undefined;
      sendAtTurnEnd(send);
    });
  });
}
