import type { Page } from "../../src/domain/page.ts";
import type { Connection } from "../../src/redis/connection.ts";
import { medianOf } from "./samples.ts";

/** What one page of a list takes inside Redis, and what its caller waits. */
export type ListCost = { serverUs: number; answerMs: number };

/** The medians over so many readings of a page, which must not be empty. */
export async function listCost(
  connection: Connection,
  rounds: number,
  list: () => Promise<Page<unknown>>,
): Promise<ListCost> {
  const { items, total } = await list();
  if (items.length === 0) throw new Error(`an empty page, of ${total} items`);
  const inside: number[] = [];
  const waits: number[] = [];
  for (let round = 0; round < rounds; round += 1) {
    await connection.config("RESETSTAT");
    const startedAt = performance.now();
    await list();
    waits.push(performance.now() - startedAt);
    const stats = await connection.info("commandstats");
    inside.push(sumOfCommands(stats));
  }
  return { serverUs: medianOf(inside), answerMs: medianOf(waits) };
}

/** Microseconds in all commands but those of the measurement, and of scripts' own commands, which their caller's hold. */
function sumOfCommands(stats: string): number {
  const scripted = /^cmdstat_evalsha:/m.test(stats);
  let sum = 0;
  for (const [, command, usec] of stats.matchAll(/^cmdstat_([^:]+):calls=\d+,usec=(\d+)/gm)) {
    const counts = scripted ? command === "evalsha" : command !== "config|resetstat" && command !== "info";
    if (counts) sum += Number(usec);
  }
  return sum;
}

/** A line of the table: what the list is, then the numbers of the small and the large one with their ratio. */
export function listRow(name: string, costs: readonly ListCost[]): string {
  const server = costs.map(({ serverUs }) => serverUs);
  const answer = costs.map(({ answerMs }) => answerMs);
  return `${name.padEnd(38)}${figures(server, 0).padEnd(44)}${figures(answer, 2)}`;
}

export function listHead(sizes: readonly number[]): string {
  return `${" ".repeat(38)}${`server, µs (${sizes.join(", ")}, ratio)`.padEnd(44)}answer, ms`;
}

function figures(numbers: readonly number[], digits: number): string {
  const ratio = (numbers[1] ?? 0) / (numbers[0] ?? 1);
  return [...numbers.map((number) => number.toFixed(digits)), ratio.toFixed(2)]
    .map((text) => text.padStart(8))
    .join("");
}
