import { createElement } from "react";
import { showOnScreen, sizeOf, type Terminal } from "../screen.ts";
import { firstPhoneState, type ShownPass, type Told } from "./state.ts";
import { createPhoneStore } from "./store.ts";
import { PhoneView } from "./view.ts";

/** What the screen offers to whoever runs the phone behind it. */
export type PhoneDisplay = { tell(told: Told, pass: ShownPass): void; leave(): void };

/**
 * Shows a pass on a terminal until somebody leaves, deletes it, or a signal says so; answers which. `begin` starts what is shown,
 * and answers with what ends it. Rejects with what went wrong.
 */
export async function runPhone(deps: {
  terminal: Terminal;
  pass: ShownPass;
  colored: boolean;
  begin(display: PhoneDisplay): () => void;
  refresh(): void;
}): Promise<"kept" | "deleted"> {
  const store = createPhoneStore(firstPhoneState({ size: sizeOf(deps.terminal), pass: deps.pass }));
  await showOnScreen(deps.terminal, createElement(PhoneView, { store, colored: deps.colored }), {
    resized: (size) => store.dispatch({ type: "resized", size }),
    begin(leave) {
      let refreshes = 0;
      const unsubscribe = store.subscribe(() => {
        const state = store.state();
        if (state.left !== null) leave();
        if (state.refreshes > refreshes) deps.refresh();
        refreshes = state.refreshes;
      });
      const end = deps.begin({
        tell: (told, pass) => store.dispatch({ type: "told", told, pass }),
        leave: () => store.dispatch({ type: "enough" }),
      });
      return () => {
        unsubscribe();
        end();
      };
    },
  });
  return store.state().left ?? "kept";
}
