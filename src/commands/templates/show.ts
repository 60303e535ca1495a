import { Args } from "@oclif/core";
import { BaseCommand } from "../../cli/base-command.ts";
import { ownerFlags, ownerOf } from "../../cli/owner-flags.ts";
import { tableLines } from "../../cli/table.ts";
import { templateLines } from "../../cli/template-report.ts";
import { reviewTemplate } from "../../domain/templates/review.ts";

export default class TemplatesShow extends BaseCommand {
  static override summary = "Show a template with its latest version, and the draft that waits.";
  static override description = "With --json both are there whole, with fields, colours, body and barcode.";
  static override examples = [
    "<%= config.bin %> templates show 0199d1c6-1f2a-7d4e-8a00-3c5b7e9f1a2b --tenant 0199d1c5-8a4e-7c3b-9f00-5b1f6a2d7e10",
    "<%= config.bin %> templates show 0199d1c6-1f2a-7d4e-8a00-3c5b7e9f1a2b --system --json",
  ];
  static override args = { id: Args.string({ description: "the template's id", required: true }) };
  static override flags = ownerFlags;

  async run() {
    const { args, flags } = await this.parse(TemplatesShow);
    return this.withApp(flags, async (app) => {
      const shown = await reviewTemplate(app, await ownerOf(app, flags), args.id);
      this.log(templateLines(shown).join("\n"));
      for (const version of [shown.version, shown.draft]) {
        if (version === null) continue;
        const rows = version.fields.map(({ key, label, kind, default: value, source }) => [
          key,
          label,
          kind,
          (source ?? value ?? "-").replaceAll("\n", " "),
        ]);
        const title = version === shown.draft ? "draft of version" : "version";
        this.log(`\n${title} ${version.version}, ${version.created_at}`);
        this.log(tableLines(["field", "label", "kind", "default or source"], rows).join("\n"));
      }
      return shown;
    });
  }
}
