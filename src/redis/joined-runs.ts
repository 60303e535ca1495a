import { asUnavailable } from "./connection.ts";
import { doTogether } from "./do-together.ts";
import type { RunScript, ScriptArgument, ScriptName } from "./script.ts";

export type JoinedReply = [isDone: 0 | 1, reply: unknown];

type Run = { keys: readonly string[]; args: readonly ScriptArgument[] };
type RunJoined = (
  name: ScriptName,
  keys: readonly string[],
  args: readonly ScriptArgument[],
) => Promise<unknown>;

/** So many runs are a millisecond or two of Redis's time, which nobody else gets meanwhile. */
const mostRuns = 64;

/**
 * Joins the runs of a script that are begun in one turn of the event loop into one command. A command has its price on both sides,
 * whatever it does. `bySlot`: those of each slot by themselves, as a cluster wants it.
 */
export function joinRuns(
  runOne: RunScript,
  runMany: (
    name: ScriptName,
    keys: readonly string[],
    args: readonly ScriptArgument[],
  ) => Promise<JoinedReply[]>,
  { bySlot }: { bySlot: boolean },
): RunJoined {
  async function runAll(name: ScriptName, runs: readonly Run[]): Promise<PromiseSettledResult<unknown>[]> {
    const [first] = runs;
    if (runs.length === 1 && first !== undefined) {
      return [{ status: "fulfilled", value: await runOne(name, first.keys, first.args) }];
    }
    const keys = runs.flatMap((run) => run.keys);
    const args = runs.flatMap((run) => [run.keys.length, run.args.length, ...run.args]);
    const replies = await runMany(name, keys, [runs.length, ...args]);
    return replies.map(([isDone, reply]) =>
      isDone === 1
        ? { status: "fulfilled", value: reply }
        : { status: "rejected", reason: asUnavailable(new Error(String(reply))) },
    );
  }

  const places = new Map<string, (run: Run) => Promise<PromiseSettledResult<unknown>>>();
  return async (name, keys, args) => {
    const place = bySlot ? `${name} ${slotOf(keys[0] ?? "")}` : name;
    let join = places.get(place);
    if (join === undefined) {
      join = doTogether((runs) => runAll(name, runs), { most: mostRuns });
      places.set(place, join);
    }
    const outcome = await join({ keys, args });
    if (outcome.status === "rejected") throw outcome.reason;
    return outcome.value;
  };
}

/** What decides on the slot of a key (Redis Cluster specification, «hash tags»). */
function slotOf(key: string): string {
  const start = key.indexOf("{");
  return start < 0 ? key : key.slice(start, key.indexOf("}", start));
}
