import { type Clock, isoInstant } from "../clock.ts";
import { PasswrightError } from "../errors.ts";
import {
  type Check,
  type Finding,
  type FindingStatus,
  type Fix,
  findingStatuses,
  reasonOf,
  unknown,
} from "./check.ts";

/** A finding as the command prints it with --json. */
export type FindingResource = {
  check: string;
  status: FindingStatus;
  message: string;
  remedy: string | null;
  /** `--fix` does something about it. */
  fixable: boolean;
};

export type Report = {
  /** The worst that was found: failed, else warning (also where something could not be looked at), else ok. */
  status: "ok" | "warning" | "failed";
  checked_at: string;
  counts: Record<FindingStatus, number>;
  findings: FindingResource[];
  /** What `--fix` did, or could not do. `findings` tells how it is afterwards. */
  fixes: { check: string; does: string; done: boolean; result: string }[];
};

export type Examination<Needs> = {
  checks: readonly Check<Needs>[];
  needs: Needs;
  clock: Clock;
  /** Connect to others than Redis. */
  online: boolean;
  /** Look at everything that there is. */
  deep: boolean;
  /** Carries out what is safe, and writes down that it was; null: nothing is changed. */
  mend: ((check: string, fix: Fix) => Promise<string>) | null;
};

/** A check that takes longer cannot tell. */
const longestMs = 30_000;

/** Makes the checks one after the other: whatever one comes to, the others go on. */
export async function examine<Needs>(examination: Examination<Needs>): Promise<Report> {
  const { checks, clock, mend } = examination;
  const findings: FindingResource[] = [];
  const fixes: Report["fixes"] = [];
  for (const check of checks) {
    let found = await lookWith(check, examination);
    const fixable = mend === null ? [] : found.flatMap(({ fix }) => (fix === undefined ? [] : [fix]));
    for (const fix of fixable) fixes.push(await applied(check.name, fix, mend));
    // What it is like afterwards, the check itself must say.
    if (fixable.length > 0) found = await lookWith(check, examination);
    findings.push(...found.map((finding) => shown(check.name, finding)));
  }
  const counts = Object.fromEntries(
    findingStatuses.map((status) => [status, findings.filter((finding) => finding.status === status).length]),
  ) as Report["counts"];
  const doubtful = counts.warning + counts.unknown > 0;
  return {
    status: counts.failed > 0 ? "failed" : doubtful ? "warning" : "ok",
    checked_at: isoInstant(clock.nowMs()),
    counts,
    findings,
    fixes,
  };
}

async function lookWith<Needs>(
  check: Check<Needs>,
  { needs, online, deep }: Examination<Needs>,
): Promise<Finding[]> {
  if (check.only === "online" && !online) return [skipped("Nothing is connected to with --offline.")];
  if (check.only === "deep" && !deep) return [skipped("Looked for only with --deep.")];
  try {
    const found = check.look(needs);
    return await (deep ? found : inTime(found));
  } catch (error) {
    const isAway = error instanceof PasswrightError && error.code === "unavailable";
    const remedy = isAway
      ? "See what redis says, then run it again."
      : "Run it again; report it if it stays.";
    return [unknown(`Could not be looked at: ${reasonOf(error)}`, remedy)];
  }
}

async function applied(
  check: string,
  fix: Fix,
  mend: Examination<never>["mend"],
): Promise<Report["fixes"][number]> {
  try {
    return { check, does: fix.does, done: true, result: (await mend?.(check, fix)) ?? "" };
  } catch (error) {
    return { check, does: fix.does, done: false, result: reasonOf(error) };
  }
}

function skipped(message: string): Finding {
  return { status: "skipped", message, remedy: null };
}

function shown(check: string, { status, message, remedy, fix }: Finding): FindingResource {
  return { check, status, message, remedy, fixable: fix !== undefined };
}

async function inTime<Result>(result: Promise<Result>): Promise<Result> {
  const late = Promise.withResolvers<never>();
  const timer = setTimeout(
    () => late.reject(new Error(`it did not come to an end within ${longestMs / 1000} s.`)),
    longestMs,
  );
  try {
    return await Promise.race([result, late.promise]);
  } finally {
    clearTimeout(timer);
  }
}
