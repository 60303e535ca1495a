import { Flags } from "@oclif/core";
import { BaseCommand } from "../../cli/base-command.ts";
import { instantOf } from "../../cli/dead-letter-filter.ts";
import { defaultLimit, firstOf, tellOfMore } from "../../cli/list-limit.ts";
import { writeJsonArray } from "../../cli/streamed-output.ts";
import { tableLines } from "../../cli/table.ts";
import type { RecordedEntry } from "../../domain/audit/entry.ts";
import { listAudit } from "../../domain/audit/list.ts";

export default class AuditList extends BaseCommand {
  static override summary = "List what operators did by commands, newest first.";
  static override description =
    "Who did what, when, on what, and with which result. The log only grows; nothing changes or removes an entry. Exits 4 when nothing matches.";
  static override examples = [
    "<%= config.bin %> audit list",
    "<%= config.bin %> audit list --tenant 0199d1c5-8a4e-7c3b-9f00-5b1f6a2d7e10 --since 7d --json",
    "<%= config.bin %> audit list --action deadletter --limit 20",
  ];
  static override flags = {
    tenant: Flags.string({ description: "only what was about this tenant", helpValue: "ID" }),
    action: Flags.string({
      description: "only this command, such as deadletter.purge, or all of a topic, such as deadletter",
      helpValue: "WORDS",
    }),
    since: Flags.string({
      description: "only from then on: RFC 3339, or so long ago (2h, 7d)",
      helpValue: "TIME",
    }),
    until: Flags.string({ description: "only up to then: RFC 3339, or so long ago", helpValue: "TIME" }),
    limit: Flags.integer({
      description: "so many at most, the newest",
      min: 1,
      default: defaultLimit,
      helpValue: "N",
    }),
  };

  async run() {
    const { flags } = await this.parse(AuditList);
    await this.withApp(flags, async (app) => {
      const nowMs = app.clock.nowMs();
      const found = listAudit(app, {
        tenantId: flags.tenant ?? null,
        action: flags.action ?? null,
        sinceMs: flags.since === undefined ? 0 : instantOf("--since", flags.since, nowMs),
        untilMs:
          flags.until === undefined ? Number.MAX_SAFE_INTEGER : instantOf("--until", flags.until, nowMs),
        limit: flags.limit + 1,
      });
      const shown = firstOf(found, flags.limit);
      const count = this.jsonEnabled()
        ? await writeJsonArray(shown.items)
        : await this.writeTable(shown.items);
      if (shown.hasMore()) tellOfMore(count, "--limit N shows them.");
      if (count === 0) this.nothingMatches("No entry matches.");
    });
  }

  private async writeTable(entries: AsyncIterable<RecordedEntry>): Promise<number> {
    const rows: string[][] = [];
    for await (const { at, who, action, tenant_id: tenantId, target, result } of entries) {
      rows.push([
        at,
        who,
        action,
        result,
        tenantId ?? "-",
        target === null ? "-" : `${target.type} ${target.id}`,
      ]);
    }
    if (rows.length > 0) {
      const heads = ["at", "who", "action", "result", "tenant", "on"];
      this.log(tableLines(heads, rows, { least: ["tenant"] }).join("\n"));
    }
    return rows.length;
  }
}
