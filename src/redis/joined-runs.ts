import { asUnavailable } from "./connection.ts";
import type { RunScript, ScriptArgument, ScriptName } from "./scripts.ts";

export type JoinedReply = [isDone: 0 | 1, reply: unknown];

type Run = {
  keys: readonly string[];
  args: readonly ScriptArgument[];
  resolve(reply: unknown): void;
  reject(error: unknown): void;
};

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
): (name: ScriptName, keys: readonly string[], args: readonly ScriptArgument[]) => Promise<unknown> {
  const begun = new Map<string, { name: ScriptName; runs: Run[] }>();

  async function send(name: ScriptName, runs: readonly Run[]): Promise<void> {
    const [first] = runs;
    if (first === undefined) return;
    try {
      if (runs.length === 1) {
        first.resolve(await runOne(name, first.keys, first.args));
        return;
      }
      const keys = runs.flatMap((run) => run.keys);
      const args = runs.flatMap((run) => [run.keys.length, run.args.length, ...run.args]);
      const replies = await runMany(name, keys, [runs.length, ...args]);
      for (const [index, [isDone, reply]] of replies.entries()) {
        if (isDone === 1) runs[index]?.resolve(reply);
        else runs[index]?.reject(asUnavailable(new Error(String(reply))));
      }
    } catch (error) {
      for (const run of runs) run.reject(error);
    }
  }

  function sendAll(): void {
    for (const { name, runs } of begun.values()) {
      for (let i = 0; i < runs.length; i += mostRuns) send(name, runs.slice(i, i + mostRuns));
    }
    begun.clear();
  }

  return (name, keys, args) =>
    new Promise((resolve, reject) => {
      if (begun.size === 0) setImmediate(sendAll);
      const place = bySlot ? `${name} ${slotOf(keys[0] ?? "")}` : name;
      const run = { keys, args, resolve, reject };
      const same = begun.get(place);
      if (same === undefined) begun.set(place, { name, runs: [run] });
      else same.runs.push(run);
    });
}

/** What decides on the slot of a key (Redis Cluster specification, «hash tags»). */
function slotOf(key: string): string {
  const start = key.indexOf("{");
  return start < 0 ? key : key.slice(start, key.indexOf("}", start));
}
