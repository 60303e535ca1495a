import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { type Deed, releaseAdversary } from "./adversary.ts";
import { type FaultKind, planFaults } from "./fault-plan.ts";
import { startInstallation } from "./installation.ts";
import { type Ledger, newTally, type Tally } from "./ledger.ts";
import { applyLoad } from "./load.ts";
import { openReceiver } from "./receiver.ts";
import { type Reckoning, reckon } from "./reckoning.ts";
import type { Redelivery } from "./redelivery.ts";
import { untilSettled } from "./settled.ts";
import { takeTenantsIn } from "./tenants.ts";

export type RoundWish = {
  operations: number;
  seed: number;
  faults: readonly FaultKind[];
  /** From one fault to the next, on average, ms. */
  everyMs: number;
  leaseMs: number;
  redisServer: string;
  /** The root of a built tree. */
  tree: string;
  /** How long nothing may move before what is open counts as lost, ms. */
  patienceMs: number;
  /** Told how far it is. */
  progress(words: string): void;
};

/** With no `problems`, all promises were kept. */
export type RoundReport = Reckoning & {
  seed: number;
  tally: Tally;
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
        : releaseAdversary(installation, planFaults(seed, wish.faults, wish.everyMs), {
            leaseMs: wish.leaseMs,
            tenantIds,
            logFile: join(folder, "faults.log"),
          });
    const ticking = setInterval(() => progress(`${tally.operations} of ${operations} operations`), 10_000);
    let faultsEnd: Promise<void> | undefined;
    const endFaults = (): Promise<void> => {
      faultsEnd ??= adversary?.stop() ?? Promise.resolve();
      return faultsEnd;
    };
    try {
      await applyLoad(ledgers, receiver, tally, { ...wish, onEnough: endFaults });
    } finally {
      clearInterval(ticking);
      await endFaults();
    }
    const loadMs = performance.now() - began;

    progress("no more faults; waiting until nothing is open");
    const open = await untilSettled(installation.store, receiver.attempts, wish.patienceMs);
    const settledMs = performance.now() - began - loadMs;
    progress("comparing what was promised with what is there");
    const found = await reckon(installation, receiver, ledgers);
    const problems = [
      ...tally.complaints,
      ...[...open].map(([name, size]) => `${size} still open in ${name}`),
      ...found.problems,
      ...(wish.faults.length === 0 ? repeatedWithoutReason(found) : []),
    ];
    isWrong = problems.length > 0;
    return {
      ...found,
      seed,
      problems,
      tally,
      deeds: adversary?.deeds ?? [],
      redeliveries: adversary?.redeliveries ?? [],
      finishes: receiver.finishes.toSorted((a, b) => a - b),
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

function repeatedWithoutReason({ ends, deliveries: { duplicates } }: Reckoning): string[] {
  if (duplicates + ends.beganAgain === 0) return [];
  return [
    `without a fault, ${duplicates} deliveries came again and ${ends.beganAgain} attempts were repeated`,
  ];
}
