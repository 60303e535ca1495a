import { type FaultKind, faultKinds } from "./fault-plan.ts";
import type { RoundReport } from "./round.ts";

/** What a round, or several, came to, for people. */
export function figures(rounds: readonly RoundReport[]): string[] {
  const sum = (of: (round: RoundReport) => number): number =>
    rounds.reduce((total, round) => total + of(round), 0);
  const accepted = new Map<string, number>();
  for (const { tally } of rounds) {
    for (const [kind, count] of tally.accepted) accepted.set(kind, (accepted.get(kind) ?? 0) + count);
  }
  const jobs = sum(({ ends }) => ends.completed + ends.failed + ends.cancelled);
  const lines = [
    row("operations", `${sum(({ tally }) => tally.operations)} in ${seconds(sum(({ loadMs }) => loadMs))}`),
    row("accepted", [...accepted].map(([kind, count]) => `${count} ${kind}`).join(", ")),
    row("sent again", `${sum(({ tally }) => tally.repeated)} requests, until they had a definite answer`),
    row(
      "jobs",
      `${jobs}: ${sum(({ ends }) => ends.completed)} completed, ${sum(({ ends }) => ends.failed)} failed, ${sum(({ ends }) => ends.cancelled)} cancelled`,
    ),
    row("", `${sum(({ ends }) => ends.beganAgain)} attempts beyond the first`),
    row(
      "deliveries",
      `${sum(({ deliveries }) => deliveries.events)}: ${sum(({ deliveries }) => deliveries.delivered)} delivered, ${sum(({ deliveries }) => deliveries.deadLetters)} dead letters`,
    ),
    row(
      "duplicates",
      `${sum(({ deliveries }) => deliveries.duplicates)} deliveries taken once more than once`,
    ),
    row("quiet after", seconds(sum(({ settledMs }) => settledMs) / rounds.length)),
    ...faultLines(rounds),
    ...redeliveryLines(rounds),
    row(rounds.length > 1 ? "seeds" : "seed", seedsOf(rounds)),
    row("wrong", String(sum(({ problems }) => problems.length))),
  ];
  return lines;
}

function seedsOf(rounds: readonly RoundReport[]): string {
  const [first, last] = [rounds.at(0)?.seed, rounds.at(-1)?.seed];
  return rounds.length > 1 ? `${first} to ${last}` : String(first);
}

/** From a fault, or from the end of one that lasts, to the end of the next job. */
function faultLines(rounds: readonly RoundReport[]): string[] {
  const recovered = new Map<FaultKind, number[]>();
  for (const { deeds, finishes } of rounds) {
    for (const { kind, atMs } of deeds) {
      const next = finishes.find((finishedMs) => finishedMs >= atMs);
      if (!recovered.has(kind)) recovered.set(kind, []);
      if (next !== undefined) recovered.get(kind)?.push(next - atMs);
    }
  }
  const done = (kind: FaultKind): number =>
    rounds.reduce((sum, { deeds }) => sum + deeds.filter((deed) => deed.kind === kind).length, 0);
  return faultKinds
    .filter((kind) => done(kind) > 0)
    .map((kind) => row(kind, `${done(kind)} times; work went on after ${spread(recovered.get(kind) ?? [])}`));
}

function redeliveryLines(rounds: readonly RoundReport[]): string[] {
  const all = rounds.flatMap(({ redeliveries }) => redeliveries);
  if (all.length === 0) return [];
  const alone = all.filter(({ isDisturbed }) => !isDisturbed);
  const times = (some: typeof all) => spread(some.map(({ afterMs }) => afterMs));
  return [
    row("redelivery", `${alone.length} that killed workers held, begun again after ${times(alone)}`),
    row(
      "",
      `${all.length} with those where Redis, or who should have taken over, was hit, too: ${times(all)}`,
    ),
  ];
}

function spread(values: readonly number[]): string {
  if (values.length === 0) return "nothing to see";
  const sorted = values.toSorted((a, b) => a - b);
  const at = (share: number) => Math.round(sorted[Math.ceil(share * sorted.length) - 1] ?? 0);
  return `p50 ${at(0.5)} ms, p99 ${at(0.99)} ms, max ${at(1)} ms`;
}

function row(name: string, value: string): string {
  return `${name.padEnd(18)}${value}`;
}

function seconds(ms: number): string {
  return `${(ms / 1000).toFixed(1)} s`;
}
