import { Args } from "@oclif/core";
import { openDeadLetters } from "../../app.ts";
import { BaseCommand } from "../../cli/base-command.ts";
import { factLines, tableLines } from "../../cli/table.ts";
import { deadLetterDetail } from "../../domain/deadletters/dead-letter.ts";
import { isDeadLetterId, noDeadLetterId } from "../../domain/deadletters/select.ts";
import { PasswrightError } from "../../domain/errors.ts";

export default class DeadletterShow extends BaseCommand {
  static override description =
    "Show all that is known of a dead letter: payload, attempts, errors, times and trace id.";
  static override examples = [
    "<%= config.bin %> deadletter show 07-1796000000000-0",
    "<%= config.bin %> deadletter show 07-1796000000000-0 --json",
  ];
  static override args = { id: Args.string({ description: "the dead letter's id", required: true }) };

  async run() {
    const { args, flags } = await this.parse(DeadletterShow);
    if (!isDeadLetterId(args.id)) throw noDeadLetterId(args.id);
    return this.withApp(flags, async (app) => {
      const deadLetters = await openDeadLetters(app);
      const letter = await deadLetters.find(args.id);
      if (letter === null) throw new PasswrightError("not_found", `There is no dead letter ${args.id}.`);
      const detail = deadLetterDetail(letter, await deadLetters.details(letter));
      const { payload, attempt_history: history, lanes, error, ...facts } = detail;
      const known = Object.entries(facts).filter(([, value]) => value !== null);
      this.log(factLines(Object.fromEntries(known) as Record<string, string | number>).join("\n"));
      if (error !== null) this.log(`\n${error.error}: ${error.error_description}`);
      if (history.length > 0) {
        const rows = history.map((attempt) => [
          attempt.number,
          attempt.at,
          attempt.status_code ?? "-",
          attempt.duration_ms,
          attempt.error ?? "",
        ]);
        this.log(`\n${tableLines(["attempt", "at", "status", "ms", "error"], rows).join("\n")}`);
      } else if (lanes.length > 0) {
        const rows = lanes.map(({ lane, state, attempts }) => [lane, state, attempts]);
        this.log(`\n${tableLines(["lane", "state", "attempts"], rows).join("\n")}`);
      }
      this.log(`\n${JSON.stringify(payload, null, 2)}`);
      return detail;
    });
  }
}
