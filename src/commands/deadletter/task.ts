import { Args } from "@oclif/core";
import { openReplays } from "../../app.ts";
import { BaseCommand } from "../../cli/base-command.ts";
import { replayTaskLines } from "../../cli/replay-report.ts";
import { noSuchReplay, replayTaskResource } from "../../domain/deadletters/replay-task.ts";

export default class DeadletterTask extends BaseCommand {
  static override description =
    "Show a replay of dead letters: what it was asked to do, how far it is, how fast it goes and how long it still takes.";
  static override examples = [
    "<%= config.bin %> deadletter task 0199d1c9-5e6f-7b8c-9a00-2d3e4f5a6b7c",
    "<%= config.bin %> deadletter task 0199d1c9-5e6f-7b8c-9a00-2d3e4f5a6b7c --json",
  ];
  static override args = { id: Args.string({ description: "the task's id", required: true }) };

  async run() {
    const { args, flags } = await this.parse(DeadletterTask);
    return this.withApp(flags, async (app) => {
      const { replayTasks } = await openReplays(app);
      const task = await replayTasks.find(args.id);
      if (task === null) throw noSuchReplay(args.id);
      const nowMs = app.clock.nowMs();
      this.log(replayTaskLines(task, nowMs).join("\n"));
      return replayTaskResource(task, nowMs);
    });
  }
}
