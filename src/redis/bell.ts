import { PasswrightError } from "../domain/errors.ts";
import { asUnavailable, type Connection, whenReady } from "./connection.ts";

/** Wakes who waits for work. */
export type Bell = {
  /** The streams to which something was added since the last call; none after `blockMs`. */
  wait(blockMs: number): Promise<string[]>;
  close(): void;
};

/**
 * Waits for new stream entries without taking them: a plain XREAD that blocks behind what was seen before.
 * It has a connection of its own, and a watchdog, since a client may lose an interrupted blocking read without
 * ever settling its promise. `startAtMs` is by Redis's clock, which stream ids are made of.
 */
export function createBell(options: {
  open(): Connection;
  streams: readonly string[];
  startAtMs: number;
}): Bell {
  let connection = options.open();
  const seen = new Map(options.streams.map((stream) => [stream, `${options.startAtMs}-0`]));

  async function read(blockMs: number): Promise<[string, [string, string[]][]][]> {
    await whenReady(connection, blockMs);
    const reply = await connection.xread(
      "COUNT",
      500,
      "BLOCK",
      blockMs,
      "STREAMS",
      ...seen.keys(),
      ...seen.values(),
    );
    return (reply ?? []) as [string, [string, string[]][]][];
  }

  return {
    async wait(blockMs) {
      const overdue = Promise.withResolvers<never>();
      const watchdog = setTimeout(() => {
        connection.disconnect();
        connection = options.open();
        overdue.reject(new PasswrightError("unavailable", "A blocking read never came back; reconnecting."));
      }, blockMs + 2000);
      try {
        const rung = await Promise.race([read(blockMs), overdue.promise]);
        for (const [stream, entries] of rung) {
          const last = entries.at(-1);
          if (last !== undefined) seen.set(stream, last[0]);
        }
        return rung.map(([stream]) => stream);
      } catch (error) {
        throw asUnavailable(error);
      } finally {
        clearTimeout(watchdog);
      }
    },
    close: () => {
      connection.disconnect();
    },
  };
}
