import { Flags } from "@oclif/core";
import { type App, openReplays } from "../../app.ts";
import { BaseCommand } from "../../cli/base-command.ts";
import { confirmDanger, yesFlag } from "../../cli/confirmation.ts";
import { countLines } from "../../cli/dead-letter-counts.ts";
import { deadLetterFlags, readDeadLetterFilter, unknownIds } from "../../cli/dead-letter-filter.ts";
import { operatorOf } from "../../cli/operator.ts";
import { createProgress, storeIsAway } from "../../cli/progress.ts";
import { replayExitCode, replayTaskLines } from "../../cli/replay-report.ts";
import { tableLines } from "../../cli/table.ts";
import { carryReplay } from "../../domain/deadletters/carry-replay.ts";
import { type PlannedLetters, planLetters } from "../../domain/deadletters/plan.ts";
import {
  dealtWith,
  type HeldReplay,
  type ReplayCount,
  replayTaskResource,
} from "../../domain/deadletters/replay-task.ts";
import { startReplay } from "../../domain/deadletters/start-replay.ts";
import { PasswrightError } from "../../domain/errors.ts";

/** More than these are replayed only when somebody confirms it. */
const unasked = 100;

type Replays = Awaited<ReturnType<typeof openReplays>>;

export default class DeadletterReplay extends BaseCommand {
  static override summary = "Give dead letters another try, oldest first.";
  static override description =
    "Each goes back into the queue with its ids and a fresh count of attempts. What is to be replayed is written down as a task: when this command is interrupted, a worker goes on with it, or --resume does; `deadletter task` shows it and `deadletter cancel` ends it. More than 100 at once are asked about. Exits 3 when only some could be replayed, 1 when none could, and 4 when nothing matches.";
  static override usage =
    "deadletter replay [ID... | -] [--tenant ID | --all-tenants | --resume TASK] [FLAGS]";
  static override examples = [
    "<%= config.bin %> deadletter replay 07-1796000000000-0",
    "<%= config.bin %> deadletter replay --tenant 0199d1c5-8a4e-7c3b-9f00-5b1f6a2d7e10 --endpoint 0199d1c5-9b5f-7d4c-8a11-6c2a7b3e8f21 --dry-run",
    "<%= config.bin %> deadletter replay --all-tenants --reason provider_unavailable --since 2h --rate 50 --yes",
    "<%= config.bin %> deadletter replay --resume 0199d1c9-5e6f-7b8c-9a00-2d3e4f5a6b7c",
  ];
  static override strict = false;
  static override flags = {
    ...deadLetterFlags,
    "dry-run": Flags.boolean({ description: "only say what would be replayed" }),
    rate: Flags.integer({ description: "so many a second at most", min: 1, helpValue: "N" }),
    "beyond-limit": Flags.boolean({
      description: "also those that were replayed as often as PASSWRIGHT_DEADLETTER_REPLAY_LIMIT allows",
    }),
    resume: Flags.string({
      description: "go on with a task that was interrupted, or look on while somebody else does",
      helpValue: "TASK",
      exclusive: [...Object.keys(deadLetterFlags), "dry-run", "rate", "beyond-limit"],
    }),
    yes: yesFlag,
  };

  async run() {
    const { argv, flags } = await this.parse(DeadletterReplay);
    return this.withApp(flags, async (app) => {
      const replays = await openReplays(app);
      if (flags.resume !== undefined) {
        if (argv.length > 0) {
          throw new PasswrightError(
            "invalid_request",
            "--resume takes no dead letters: the task has its own.",
          );
        }
        return this.carry(app, replays, { id: flags.resume, unknown: 0 });
      }
      const filter = await readDeadLetterFilter(app, flags, argv);
      const replayLimit = flags["beyond-limit"] ? null : app.config.deadLetterReplayLimit;
      const plan = await planLetters(replays, filter, replayLimit);
      if (plan.matched === 0) throw new PasswrightError("not_found", "No dead letter matches.");
      const rate = flags.rate ?? null;
      if (flags["dry-run"]) return this.tell(plan, rate);
      if (plan.matched > unasked) {
        const consequences = [`This gives ${plan.matched} dead letters another try.`];
        await confirmDanger({ yes: flags.yes, consequences, word: String(plan.matched) });
      }
      const by = operatorOf(app.config);
      const held = await startReplay({ ...app, ...replays }, { plan, rate, replayLimit, by });
      const unknown = unknownIds(filter, plan.matched);
      return this.carry(app, replays, { id: held.task.id, held, unknown });
    });
  }

  private tell({ counts, sample, obstacles }: PlannedLetters, rate: number | null) {
    const seconds = rate === null ? null : Math.ceil((counts.total - 1) / rate);
    this.log(countLines(counts).join("\n"));
    const refused = Object.entries(obstacles);
    if (refused.length > 0)
      this.log(`\n${tableLines(["would stay because", "letters"], refused).join("\n")}`);
    this.log(`\nNothing has been done. The oldest: ${sample.join(" ")}`);
    if (seconds !== null) this.log(`At ${rate} a second it takes ${seconds} s or more.`);
    return { dry_run: true, ...counts, sample, obstacles, seconds };
  }

  /** Drives a task, or looks on, until it has ended or somebody presses Ctrl-C: then it is left to others. */
  private async carry(
    app: App,
    replays: Replays,
    { id, held, unknown }: { id: string; held?: HeldReplay; unknown: number },
  ) {
    const say = (line: string): unknown => process.stderr.write(`${line}\n`);
    const signal = this.stopSignal();
    const progress = createProgress("Replaying", held?.task.matched ?? null);
    let done = 0;
    const show = (count: ReplayCount, more: Parameters<typeof progress.at>[1]): void => {
      done = dealtWith(count);
      progress.at(done, more);
    };
    const whatGoesOn = `\`passwright deadletter task ${id}\` shows it, \`passwright deadletter cancel ${id}\` ends it.`;
    const goOn = `A worker goes on with the replay ${id}, and so does \`passwright deadletter replay --resume ${id}\`. ${whatGoesOn}`;
    if (held !== undefined) say(`Replay ${id}: ${held.task.matched} dead letters.`);
    try {
      const task = await carryReplay(replays, id, {
        ...(held !== undefined && { held }),
        signal,
        onProgress: (count) => show(count, { note: `${count.replayed} replayed` }),
        onLook: ({ heldBy, count, matched }) =>
          show(count, { total: matched, note: `driven by ${heldBy ?? "nobody at the moment"}` }),
        onAway: () => progress.at(done, { note: storeIsAway }),
      }).finally(progress.end);
      if (task.status === "running") say(goOn);
      process.exitCode = replayExitCode(task, unknown);
      const nowMs = app.clock.nowMs();
      this.log(replayTaskLines(task, nowMs).join("\n"));
      if (unknown > 0) say(`${unknown} of the ids are no dead letters, or do not match.`);
      if (this.jsonEnabled())
        for (const each of task.count.refused_ids) say(`${each.id} stays: ${each.reason}`);
      return { ...replayTaskResource(task, nowMs), unknown_ids: unknown };
    } catch (error) {
      if (held !== undefined) say(goOn);
      throw error;
    }
  }
}
