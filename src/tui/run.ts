import { createElement } from "react";
import type { ReadPage } from "./page.ts";
import { showOnScreen, sizeOf, type Terminal } from "./screen.ts";
import { type Acts, createSession } from "./session.ts";
import { firstState } from "./state.ts";
import { Dashboard } from "./views/dashboard.ts";

/** Shows the dashboard on a terminal until somebody leaves, or a signal says so. Rejects with what went wrong. */
export async function runDashboard(deps: {
  terminal: Terminal;
  read: ReadPage;
  acts: Acts;
  nowMs(): number;
  intervalMs: number;
  readOnly: boolean;
  colored: boolean;
}): Promise<void> {
  const session = createSession(
    firstState({ size: sizeOf(deps.terminal), nowMs: deps.nowMs(), readOnly: deps.readOnly }),
    deps,
  );
  try {
    await showOnScreen(deps.terminal, createElement(Dashboard, { session, colored: deps.colored }), {
      resized: (size) => session.dispatch({ type: "resized", size }),
      begin(leave) {
        const unsubscribe = session.subscribe(() => {
          if (session.state().left) leave();
        });
        session.start();
        return unsubscribe;
      },
    });
  } finally {
    if (session.isBusy())
      process.stderr.write("What was begun is brought to its end, or left to a worker…\n");
    await session.stop();
  }
}
