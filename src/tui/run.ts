import type { ReadStream, WriteStream } from "node:tty";
import { render } from "ink";
import { createElement } from "react";
import type { ReadPage } from "./page.ts";
import { type Acts, createSession } from "./session.ts";
import { firstState } from "./state.ts";
import { Dashboard } from "./views/dashboard.ts";

const signals = ["SIGINT", "SIGTERM", "SIGHUP"] as const;

/**
 * Shows the dashboard on a terminal until somebody leaves, or a signal says so. However it ends, the terminal is left as it was
 * found; rejects with what went wrong.
 */
export async function runDashboard(deps: {
  terminal: { stdin: ReadStream; stdout: WriteStream };
  read: ReadPage;
  acts: Acts;
  nowMs(): number;
  intervalMs: number;
  readOnly: boolean;
  colored: boolean;
}): Promise<void> {
  const { stdin, stdout } = deps.terminal;
  const size = () => ({ columns: stdout.columns || 80, rows: stdout.rows || 24 });
  const session = createSession(
    firstState({ size: size(), nowMs: deps.nowMs(), readOnly: deps.readOnly }),
    deps,
  );
  const shown = render(createElement(Dashboard, { session, colored: deps.colored }), {
    stdin,
    stdout,
    alternateScreen: true,
    exitOnCtrlC: true,
    interactive: true,
    patchConsole: false,
  });
  const resized = (): void => session.dispatch({ type: "resized", size: size() });
  const leave = (): void => shown.unmount();
  // Node prints an error that nobody caught, and would print it on the screen that is about to go.
  const crashed = (error: unknown): never => {
    shown.unmount();
    process.stderr.write(`${error instanceof Error ? error.stack : String(error)}\n`);
    process.exit(1);
  };
  stdout.on("resize", resized);
  // Kept until the end: without a listener of ours, Ink would end the process before what was begun is in other hands.
  for (const signal of signals) process.on(signal, leave);
  process.once("uncaughtException", crashed);
  process.once("unhandledRejection", crashed);
  const unsubscribe = session.subscribe(() => {
    if (session.state().left) leave();
  });
  session.start();
  try {
    await shown.waitUntilExit();
  } finally {
    unsubscribe();
    stdout.off("resize", resized);
    process.off("uncaughtException", crashed);
    process.off("unhandledRejection", crashed);
    // From now on a signal ends the process at once, as it does any.
    for (const signal of signals) process.off(signal, leave);
    if (session.isBusy())
      process.stderr.write("What was begun is brought to its end, or left to a worker…\n");
    await session.stop();
  }
}
