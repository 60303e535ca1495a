import type { Duplex } from "node:stream";
import { Cluster, type Redis } from "ioredis";

/** Under load, so much time passes between two writes; the first after a pause leaves at once. */
const leastPauseMs = 1;

/**
 * Has a connection send what is written within one turn of the event loop, and under load within a millisecond, as one
 * piece. Each command would be a call of the system by itself, here and at the server, and under load those cost more
 * than what the commands do.
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
    let sentAtMs = 0;
    const send = (): void => {
      isHeld = false;
      sentAtMs = performance.now();
      stream.uncork();
    };
    stream.write = (...args: unknown[]): boolean => {
      if (!isHeld) {
        isHeld = true;
        stream.cork();
        if (performance.now() - sentAtMs < leastPauseMs) setTimeout(send, leastPauseMs);
        else setImmediate(send);
      }
      return write(...args);
    };
  });
}
