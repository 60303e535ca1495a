import { BaseCommand } from "../../cli/base-command.ts";
import { limitOf, listLimitFlags, pageOf, tellOfMore } from "../../cli/list-limit.ts";
import { ownerFlags, ownerOf } from "../../cli/owner-flags.ts";
import { tableLines } from "../../cli/table.ts";
import { authoredDetail } from "../../domain/templates/resource.ts";

export default class TemplatesList extends BaseCommand {
  static override summary = "List the templates that a tenant can use, or the system's.";
  static override description =
    "Newest first: the tenant's own and the system's, archived ones and drafts included.";
  static override examples = [
    "<%= config.bin %> templates list --tenant 0199d1c5-8a4e-7c3b-9f00-5b1f6a2d7e10",
    "<%= config.bin %> templates list --system --json",
  ];
  static override flags = { ...ownerFlags, ...listLimitFlags };

  async run() {
    const { flags } = await this.parse(TemplatesList);
    return this.withApp(flags, async (app) => {
      const owner = await ownerOf(app, flags);
      const owners = owner === null ? [null] : [owner, null];
      const limit = limitOf(flags);
      const lists = await Promise.all(owners.map((each) => app.templates.listOwn(each, pageOf(limit))));
      const templates = lists
        .flatMap(({ items }) => items)
        .sort((a, b) => b.createdAtMs - a.createdAtMs || (a.id < b.id ? 1 : -1))
        .slice(0, limit);
      const total = lists.reduce((sum, list) => sum + list.total, 0);
      const details = templates.map(authoredDetail);
      const rows = details.map((template) => [
        template.id,
        template.name,
        template.template_type,
        template.latest_version === 0 ? "-" : template.latest_version,
        template.draft?.version ?? "-",
        template.status,
        template.is_system_template ? "system" : "own",
      ]);
      const heads = ["id", "name", "type", "version", "draft", "status", "owner"];
      const least = ["draft", "owner", "version"];
      this.printList(rows, () => tableLines(heads, rows, { least }), "There is no template.");
      if (total > details.length) {
        tellOfMore(details.length, `${total} templates. --limit N or --all shows them.`);
      }
      return details;
    });
  }
}
