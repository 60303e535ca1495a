import type { RunOnce } from "./loop.ts";

/** Another process's change of keys is known here within this time. */
const refreshMs = 2000;

/** Keeps the signing keys of this process up to date. */
export function keyringLoop(keyring: { refresh(): Promise<void> }): RunOnce {
  return async () => {
    await keyring.refresh();
    return refreshMs;
  };
}
