import { Args, Flags } from "@oclif/core";
import { BaseCommand } from "../../cli/base-command.ts";
import { ownerFlags, ownerOf } from "../../cli/owner-flags.ts";
import { readTemplateDirectory } from "../../cli/template-directory.ts";
import { printNote, printWarning } from "../../cli/template-report.ts";
import type { Violation } from "../../domain/errors.ts";
import { draftTemplate, publishTemplate } from "../../domain/templates/publish.ts";
import { authoredDetail } from "../../domain/templates/resource.ts";

export default class TemplatesImport extends BaseCommand {
  static override summary =
    "Publish a template directory: as a new template, or as the next version of the one with the same name.";
  static override description =
    "The directory is checked whole, and every mistake is named. Warnings do not stop an import, and notes say which iOS a feature needs. An archived template becomes active again. With --draft nobody sees anything of it until «templates publish»; whatever is imported later takes a waiting draft's place.";
  static override examples = [
    "<%= config.bin %> templates import ./my-card --tenant 0199d1c5-8a4e-7c3b-9f00-5b1f6a2d7e10",
    "<%= config.bin %> templates import ./my-card --tenant 0199d1c5-8a4e-7c3b-9f00-5b1f6a2d7e10 --draft",
    "<%= config.bin %> templates import ./templates/system/coupon --system --json",
  ];
  static override args = {
    directory: Args.string({ description: "holds template.json and images/", required: true }),
  };
  static override flags = {
    ...ownerFlags,
    draft: Flags.boolean({ description: "let the version wait for «templates publish»" }),
  };

  async run() {
    const { args, flags } = await this.parse(TemplatesImport);
    const warnings: Violation[] = [];
    const notes: Violation[] = [];
    const parsed = readTemplateDirectory(
      args.directory,
      (warning) => {
        warnings.push(warning);
        printWarning(warning);
      },
      (note) => {
        notes.push(note);
        printNote(note);
      },
    );
    return this.withApp(flags, async (app) => {
      const owner = await ownerOf(app, flags);
      const act = {
        action: "templates.import",
        tenant_id: owner,
        target: null,
        details: { name: parsed.name, draft: flags.draft },
      };
      if (flags.draft) {
        const template = await this.audited(app, { ...act, told: (drafted) => ofTemplate(drafted) }, () =>
          draftTemplate(app, owner, parsed),
        );
        const version = template.latestVersion + 1;
        this.log(`«${template.name}», version ${version}, waits to be published: ${template.id}`);
        return { ...authoredDetail(template), warnings, notes };
      }
      const { template, droppedDraft } = await this.audited(
        app,
        { ...act, told: (published) => ofTemplate(published.template) },
        () => publishTemplate(app, owner, parsed),
      );
      this.log(`Published «${template.name}», version ${template.latestVersion}: ${template.id}`);
      if (droppedDraft) this.log("It has taken the place of the draft that waited.");
      return { ...authoredDetail({ ...template, draftedAtMs: null }), warnings, notes };
    });
  }
}

function ofTemplate({ id }: { id: string }) {
  return { target: { type: "template", id } };
}
