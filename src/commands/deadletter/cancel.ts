import { Args } from "@oclif/core";
import { openReplays } from "../../app.ts";
import { BaseCommand } from "../../cli/base-command.ts";
import { operatorOf } from "../../cli/operator.ts";
import { replayTaskLines } from "../../cli/replay-report.ts";
import { cancelReplay } from "../../domain/deadletters/cancel-replay.ts";
import { replayTaskResource } from "../../domain/deadletters/replay-task.ts";

export default class DeadletterCancel extends BaseCommand {
  static override summary = "End a replay of dead letters where it is.";
  static override description =
    "At once, whichever process drives it. What was replayed stays so, the rest stays dead letters. Refused (1) when the task has ended already.";
  static override examples = [
    "<%= config.bin %> deadletter cancel 0199d1c9-5e6f-7b8c-9a00-2d3e4f5a6b7c",
    "<%= config.bin %> deadletter cancel 0199d1c9-5e6f-7b8c-9a00-2d3e4f5a6b7c --json",
  ];
  static override args = { id: Args.string({ description: "the task's id", required: true }) };

  async run() {
    const { args, flags } = await this.parse(DeadletterCancel);
    return this.withApp(flags, async (app) => {
      const replays = await openReplays(app);
      const by = operatorOf(app.config);
      const task = await cancelReplay(replays, { id: args.id, by, signal: AbortSignal.timeout(30_000) });
      const nowMs = app.clock.nowMs();
      this.log(replayTaskLines(task, nowMs).join("\n"));
      return replayTaskResource(task, nowMs);
    });
  }
}
