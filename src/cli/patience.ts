import { Flags } from "@oclif/core";
import { parseDuration } from "../config.ts";
import { invalidRequest } from "../domain/errors.ts";

/** How long a process that is told to stop lets what it has begun come to its end. */
export const patienceFlag = Flags.string({
  description: "how long a stop waits for what was begun",
  default: "8s",
  helpValue: "DURATION",
});

export function durationMs(text: string): number {
  try {
    return parseDuration(text);
  } catch (error) {
    throw invalidRequest([{ path: "--patience", message: error instanceof Error ? error.message : "" }]);
  }
}
