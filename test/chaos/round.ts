import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { type Deed, releaseAdversary } from "./adversary.ts";
import { type FaultKind, planFaults } from "./fault-plan.ts";
import type { Finding } from "./finding.ts";
import { startInstallation } from "./installation.ts";
import { type Ledger, newTally, type Tally } from "./ledger.ts";
import { applyLoad } from "./load.ts";
import { openReceiver } from "./receiver.ts";
import type { Redelivery } from "./redelivery.ts";
import { untilSettled } from "./settled.ts";
import { takeTenantsIn } from "./tenants.ts";
import { verifyTenant } from "./verify.ts";

export type RoundWish = {
  operations: number;
  seed: number;
  faults: readonly FaultKind[];
  leaseMs: number;
  redisServer: string;
  /** The root of a built tree. */
  tree: string;
  /** How long nothing may move before what is open counts as lost, ms. */
  patienceMs: number;
  /** Told how far it is. */
  progress(words: string): void;
};

export type RoundReport = {
  seed: number;
  /** Everything that is wrong, in words; empty when all promises were kept. */
  problems: string[];
  tally: Tally;
  ends: Finding["ends"];
  deliveries: { events: number; delivered: number; deadLetters: number; duplicates: number };
  deeds: Deed[];
  /** When jobs ended, ms. */
  finishes: number[];
  redeliveries: Redelivery[];
  loadMs: number;
  settledMs: number;
  /** Where logs and data are, when something is wrong. */
  folder: string | null;
};

/** One installation from its start to its end: load under faults, quiet, and the reckoning. */
export async function runRound(wish: RoundWish): Promise<RoundReport> {
  const { operations, seed, progress } = wish;
  const folder = mkdtempSync(join(tmpdir(), "passwright-chaos-"));
  progress(`seed ${seed}: starting Redis, the sandbox, two serve and two worker in ${folder}`);
  const installation = await startInstallation({ ...wish, folder });
  const receiver = await openReceiver(installation.certificate);
  const tally = newTally();
  const ledgers: Ledger[] = [];
  // What is left of a round that did not end well is evidence.
  let isWrong = true;
  try {
    ledgers.push(...(await takeTenantsIn(installation, receiver, operations)));
    progress("the tenants are there; the load begins");
    const began = performance.now();
    const tenantIds = ledgers.map(({ credentials }) => credentials.tenant_id);
    const adversary =
      wish.faults.length === 0
        ? null
        : releaseAdversary(installation, planFaults(seed, wish.faults), { leaseMs: wish.leaseMs, tenantIds });
    const ticking = setInterval(() => progress(`${tally.operations} of ${operations} operations`), 10_000);
    try {
      await applyLoad(ledgers, receiver, tally, { operations, seed });
    } finally {
      clearInterval(ticking);
      await adversary?.stop();
    }
    const loadMs = performance.now() - began;

    progress("no more faults; waiting until nothing is open");
    const open = await untilSettled(installation.store, receiver.attempts, wish.patienceMs);
    const settledMs = performance.now() - began - loadMs;
    if (process.env.CHAOS_DEBUG) for (const one of [installation.redis, ...installation.serves, ...installation.workers, {name:"harness", pid: () => process.pid}, ...((installation as any).more ?? [])]) progress(one.name + " " + (await import("node:fs")).readFileSync(`/proc/${one.pid()}/stat`, "utf8").split(" ").slice(13, 15).join(" "));
    progress("comparing what was promised with what is there");
    const deadLetters = await installation.cli("deadletter", "export", "--all-tenants");
    const findings = [];
    for (const ledger of ledgers) findings.push(await verifyTenant(installation, ledger, deadLetters));

    const processes = [installation.redis, ...installation.serves, ...installation.workers];
    const problems = [
      ...tally.complaints,
      ...[...open].map(([name, size]) => `${size} still open in ${name}`),
      ...findings.flatMap((finding) => finding.problems),
      ...receiver.complaints,
      ...processes.flatMap((process) => process.ownEnds()),
    ];
    const all = receiver.hooks.flatMap((hook) => [...hook.deliveries.values()]);
    const duplicates = all.reduce((sum, { taken }) => sum + Math.max(taken - 1, 0), 0);
    const ends = sumOf(findings.map((finding) => finding.ends));
    if (wish.faults.length === 0 && duplicates + ends.beganAgain > 0) {
      problems.push(
        `without a fault, ${duplicates} deliveries came twice and ${ends.beganAgain} attempts were repeated`,
      );
    }
    isWrong = problems.length > 0;
    return {
      seed,
      problems,
      tally,
      ends,
      deliveries: {
        events: all.length,
        delivered: all.filter(({ taken }) => taken > 0).length,
        deadLetters: deadLetters.length,
        duplicates,
      },
      deeds: adversary?.deeds ?? [],
      finishes: receiver.finishes.toSorted((a, b) => a - b),
      redeliveries: adversary?.redeliveries ?? [],
      loadMs,
      settledMs,
      folder: isWrong ? folder : null,
    };
  } finally {
    for (const { caller } of ledgers) caller.close();
    receiver.close();
    await installation.stop();
    if (!isWrong) rmSync(folder, { recursive: true, force: true });
  }
}

function sumOf(all: readonly Finding["ends"][]): Finding["ends"] {
  const sum = { completed: 0, failed: 0, cancelled: 0, beganAgain: 0 };
  for (const ends of all)
    for (const name of Object.keys(sum) as (keyof typeof sum)[]) sum[name] += ends[name];
  return sum;
}
