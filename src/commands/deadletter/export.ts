import { openDeadLetters } from "../../app.ts";
import { BaseCommand } from "../../cli/base-command.ts";
import { afterFlag, deadLetterFlags, readDeadLetterFilter } from "../../cli/dead-letter-filter.ts";
import { createProgress } from "../../cli/progress.ts";
import { writeJsonArray, writeOut } from "../../cli/streamed-output.ts";
import { type DeadLetterStore, deadLetterDetail } from "../../domain/deadletters/dead-letter.ts";
import { type Selection, selectDeadLetters } from "../../domain/deadletters/select.ts";

export default class DeadletterExport extends BaseCommand {
  static override description =
    "Write dead letters to standard output, one JSON object a line, each with all that `show` tells; with --json as one array.";
  static override usage = "deadletter export [ID... | -] [--tenant ID | --all-tenants] [FLAGS]";
  static override examples = [
    "<%= config.bin %> deadletter export --all-tenants > dead.ndjson",
    "<%= config.bin %> deadletter export --tenant 0199d1c5-8a4e-7c3b-9f00-5b1f6a2d7e10 --until 7d",
  ];
  static override strict = false;
  static override flags = { ...deadLetterFlags, after: afterFlag };

  async run() {
    const { argv, flags } = await this.parse(DeadletterExport);
    await this.withApp(flags, async (app) => {
      const deadLetters = await openDeadLetters(app);
      const filter = await readDeadLetterFilter(app, flags, argv);
      // Where the letters themselves are shown, they show how far it is.
      const progress = process.stdout.isTTY ? null : createProgress("Exporting");
      let written = 0;
      this.whatIsLeft = () => `${written} dead letters are written; --after goes on behind the last.`;
      const all = details(deadLetters, await selectDeadLetters({ deadLetters }, filter), () => {
        written += 1;
        progress?.at(written);
      });
      const writing = this.jsonEnabled() ? writeJsonArray(all) : writeLines(all);
      const count = await writing.finally(() => progress?.end());
      if (count === 0) this.nothingMatches("No dead letter matches.");
    });
  }
}

async function* details(store: DeadLetterStore, selection: Selection, onEach: () => void) {
  for await (const letter of selection.letters()) {
    yield deadLetterDetail(letter, await store.details(letter));
    onEach();
  }
}

async function writeLines(items: AsyncIterable<unknown>): Promise<number> {
  let count = 0;
  for await (const item of items) {
    count += 1;
    if (!(await writeOut(`${JSON.stringify(item)}\n`))) break;
  }
  return count;
}
