import { parseArgs } from "node:util";
import { faultKinds } from "./fault-plan.ts";
import { figures } from "./figures.ts";
import { plantNames, withPlants } from "./plants.ts";
import { type RoundReport, runRound } from "./round.ts";

const mostShown = 50;

const usage = `npm run chaos -- [--operations N] [--seed S] [--round N] [--faults KIND,… | --no-faults] [--every MS] [--lease MS] [--plant NAME,…]

  --operations  how many in all (20000)
  --seed        repeats operations and faults of an earlier run; processes keep their own time, so not its every turn
  --round       operations on one installation, of which there are as many as it takes, each with a seed of its own (20000)
  --faults      only these: ${faultKinds.join(", ")}
  --every       from one fault to the next, on average, ms (1000)
  --lease       how long a silent worker keeps its work, ms (2000)
  --plant       mistakes that must be found: ${plantNames.join(", ")}`;

/** Runs the suite as the arguments say; resolves with the exit code. */
export async function chaos(args: string[], given: { redisServer: string; tree: string }): Promise<number> {
  const wish = readArguments(args);
  if (typeof wish === "string") {
    console.error(`${wish}\n\n${usage}`);
    return 2;
  }
  const { operations, seed, round, plants, ...rest } = wish;
  const rounds: RoundReport[] = [];
  const wrong: number[] = [];
  const began = performance.now();
  const progress = (words: string) =>
    console.error(`${((performance.now() - began) / 1000).toFixed(1).padStart(7)} s  ${words}`);
  await withPlants(given.tree, plants, async (tree) => {
    for (let done = 0, number = 0; done < operations; done += round, number += 1) {
      const share = { operations: Math.min(round, operations - done), seed: seed + number };
      try {
        const report = await runRound({ ...rest, ...given, ...share, tree, progress, patienceMs: 30_000 });
        rounds.push(report);
        if (report.problems.length > 0) wrong.push(share.seed);
        printProblems(report);
        if (operations > round) console.log(`${figures([report]).join("\n")}\n`);
      } catch (error) {
        wrong.push(share.seed);
        console.log("WRONG  the round could not be carried out:", error);
      }
    }
  });
  if (rounds.length > 0) console.log(figures(rounds).join("\n"));
  if (wrong.length === 0) console.log("\nNothing accepted was lost.");
  const same = withoutSeed(args).join(" ");
  for (const its of wrong)
    console.log(
      `\nRepeat: npm run chaos -- ${same} --operations ${Math.min(round, operations)} --seed ${its}`,
    );
  return wrong.length === 0 ? 0 : 1;
}

function printProblems({ problems, folder }: RoundReport): void {
  for (const problem of problems.slice(0, mostShown)) console.log(`WRONG  ${problem}`);
  if (problems.length > mostShown) console.log(`WRONG  … and ${problems.length - mostShown} more`);
  if (folder !== null) console.log(`Logs and data are in ${folder}`);
}

/** What else a run was told. */
function withoutSeed(args: readonly string[]): string[] {
  const isOne = (text = ""): boolean => text === "--seed" || text === "--operations";
  return args.filter((text, i) => !isOne(text) && !isOne(args[i - 1]) && !/^--(seed|operations)=/.test(text));
}

function readArguments(args: string[]) {
  try {
    const { values } = parseArgs({
      args,
      options: {
        operations: { type: "string", default: "20000" },
        seed: { type: "string", default: String(Math.floor(Math.random() * 1_000_000)) },
        round: { type: "string", default: "20000" },
        faults: { type: "string", default: faultKinds.join(",") },
        "no-faults": { type: "boolean", default: false },
        every: { type: "string", default: "1000" },
        lease: { type: "string", default: "2000" },
        plant: { type: "string", default: "" },
      },
    });
    const number = (name: "operations" | "seed" | "round" | "every" | "lease"): number => {
      if (!/^\d{1,9}$/.test(values[name])) throw new Error(`--${name} must be a whole number`);
      return Number(values[name]);
    };
    const names = <Name extends string>(text: string, known: readonly Name[]): Name[] => {
      const given = text.split(",").filter((name) => name !== "");
      const unknown = given.find((name) => !(known as readonly string[]).includes(name));
      if (unknown !== undefined) throw new Error(`there is no ${unknown}; there are ${known.join(", ")}`);
      return given as Name[];
    };
    return {
      operations: number("operations"),
      seed: number("seed"),
      round: Math.max(number("round"), 1),
      everyMs: number("every"),
      leaseMs: number("lease"),
      faults: values["no-faults"] ? [] : names(values.faults, faultKinds),
      plants: names(values.plant, plantNames),
    };
  } catch (error) {
    return (error as Error).message;
  }
}
