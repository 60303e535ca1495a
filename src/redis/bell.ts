import { PasswrightError } from "../domain/errors.ts";
import { asUnavailable, type Connection, isCluster, whenReady } from "./connection.ts";

/** Wakes who waits for work. */
export type Bell = {
  /** The streams to which something was added since the last call; none after `blockMs`. */
  wait(blockMs: number): Promise<string[]>;
  close(): void;
};

type BellOptions = { open(): Connection; streams: readonly string[]; startAtMs: number };

/** Whoever waits for a bell does nothing else meanwhile, so a silent connection must not keep it for long. */
const graceMs = 1000;

/**
 * Waits for new stream entries without taking them: a plain XREAD that blocks behind what was seen before.
 * It has a connection of its own, and a watchdog, since a client may lose an interrupted blocking read without
 * ever settling its promise. `startAtMs` is by Redis's clock, which stream ids are made of.
 */
export function createBell(options: BellOptions): Bell {
  const connection = options.open();
  if (!isCluster(connection)) return bellOver(connection, options);
  // A command of a cluster sees the streams of one slot only, so each hash tag gets a bell of its own.
  connection.disconnect();
  const groups = Map.groupBy(options.streams, (stream) => /\{.*?\}/.exec(stream)?.[0]);
  return joinBells([...groups.values()].map((streams) => bellOver(options.open(), { ...options, streams })));
}

function bellOver(first: Connection, options: BellOptions): Bell {
  let connection = first;
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
      let isOver = false;
      const giveUp = (): void => {
        if (isOver) return;
        connection.disconnect();
        connection = options.open();
        overdue.reject(new PasswrightError("unavailable", "A blocking read never came back; reconnecting."));
      };
      // Timers come before what has arrived: where the whole process stood still, the answer may be among that.
      const watchdog = setTimeout(() => setImmediate(giveUp), blockMs + graceMs);
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
        isOver = true;
        clearTimeout(watchdog);
      }
    },
    close: () => {
      connection.disconnect();
    },
  };
}

/** Several bells as one. */
function joinBells(bells: readonly Bell[]): Bell {
  const waiting = new Map<Bell, Promise<void>>();
  const rung = new Set<string>();
  return {
    async wait(blockMs) {
      for (const bell of bells) {
        if (waiting.has(bell)) continue;
        const wait = bell
          .wait(blockMs)
          .then((streams) => {
            for (const stream of streams) rung.add(stream);
          })
          .finally(() => waiting.delete(bell));
        wait.catch(() => {});
        waiting.set(bell, wait);
      }
      await Promise.race(waiting.values());
      const streams = [...rung];
      rung.clear();
      return streams;
    },
    close: () => {
      for (const bell of bells) bell.close();
    },
  };
}
