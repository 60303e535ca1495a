import { Args } from "@oclif/core";
import { BaseCommand } from "../../cli/base-command.ts";
import { ownerFlags, ownerOf } from "../../cli/owner-flags.ts";
import { readTemplateDirectory } from "../../cli/template-directory.ts";
import { publishTemplate } from "../../domain/templates/publish.ts";
import { templateDetail } from "../../domain/templates/resource.ts";

export default class TemplatesImport extends BaseCommand {
  static override description =
    "Publish a template directory: as a new template, or as the next version of the one with the same name.";
  static override examples = ["<%= config.bin %> templates import ./my-card --tenant ID"];
  static override args = {
    directory: Args.string({ description: "holds template.json and images/", required: true }),
  };
  static override flags = ownerFlags;

  async run() {
    const { args, flags } = await this.parse(TemplatesImport);
    const parsed = readTemplateDirectory(args.directory);
    return this.withApp(flags, async (app) => {
      const template = await publishTemplate(app, await ownerOf(app, flags), parsed);
      this.log(`Published «${template.name}», version ${template.latestVersion}: ${template.id}`);
      return templateDetail(template);
    });
  }
}
