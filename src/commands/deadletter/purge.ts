import { openDeadLetters } from "../../app.ts";
import { BaseCommand } from "../../cli/base-command.ts";
import { confirmDanger, yesFlag } from "../../cli/confirmation.ts";
import { deadLetterFlags, readDeadLetterFilter } from "../../cli/dead-letter-filter.ts";
import { createProgress } from "../../cli/progress.ts";
import { countDeadLetters } from "../../domain/deadletters/count.ts";
import { purgeDeadLetters } from "../../domain/deadletters/purge.ts";
import { selectDeadLetters } from "../../domain/deadletters/select.ts";
import { PasswrightError } from "../../domain/errors.ts";

export default class DeadletterPurge extends BaseCommand {
  static override summary = "Forget dead letters for good.";
  static override description =
    "They cannot be replayed any more; what failed stays failed, and its records expire after 30 days. `deadletter export` keeps a copy. Exits 4 when nothing matches.";
  static override usage = "deadletter purge [ID... | -] [--tenant ID | --all-tenants] [FLAGS]";
  static override examples = [
    "<%= config.bin %> deadletter purge 07-1796000000000-0",
    "<%= config.bin %> deadletter purge --all-tenants --reason webhook_deleted --until 30d --yes --json",
  ];
  static override strict = false;
  static override flags = { ...deadLetterFlags, yes: yesFlag };

  async run() {
    const { argv, flags } = await this.parse(DeadletterPurge);
    return this.withApp(flags, async (app) => {
      const deadLetters = await openDeadLetters(app);
      const filter = await readDeadLetterFilter(app, flags, argv);
      const selection = await selectDeadLetters({ deadLetters }, filter);
      const { total } = await countDeadLetters(selection);
      if (total === 0) throw new PasswrightError("not_found", "No dead letter matches.");
      await confirmDanger({
        yes: flags.yes,
        consequences: [`This forgets ${total} dead letters for good: they cannot be replayed any more.`],
        word: String(total),
      });
      const progress = createProgress(1000);
      const result = await purgeDeadLetters({ deadLetters }, selection, (purged) =>
        progress.step(() => `${purged} of ${total} purged`),
      );
      this.log(`${result.purged} dead letters are gone.`);
      return { matched: total, ...result };
    });
  }
}
