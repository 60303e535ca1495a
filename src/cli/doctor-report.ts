import type { FindingStatus } from "../domain/doctor/check.ts";
import type { Report } from "../domain/doctor/examine.ts";
import { tableLines } from "./table.ts";

/** What stands out are the words of what is not well. */
const words: Record<FindingStatus, string> = {
  ok: "ok",
  warning: "WARNING",
  failed: "FAILED",
  unknown: "UNKNOWN",
  skipped: "skipped",
};

/** A report for people: a line for each finding, under it what to do about it, and at the end what was done. */
export function reportLines({ findings, fixes, counts, status }: Report): string[] {
  const [, ...lines] = tableLines(
    ["", "", ""],
    findings.map(({ check, status: found, message }) => [words[found], check, message]),
  );
  const indent = " ".repeat((lines[0] ?? "").indexOf(findings[0]?.message ?? ""));
  const explained = findings.flatMap(({ remedy }, index) => [
    lines[index] ?? "",
    // What is the same for many is said once, under the last.
    ...(remedy === null || remedy === findings[index + 1]?.remedy ? [] : [`${indent}-> ${remedy}`]),
  ]);
  const done = fixes.map(({ check, does, done: isDone, result }) =>
    isDone ? `fixed    ${check}: ${result}` : `NOT FIXED  ${check}, to ${does}: ${result}`,
  );
  const worst = {
    ok: "All is well.",
    warning: "It works; look after the warnings.",
    failed: "Something is wrong.",
  };
  const total = Object.entries(counts).flatMap(([name, count]) => (count > 0 ? [`${count} ${name}`] : []));
  return [
    ...explained,
    ...(done.length > 0 ? ["", ...done] : []),
    "",
    `${worst[status]} (${total.join(", ")})`,
  ];
}
