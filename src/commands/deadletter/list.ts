import { openDeadLetters } from "../../app.ts";
import { BaseCommand } from "../../cli/base-command.ts";
import { afterFlag, deadLetterFlags, readDeadLetterFilter } from "../../cli/dead-letter-filter.ts";
import { firstOf, limitOf, listLimitFlags, tellOfMore } from "../../cli/list-limit.ts";
import { writeJsonArray, writeOut } from "../../cli/streamed-output.ts";
import { createTable } from "../../cli/table.ts";
import { type DeadLetter, deadLetterResource } from "../../domain/deadletters/dead-letter.ts";
import { selectDeadLetters } from "../../domain/deadletters/select.ts";

const heads = ["id", "dead at", "kind", "tenant", "about", "endpoint", "attempts", "replays", "reason"];
const least = ["endpoint", "tenant", "replays", "attempts", "dead at"];

/** Rows whose columns are laid out together. */
const rowsAtOnce = 100;

export default class DeadletterList extends BaseCommand {
  static override summary = "List dead letters, oldest first.";
  static override description =
    "Work and webhook deliveries that were given up. The first 100, if nothing else is asked for; all of those whose ids are given. `-` among the ids stands for those on standard input. Exits 4 when nothing matches.";
  static override usage = "deadletter list [ID... | -] [--tenant ID | --all-tenants] [FLAGS]";
  static override examples = [
    "<%= config.bin %> deadletter list --all-tenants",
    "<%= config.bin %> deadletter list --tenant 0199d1c5-8a4e-7c3b-9f00-5b1f6a2d7e10 --kind webhook --since 2h --json",
    "<%= config.bin %> deadletter list --all-tenants --reason http_503 --until 2026-11-30T12:00:00Z --limit 20",
    "<%= config.bin %> deadletter list --all-tenants --limit 100 --after 07-1796000000000-0",
  ];
  static override strict = false;
  static override flags = { ...deadLetterFlags, ...listLimitFlags, after: afterFlag };

  async run() {
    const { argv, flags } = await this.parse(DeadletterList);
    await this.withApp(flags, async (app) => {
      const deps = { deadLetters: await openDeadLetters(app) };
      const filter = await readDeadLetterFilter(app, { ...flags, limit: undefined }, argv);
      // Who names some wants those.
      const isNamed = filter.ids !== null && flags.limit === undefined;
      const limit = isNamed ? Number.POSITIVE_INFINITY : limitOf(flags);
      // One more than is shown tells whether the list goes on.
      const selection = await selectDeadLetters(deps, { ...filter, limit: limit + 1 });
      const shown = firstOf(selection.letters(), limit);
      let last = "";
      const letters = noting(shown.items, ({ id }) => {
        last = id;
      });
      const count = this.jsonEnabled() ? await writeJsonArray(resources(letters)) : await writeTable(letters);
      if (shown.hasMore()) tellOfMore(count, `--after ${last} goes on, --all shows all.`);
      if (count === 0) this.nothingMatches("No dead letter matches.");
    });
  }
}

async function* noting<Item>(items: AsyncIterable<Item>, note: (item: Item) => void) {
  for await (const item of items) {
    note(item);
    yield item;
  }
}

async function* resources(letters: AsyncIterable<DeadLetter>) {
  for await (const letter of letters) yield deadLetterResource(letter);
}

async function writeTable(letters: AsyncIterable<DeadLetter>): Promise<number> {
  const table = createTable(heads, { least });
  let count = 0;
  let rows: string[][] = [];
  const flush = async (): Promise<boolean> => {
    const lines = table.lines(rows);
    rows = [];
    return writeOut(`${lines.join("\n")}\n`);
  };
  for await (const letter of letters) {
    count += 1;
    rows.push(rowOf(letter));
    if (rows.length === rowsAtOnce && !(await flush())) return count;
  }
  if (rows.length > 0) await flush();
  return count;
}

function rowOf(letter: DeadLetter): string[] {
  const { facts } = letter;
  return [
    letter.id,
    new Date(letter.deadAtMs).toISOString(),
    letter.kind,
    letter.tenantId,
    facts?.eventType ?? (facts?.jobType ? `${facts.jobType} (${letter.lane})` : "-"),
    facts?.endpoint ?? "-",
    String(facts?.attempts ?? "-"),
    String(facts?.replays ?? "-"),
    reasonOf(letter),
  ];
}

/** With what a replay would be refused for, where that is known. */
function reasonOf({ facts, reason }: DeadLetter): string {
  if (facts === null) return `${reason} (record gone)`;
  const { obstacle } = facts;
  return obstacle === null || obstacle === reason ? reason : `${reason} (${obstacle})`;
}
