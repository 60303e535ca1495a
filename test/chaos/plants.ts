import { cpSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

type Plant = {
  /** Below dist. */
  file: string;
  replace: string;
  by: string;
};

/** Mistakes that the suite must find. Each is one change to a copy of what was built. */
export const plants = {
  // Gone from the queue, and from what is looked after, at the claim: if the worker dies, nobody comes back to it.
  "ack-before-work": {
    file: "redis/lua/claim-tasks.lua",
    replace: "  tasks[#tasks + 1] =",
    by: "  redis.call('XDEL', queue, lease)\n  redis.call('ZREM', ARGV[5] .. ':open', record)\n  tasks[#tasks + 1] =",
  },
  // What a batch reserved and did not use comes back twice.
  "credit-twice": {
    file: "redis/lua/parts/credits.lua",
    replace: "charge == 'balance' and amount or -amount",
    by: "charge == 'balance' and 2 * amount or -2 * amount",
  },
  // One event in sixteen leaves the outbox without a delivery.
  "event-dropped": {
    file: "redis/lua/fan-out-events.lua",
    replace: "    if body == '' then webhooks = {} end",
    by: "    if body == '' or string.sub(event, -1) == '7' then webhooks = {} end",
  },
} as const satisfies Record<string, Plant>;

export type PlantName = keyof typeof plants;
export const plantNames = Object.keys(plants) as PlantName[];

/** Lets something use a built tree, or a copy of it in which mistakes were planted; the copy is gone afterwards. */
export async function withPlants<Result>(
  tree: string,
  names: readonly PlantName[],
  use: (tree: string) => Promise<Result>,
): Promise<Result> {
  if (names.length === 0) return use(tree);
  const copy = mkdtempSync(join(tmpdir(), "passwright-planted-"));
  try {
    for (const part of ["bin", "dist", "templates", "package.json", "oclif.manifest.json"]) {
      cpSync(join(tree, part), join(copy, part), { recursive: true });
    }
    symlinkSync(join(tree, "node_modules"), join(copy, "node_modules"));
    for (const name of names) plantIn(copy, plants[name]);
    return await use(copy);
  } finally {
    rmSync(copy, { recursive: true, force: true });
  }
}

function plantIn(tree: string, { file, replace, by }: Plant): void {
  const path = join(tree, "dist", file);
  const text = readFileSync(path, "utf8");
  if (text.split(replace).length !== 2)
    throw new Error(`${file} has changed: «${replace}» is not in it once`);
  writeFileSync(
    path,
    text.replace(replace, () => by),
  );
}
