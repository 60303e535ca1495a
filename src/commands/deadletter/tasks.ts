import { Flags } from "@oclif/core";
import { openReplays } from "../../app.ts";
import { BaseCommand } from "../../cli/base-command.ts";
import { replayTaskTable } from "../../cli/replay-report.ts";
import { replayTaskResource } from "../../domain/deadletters/replay-task.ts";

export default class DeadletterTasks extends BaseCommand {
  static override summary = "List replays of dead letters, newest first.";
  static override description =
    "Those that run, and those that ended in the last 30 days. An interrupted one is driven by nobody at the moment: a worker takes it within seconds. Exits 4 when there is none.";
  static override examples = [
    "<%= config.bin %> deadletter tasks",
    "<%= config.bin %> deadletter tasks --limit 5 --json",
  ];
  static override flags = {
    limit: Flags.integer({ description: "so many at most", min: 1, default: 100, helpValue: "N" }),
  };

  async run() {
    const { flags } = await this.parse(DeadletterTasks);
    return this.withApp(flags, async (app) => {
      const { replayTasks } = await openReplays(app);
      const tasks = await replayTasks.list(flags.limit);
      const nowMs = app.clock.nowMs();
      this.printList(tasks, () => replayTaskTable(tasks, nowMs), "There is no replay.");
      return tasks.map((task) => replayTaskResource(task, nowMs));
    });
  }
}
