import { Args } from "@oclif/core";
import { BaseCommand } from "../../cli/base-command.ts";
import { ownerFlags, ownerOf } from "../../cli/owner-flags.ts";
import { PasswrightError } from "../../domain/errors.ts";
import { latestVersion } from "../../domain/templates/find.ts";
import { templateDetail, templateSnapshot } from "../../domain/templates/resource.ts";

export default class TemplatesShow extends BaseCommand {
  static override description = "Show a template with its latest version.";
  static override examples = ["<%= config.bin %> templates show TEMPLATE --tenant ID"];
  static override args = { id: Args.string({ description: "the template's id", required: true }) };
  static override flags = ownerFlags;

  async run() {
    const { args, flags } = await this.parse(TemplatesShow);
    return this.withApp(flags, async (app) => {
      const owner = await ownerOf(app, flags);
      const template = await app.templates.find(owner, args.id);
      if (template === null) throw new PasswrightError("not_found", `There is no template ${args.id}.`);
      const snapshot = templateSnapshot(await latestVersion(app, template));
      const shown = { ...templateDetail(template), version: snapshot };
      this.log(JSON.stringify(shown, null, 2));
      return shown;
    });
  }
}
