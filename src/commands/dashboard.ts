import { Flags } from "@oclif/core";
import { openLooks } from "../app.ts";
import { BaseCommand } from "../cli/base-command.ts";
import { operatorOf } from "../cli/operator.ts";
import { parseDuration, wantsColor } from "../config.ts";
import { invalidRequest, PasswrightError } from "../domain/errors.ts";

/** Nobody reads faster. */
const shortestIntervalMs = 500;

export default class Dashboard extends BaseCommand {
  static override enableJsonFlag = false;
  static override summary = "Look at queue, workers, webhooks, dead letters and tenants as they are.";
  static override description =
    "On a terminal, until q. Only what is shown is read. Dead letters can be replayed and purged there, after a dry run and a confirmation, and that is written to the audit log as that of the commands. ? shows the keys.";
  static override examples = [
    "<%= config.bin %> dashboard",
    "<%= config.bin %> dashboard --read-only --interval 5s",
  ];
  static override flags = {
    "read-only": Flags.boolean({ description: "change nothing, whatever is pressed" }),
    interval: Flags.string({
      description: "how often what is shown is read again",
      default: "2s",
      helpValue: "DURATION",
    }),
  };

  async run() {
    const { flags } = await this.parse(Dashboard);
    const intervalMs = intervalOf(flags.interval);
    const { stdin, stdout } = process;
    if (!stdin.isTTY || !stdout.isTTY) {
      throw new PasswrightError(
        "invalid_request",
        "The dashboard needs a terminal. `passwright deadletter stats --all-tenants --json` and the metrics are for scripts.",
      );
    }
    await this.withApp(flags, async (app) => {
      const looks = await openLooks(app);
      // Only here, as no other command has use for them.
      const [{ createPages }, { createDeadLetterActs }, { runDashboard }] = await Promise.all([
        import("../tui/read-page.ts"),
        import("../tui/dead-letter-acts.ts"),
        import("../tui/run.ts"),
      ]);
      const nowMs = (): number => app.clock.nowMs();
      // It puts the terminal back first.
      this.stopsItself = true;
      await runDashboard({
        terminal: { stdin, stdout },
        read: createPages({ ...app, ...looks, leaseMs: app.config.jobLeaseMs, nowMs }),
        acts: createDeadLetterActs(
          { ...app, ...looks, unrecorded: this.unrecorded },
          { replayLimit: app.config.deadLetterReplayLimit, by: operatorOf(app.config) },
        ),
        nowMs,
        intervalMs,
        readOnly: flags["read-only"],
        colored: wantsColor(),
      });
    });
  }
}

function intervalOf(text: string): number {
  let intervalMs: number;
  try {
    intervalMs = parseDuration(text);
  } catch (error) {
    throw invalidRequest([{ path: "--interval", message: error instanceof Error ? error.message : "" }]);
  }
  if (intervalMs >= shortestIntervalMs) return intervalMs;
  throw invalidRequest([{ path: "--interval", message: `must be ${shortestIntervalMs}ms or more` }]);
}
