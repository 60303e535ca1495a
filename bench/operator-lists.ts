// What operators' reads cost on a large installation beside a small one: 1,000,000 jobs, 100,000 dead letters, 100,000
// deliveries, 100,000 audit entries and 10,000 tenants, of which one has half of the jobs, against a tenth of a thousandth
// of that. Each verb runs as the built program, in a process of its own. Printed are the CPU of that process, its wall time
// (the least of its runs, as the machine is shared), and the CPU of Redis meanwhile. Starts two Redis of its own.
// Run: npm run build && node bench/operator-lists.ts [a word of the verbs that are wanted]

import { type Cost, costOf } from "./operator-lists/cost.ts";
import { fill, type Installation } from "./operator-lists/fill.ts";
import { withPrivateRedis } from "./support/private-redis.ts";

const small = { tenants: 10, jobs: 100, letters: 10, deliveries: 10, auditEntries: 10, ofOne: 5 };
const large = {
  ...{ tenants: 10_000, jobs: 1_000_000, letters: 100_000, deliveries: 100_000 },
  ...{ auditEntries: 100_000, ofOne: 200 },
};
const runs = 5;

/** TENANT is the one that has most, WEBHOOK the one of its webhooks to which all deliveries go. */
const verbs = [
  "config",
  "tenants list",
  "tenants list --all",
  "jobs list --tenant TENANT",
  "jobs list --tenant TENANT --status queued",
  "jobs list --tenant TENANT --status failed",
  "jobs list --tenant TENANT --status completed",
  "jobs list --tenant OTHER --status queued",
  "deadletter list --all-tenants",
  "deadletter list --tenant TENANT",
  "deadletter list --all-tenants --reason provider_unavailable",
  "deadletter stats --all-tenants",
  "deadletter stats --tenant TENANT",
  "deadletter tasks",
  "deliveries list --tenant TENANT --webhook WEBHOOK",
  "webhooks list --tenant TENANT",
  "applications list --tenant TENANT",
  "templates list --tenant TENANT",
  "providers list --tenant TENANT",
  "audit list",
  "keys list",
];

await withPrivateRedis(async (_one, smallUrl) => {
  await withPrivateRedis(async (_other, largeUrl) => {
    const installations = [await fill(smallUrl, small), await fill(largeUrl, large)] as const;
    console.log(`${"".padEnd(62)}process, CPU ms          wall ms             Redis, CPU ms`);
    console.log(`${"".padEnd(62)}${"small  large  ratio   ".repeat(3)}`);
    for (const verb of verbs.filter((each) => each.includes(process.argv[2] ?? ""))) {
      const [few, many] = installations;
      console.log(
        row(verb, await costOf(argsOf(verb, few), few, runs), await costOf(argsOf(verb, many), many, runs)),
      );
    }
  });
});

function argsOf(verb: string, { tenantId, otherId, webhookId }: Installation): string[] {
  const names: Record<string, string> = { TENANT: tenantId, OTHER: otherId, WEBHOOK: webhookId };
  return verb.split(" ").map((word) => names[word] ?? word);
}

function row(verb: string, few: Cost, many: Cost): string {
  const parts = (["cpuMs", "wallMs", "redisMs"] as const).map((fact) => {
    const ratio = (many[fact] / few[fact]).toFixed(2);
    return [few[fact].toFixed(0), many[fact].toFixed(0), ratio].map((text) => text.padStart(5)).join("  ");
  });
  return `${verb.padEnd(60)}${parts.join("   ")}`;
}
