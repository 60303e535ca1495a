import { Args } from "@oclif/core";
import { BaseCommand } from "../../cli/base-command.ts";
import { ownerFlags, ownerOf } from "../../cli/owner-flags.ts";
import { archiveTemplate } from "../../domain/templates/archive.ts";
import { authoredDetail } from "../../domain/templates/resource.ts";

export default class TemplatesArchive extends BaseCommand {
  static override summary = "Archive a template: no more passes are made from it.";
  static override description =
    "It takes effect within 5 seconds in every process. The passes that there are stay, and can be updated and revoked. «templates publish», or another import, makes the template active again.";
  static override examples = [
    "<%= config.bin %> templates archive 0199d1c6-1f2a-7d4e-8a00-3c5b7e9f1a2b --tenant 0199d1c5-8a4e-7c3b-9f00-5b1f6a2d7e10",
    "<%= config.bin %> templates archive 0199d1c6-1f2a-7d4e-8a00-3c5b7e9f1a2b --system --json",
  ];
  static override args = { id: Args.string({ description: "the template's id", required: true }) };
  static override flags = ownerFlags;

  async run() {
    const { args, flags } = await this.parse(TemplatesArchive);
    return this.withApp(flags, async (app) => {
      const owner = await ownerOf(app, flags);
      const act = {
        action: "templates.archive",
        tenant_id: owner,
        target: { type: "template", id: args.id },
      };
      const { template, changed } = await this.audited(app, act, () => archiveTemplate(app, owner, args.id));
      this.log(`${changed ? "Archived" : "Archived already:"} «${template.name}»: ${template.id}`);
      return { ...authoredDetail(template), changed };
    });
  }
}
