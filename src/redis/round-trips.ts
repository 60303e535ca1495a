import { ReplyError } from "ioredis";
import type { Connection } from "./connection.ts";

/** Hears of every command that was sent: how long it took until its answer, or until it was given up without one. */
export type RoundTripListener = (seconds: number, answered: boolean) => void;

export function watchRoundTrips(connection: Connection, listener: RoundTripListener): void {
  const send = connection.sendCommand.bind(connection) as (...args: unknown[]) => unknown;
  connection.sendCommand = (...args: unknown[]): unknown => {
    const startedAt = performance.now();
    const told = (answered: boolean): void => listener((performance.now() - startedAt) / 1000, answered);
    const sent = send(...args);
    Promise.resolve(sent).then(
      () => told(true),
      // An error that Redis answers with is an answer.
      (error: unknown) => told(error instanceof ReplyError),
    );
    return sent;
  };
}
