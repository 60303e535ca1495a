import { afterKey } from "./keys.ts";
import { afterEvent, type DashboardEvent, type State } from "./state.ts";

/** The state after something happened. Nothing else changes it, and this does nothing else. */
export function reduce(state: State, event: DashboardEvent): State {
  return event.type === "key" ? afterKey(state, event.key) : afterEvent(state, event);
}
