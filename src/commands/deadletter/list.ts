import { openDeadLetters } from "../../app.ts";
import { BaseCommand } from "../../cli/base-command.ts";
import { afterFlag, deadLetterFlags, readDeadLetterFilter } from "../../cli/dead-letter-filter.ts";
import { writeJsonArray, writeOut } from "../../cli/streamed-output.ts";
import { createTable } from "../../cli/table.ts";
import { type DeadLetter, deadLetterResource } from "../../domain/deadletters/dead-letter.ts";
import { type Selection, selectDeadLetters } from "../../domain/deadletters/select.ts";

const heads = ["id", "dead at", "kind", "tenant", "about", "endpoint", "attempts", "replays", "reason"];
const least = ["endpoint", "tenant", "replays", "attempts", "dead at"];

/** Rows whose columns are laid out together. */
const rowsAtOnce = 100;

export default class DeadletterList extends BaseCommand {
  static override summary = "List dead letters, oldest first.";
  static override description =
    "Work and webhook deliveries that were given up. `-` among the ids stands for those on standard input. Exits 4 when nothing matches.";
  static override usage = "deadletter list [ID... | -] [--tenant ID | --all-tenants] [FLAGS]";
  static override examples = [
    "<%= config.bin %> deadletter list --all-tenants",
    "<%= config.bin %> deadletter list --tenant 0199d1c5-8a4e-7c3b-9f00-5b1f6a2d7e10 --kind webhook --since 2h --json",
    "<%= config.bin %> deadletter list --all-tenants --reason http_503 --until 2026-11-30T12:00:00Z --limit 20",
    "<%= config.bin %> deadletter list --all-tenants --limit 100 --after 07-1796000000000-0",
  ];
  static override strict = false;
  static override flags = { ...deadLetterFlags, after: afterFlag };

  async run() {
    const { argv, flags } = await this.parse(DeadletterList);
    await this.withApp(flags, async (app) => {
      const deps = { deadLetters: await openDeadLetters(app) };
      const selection = await selectDeadLetters(deps, await readDeadLetterFilter(app, flags, argv));
      const count = this.jsonEnabled()
        ? await writeJsonArray(resources(selection))
        : await writeTable(selection);
      if (count === 0) this.nothingMatches("No dead letter matches.");
    });
  }
}

async function* resources(selection: Selection) {
  for await (const letter of selection.letters()) yield deadLetterResource(letter);
}

async function writeTable(selection: Selection): Promise<number> {
  const table = createTable(heads, { least });
  let count = 0;
  let rows: string[][] = [];
  const flush = async (): Promise<boolean> => {
    const lines = table.lines(rows);
    rows = [];
    return writeOut(`${lines.join("\n")}\n`);
  };
  for await (const letter of selection.letters()) {
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
