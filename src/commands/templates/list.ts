import { BaseCommand } from "../../cli/base-command.ts";
import { ownerFlags, ownerOf } from "../../cli/owner-flags.ts";
import { tableLines } from "../../cli/table.ts";
import { wholeList } from "../../cli/tenant-flag.ts";
import { templateItem } from "../../domain/templates/resource.ts";

export default class TemplatesList extends BaseCommand {
  static override description = "List the templates that a tenant can use, or the system's.";
  static override examples = [
    "<%= config.bin %> templates list --tenant ID",
    "<%= config.bin %> templates list --system",
  ];
  static override flags = ownerFlags;

  async run() {
    const { flags } = await this.parse(TemplatesList);
    return this.withApp(flags, async (app) => {
      const owner = await ownerOf(app, flags);
      const { items } = await app.templates.list(owner, {}, wholeList);
      const rows = items.map((template) => [
        template.id,
        template.name,
        template.type,
        template.latestVersion,
        template.status,
        template.tenantId === null ? "system" : "own",
      ]);
      this.log(tableLines(["id", "name", "type", "version", "status", "owner"], rows).join("\n"));
      return items.map(templateItem);
    });
  }
}
