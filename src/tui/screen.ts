import type { ReadStream, WriteStream } from "node:tty";
import { render } from "ink";
import type { ReactNode } from "react";
import type { Size } from "./state.ts";

export type Terminal = { stdin: ReadStream; stdout: WriteStream };

const signals = ["SIGINT", "SIGTERM", "SIGHUP"] as const;

export function sizeOf({ stdout }: Terminal): Size {
  return { columns: stdout.columns || 80, rows: stdout.rows || 24 };
}

/**
 * Shows a view on the whole of a terminal until it is left, or a signal says so. `begin` gets what leaves it, and answers with
 * what is to be done once it has been left. However it ends, the terminal is left as it was found; rejects with what went wrong.
 */
export async function showOnScreen(
  terminal: Terminal,
  view: ReactNode,
  { resized, begin }: { resized(size: Size): void; begin(leave: () => void): () => void },
): Promise<void> {
  const { stdin, stdout } = terminal;
  const shown = render(view, {
    stdin,
    stdout,
    alternateScreen: true,
    exitOnCtrlC: true,
    interactive: true,
    patchConsole: false,
  });
  const resize = (): void => resized(sizeOf(terminal));
  const leave = (): void => shown.unmount();
  // Node prints an error that nobody caught, and would print it on the screen that is about to go.
  const crashed = (error: unknown): never => {
    shown.unmount();
    process.stderr.write(`${error instanceof Error ? error.stack : String(error)}\n`);
    process.exit(1);
  };
  stdout.on("resize", resize);
  // Kept until the end: without a listener of ours, Ink would end the process before what was begun is in other hands.
  for (const signal of signals) process.on(signal, leave);
  process.once("uncaughtException", crashed);
  process.once("unhandledRejection", crashed);
  const ended = begin(leave);
  try {
    await shown.waitUntilExit();
  } finally {
    ended();
    stdout.off("resize", resize);
    process.off("uncaughtException", crashed);
    process.off("unhandledRejection", crashed);
    // From now on a signal ends the process at once, as it does any.
    for (const signal of signals) process.off(signal, leave);
  }
}
