import type { DeadLetter, Finding } from "./finding.ts";
import { type Fact, factOf } from "./receiver.ts";

/** Each event reached each webhook that is subscribed to it, or is a dead letter; and no other event did. */
export function verifyEvents(finding: Finding, deadLetters: readonly DeadLetter[]): void {
  const { ledger, problems, facts } = finding;
  const buried = new Set(deadLetters.flatMap(({ delivery_id }) => delivery_id ?? []));
  const buriedFacts = new Set(
    deadLetters.flatMap(({ payload, event_type }): Fact[] =>
      event_type !== null && payload?.data !== undefined ? [factOf(event_type, payload.data)] : [],
    ),
  );
  for (const hook of ledger.hooks) {
    const deliveries = Map.groupBy(hook.deliveries, ([, { fact }]) => fact);
    const wanted = [...facts].filter((fact) => hook.types.includes(fact.split(" ")[0] ?? ""));
    for (const fact of wanted) {
      const came = deliveries.get(fact) ?? [];
      const arrived = came.some(([, { taken }]) => taken > 0);
      const isBuried = came.some(([id]) => buried.has(id)) || (came.length === 0 && buriedFacts.has(fact));
      if (!arrived && !isBuried) problems.push(`${hook.name}: the event ${fact} is lost`);
      if (came.length > 1) problems.push(`${hook.name}: the event ${fact} came as ${came.length} deliveries`);
    }
    for (const fact of deliveries.keys()) {
      if (!facts.has(fact))
        problems.push(`${hook.name}: the event ${fact} tells of what nobody was promised`);
    }
  }
}
