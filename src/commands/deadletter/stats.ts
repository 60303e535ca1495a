import { openDeadLetters } from "../../app.ts";
import { BaseCommand } from "../../cli/base-command.ts";
import { countLines } from "../../cli/dead-letter-counts.ts";
import { deadLetterFlags, readDeadLetterFilter } from "../../cli/dead-letter-filter.ts";
import { countDeadLetters } from "../../domain/deadletters/count.ts";

export default class DeadletterStats extends BaseCommand {
  static override description =
    "Count dead letters by kind and reason, and tell the oldest and the newest. Exits 4 when nothing matches.";
  static override usage = "deadletter stats [ID... | -] [--tenant ID | --all-tenants] [FLAGS]";
  static override examples = [
    "<%= config.bin %> deadletter stats --all-tenants",
    "<%= config.bin %> deadletter stats --tenant 0199d1c5-8a4e-7c3b-9f00-5b1f6a2d7e10 --since 7d --json",
  ];
  static override strict = false;
  static override flags = deadLetterFlags;

  async run() {
    const { argv, flags } = await this.parse(DeadletterStats);
    return this.withApp(flags, async (app) => {
      const deps = { deadLetters: await openDeadLetters(app) };
      const filter = await readDeadLetterFilter(app, flags, argv);
      const counts = await countDeadLetters(deps, filter);
      this.log(countLines(counts).join("\n"));
      if (counts.total === 0) this.nothingMatches("No dead letter matches.");
      return counts;
    });
  }
}
