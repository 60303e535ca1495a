import { openDeadLetters } from "../../app.ts";
import { BaseCommand, exitCodes } from "../../cli/base-command.ts";
import { confirmDanger, yesFlag } from "../../cli/confirmation.ts";
import { deadLetterFlags, readDeadLetterFilter, unknownIds } from "../../cli/dead-letter-filter.ts";
import { operatorOf } from "../../cli/operator.ts";
import { createProgress } from "../../cli/progress.ts";
import { planLetters } from "../../domain/deadletters/plan.ts";
import { purgeDeadLetters } from "../../domain/deadletters/purge.ts";
import { PasswrightError } from "../../domain/errors.ts";

export default class DeadletterPurge extends BaseCommand {
  static override summary = "Forget dead letters for good.";
  static override description =
    "They cannot be replayed any more; what failed stays failed, and its records expire after 30 days. `deadletter export` keeps a copy. Exits 3 when some of the ids that were named are no dead letters, and 4 when nothing matches.";
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
      const plan = await planLetters({ deadLetters }, filter, null);
      const { matched: total } = plan;
      if (total === 0) throw new PasswrightError("not_found", "No dead letter matches.");
      await confirmDanger({
        yes: flags.yes,
        consequences: [`This forgets ${total} dead letters for good: they cannot be replayed any more.`],
        word: String(total),
      });
      const progress = createProgress("Purging", total);
      let gone = 0;
      this.whatIsLeft = () =>
        `${gone} of ${total} dead letters are gone; the same command goes on with the rest.`;
      const result = await purgeDeadLetters(
        { ...app, deadLetters, unrecorded: this.unrecorded },
        { plan, by: operatorOf(app.config) },
        (purged) => {
          gone = purged;
          progress.at(purged);
        },
      ).finally(progress.end);
      const unknown = unknownIds(filter, total);
      this.log(`${result.purged} dead letters are gone.`);
      if (unknown > 0) {
        process.stderr.write(`${unknown} of the ids are no dead letters, or do not match.\n`);
        process.exitCode = exitCodes.partly;
      }
      return { matched: total, ...result, unknown_ids: unknown };
    });
  }
}
