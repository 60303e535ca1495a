import { hostname, userInfo } from "node:os";
import type { Config } from "../config.ts";

/** Who gives a command, for the audit log: as configured, or `user@host` of this process. */
export function operatorOf({ operator }: Pick<Config, "operator">): string {
  return operator ?? `${userName()}@${hostname()}`;
}

/** A user without an entry in the system's list has a number only. */
function userName(): string {
  try {
    return userInfo().username;
  } catch {
    return `uid ${process.getuid?.() ?? "unknown"}`;
  }
}
