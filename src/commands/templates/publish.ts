import { Args } from "@oclif/core";
import { BaseCommand } from "../../cli/base-command.ts";
import { ownerFlags, ownerOf } from "../../cli/owner-flags.ts";
import { publishDraft } from "../../domain/templates/publish-draft.ts";
import { authoredDetail } from "../../domain/templates/resource.ts";

export default class TemplatesPublish extends BaseCommand {
  static override summary = "Publish the version that waits since «templates import --draft».";
  static override description =
    "New passes are made with it within 5 seconds in every process; those that there are take it with their next update. An archived template becomes active again, also without a draft, then in the version that it has.";
  static override examples = [
    "<%= config.bin %> templates publish 0199d1c6-1f2a-7d4e-8a00-3c5b7e9f1a2b --tenant 0199d1c5-8a4e-7c3b-9f00-5b1f6a2d7e10",
    "<%= config.bin %> templates publish 0199d1c6-1f2a-7d4e-8a00-3c5b7e9f1a2b --system --json",
  ];
  static override args = { id: Args.string({ description: "the template's id", required: true }) };
  static override flags = ownerFlags;

  async run() {
    const { args, flags } = await this.parse(TemplatesPublish);
    return this.withApp(flags, async (app) => {
      const owner = await ownerOf(app, flags);
      const act = {
        action: "templates.publish",
        tenant_id: owner,
        target: { type: "template", id: args.id },
      };
      const { template, change } = await this.audited(app, act, () => publishDraft(app, owner, args.id));
      const verb = change === "published" ? "Published" : "Active again:";
      this.log(`${verb} «${template.name}», version ${template.latestVersion}: ${template.id}`);
      return { ...authoredDetail({ ...template, draftedAtMs: null }), change };
    });
  }
}
