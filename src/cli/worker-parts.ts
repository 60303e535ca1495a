import { Flags } from "@oclif/core";
import { invalidRequest } from "../domain/errors.ts";
import type { WorkClass } from "../domain/jobs/work.ts";

const classesOf = {
  provider: ["interactive", "bulk"],
  webhook: ["webhooks"],
  scheduler: [],
} as const satisfies Record<string, readonly WorkClass[]>;

const names = Object.keys(classesOf) as (keyof typeof classesOf)[];

/** Lets the wallets, the webhooks and the tasks at fixed times have workers of their own, each with its own way out. */
export const onlyFlag = Flags.string({
  description: `do a part of the work: ${names.join(", ")}, or several separated by commas`,
  helpValue: "PARTS",
});

/** What a worker does: all of it where nothing is named. */
export function workerParts(only: string | undefined): { classes: WorkClass[]; scheduler: boolean } {
  const parts = only === undefined ? names : only.split(",").map((part) => part.trim());
  const known = parts.filter((part) => Object.hasOwn(classesOf, part)) as typeof names;
  if (known.length < parts.length) {
    const message = `must be of ${names.join(", ")}, separated by commas, not «${only}»`;
    throw invalidRequest([{ path: "--only", message }]);
  }
  return {
    classes: [...new Set(known.flatMap((part) => classesOf[part]))],
    scheduler: known.includes("scheduler"),
  };
}
