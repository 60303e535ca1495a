import type { Vault } from "../domain/vault.ts";
import type { Connection } from "./connection.ts";
import type { Keys } from "./keys.ts";
import type { RunScript } from "./script.ts";

/** What every store of a noun is made from. */
export type StoreParts = {
  connection: Connection;
  keys: Keys;
  run: RunScript;
  vault: Vault;
};
