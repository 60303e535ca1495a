import { setTimeout as pause } from "node:timers/promises";
import { Flags } from "@oclif/core";
import { openDeadLetters } from "../../app.ts";
import { BaseCommand, exitCodes } from "../../cli/base-command.ts";
import { confirmDanger, yesFlag } from "../../cli/confirmation.ts";
import { countLines } from "../../cli/dead-letter-counts.ts";
import { deadLetterFlags, readDeadLetterFilter } from "../../cli/dead-letter-filter.ts";
import { createProgress } from "../../cli/progress.ts";
import { factLines } from "../../cli/table.ts";
import { countDeadLetters } from "../../domain/deadletters/count.ts";
import { type Replay, replayDeadLetters } from "../../domain/deadletters/replay.ts";
import { type DeadLetterFilter, type Selection, selectDeadLetters } from "../../domain/deadletters/select.ts";
import { PasswrightError } from "../../domain/errors.ts";

/** More than these are replayed only when somebody confirms it. */
const unasked = 100;

/** Ids that a dry run names. */
const sampleSize = 10;

export default class DeadletterReplay extends BaseCommand {
  static override summary = "Give dead letters another try, oldest first.";
  static override description =
    "Each goes back into the queue with its ids and a fresh count of attempts. More than 100 at once are asked about. Given again, the command goes on where it was interrupted. Exits 3 when only some could be replayed, and 4 when nothing matches.";
  static override usage = "deadletter replay [ID... | -] [--tenant ID | --all-tenants] [FLAGS]";
  static override examples = [
    "<%= config.bin %> deadletter replay 07-1796000000000-0",
    "<%= config.bin %> deadletter replay --tenant 0199d1c5-8a4e-7c3b-9f00-5b1f6a2d7e10 --endpoint 0199d1c5-9b5f-7d4c-8a11-6c2a7b3e8f21 --dry-run",
    "<%= config.bin %> deadletter replay --all-tenants --reason provider_unavailable --since 2h --rate 50 --yes",
  ];
  static override strict = false;
  static override flags = {
    ...deadLetterFlags,
    "dry-run": Flags.boolean({ description: "only say what would be replayed" }),
    rate: Flags.integer({ description: "so many a second at most", min: 1, helpValue: "N" }),
    yes: yesFlag,
  };

  async run() {
    const { argv, flags } = await this.parse(DeadletterReplay);
    return this.withApp(flags, async (app) => {
      const deadLetters = await openDeadLetters(app);
      const filter = await readDeadLetterFilter(app, flags, argv);
      const selection = await selectDeadLetters({ deadLetters }, filter);
      const counts = await countDeadLetters(selection);
      const { total } = counts;
      if (total === 0) throw new PasswrightError("not_found", "No dead letter matches.");
      const rate = flags.rate ?? null;
      if (flags["dry-run"]) {
        const sample = await firstOf(selection, sampleSize);
        const seconds = rate === null ? null : Math.ceil((total - 1) / rate);
        this.log(countLines(counts).join("\n"));
        this.log(`\nNothing has been done. The oldest: ${sample.join(" ")}`);
        if (seconds !== null) this.log(`At ${rate} a second it takes ${seconds} s or more.`);
        return { dry_run: true, ...counts, sample, seconds };
      }
      if (total > unasked) {
        const consequences = [`This gives ${total} dead letters another try.`];
        await confirmDanger({ yes: flags.yes, consequences, word: String(total) });
      }
      const progress = createProgress(100);
      const replay = await replayDeadLetters({ deadLetters, clock: app.clock, pause }, selection, {
        rate,
        onProgress: (soFar) => progress.step(() => `${soFar.replayed} of ${total} replayed`),
      });
      const unknown = unknownIds(filter, total);
      process.exitCode = exitCodeOf(replay, unknown);
      this.log(factLines(factsOf(replay, unknown)).join("\n"));
      for (const { id, reason } of replay.refused_ids) process.stderr.write(`${id} stays: ${reason}\n`);
      return { matched: total, ...replay, unknown_ids: unknown };
    });
  }
}

async function firstOf(selection: Selection, count: number): Promise<string[]> {
  const ids: string[] = [];
  for await (const letter of selection.letters()) {
    ids.push(letter.id);
    if (ids.length === count) break;
  }
  return ids;
}

/** Of the ids that were named, how many are no dead letter (any more), or do not match. */
function unknownIds({ ids, limit }: DeadLetterFilter, total: number): number {
  return ids === null ? 0 : Math.max(0, Math.min(new Set(ids).size, limit) - total);
}

function factsOf({ replayed, overtaken, already_gone: gone, refused }: Replay, unknown: number) {
  return {
    replayed,
    ...(overtaken > 0 && { overtaken }),
    ...(gone > 0 && { "dealt with by others": gone }),
    ...refused,
    ...(unknown > 0 && { "unknown ids": unknown }),
  };
}

function exitCodeOf(replay: Replay, unknown: number): number {
  const settled = replay.replayed + replay.overtaken;
  const isRefused = Object.keys(replay.refused).length > 0;
  if (isRefused || unknown > 0) return settled > 0 ? exitCodes.partly : exitCodes.failed;
  // Others were faster with every one of them: nothing was left that matched.
  return settled > 0 ? exitCodes.done : exitCodes.nothing;
}
