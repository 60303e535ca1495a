import { Args } from "@oclif/core";
import { BaseCommand } from "../../cli/base-command.ts";
import { planLines } from "../../cli/catalog-lines.ts";
import { readArgumentText } from "../../cli/read-file.ts";
import { parsePlans } from "../../domain/billing/parse.ts";
import { planResource } from "../../domain/billing/resource.ts";

export default class PlansSet extends BaseCommand {
  static override description =
    "Put plans on sale: the whole list, from a JSON array of { id, name, monthly_passes, interval: month|year, price: { amount, currency } }.";
  static override examples = [
    "<%= config.bin %> plans set plans.json",
    "<%= config.bin %> plans set - < plans.json",
  ];
  static override args = {
    file: Args.string({
      description: "JSON file, - for standard input; [] takes all off sale",
      required: true,
    }),
  };

  async run() {
    const { args, flags } = await this.parse(PlansSet);
    const plans = parsePlans(readArgumentText("FILE", args.file));
    return this.withApp(flags, async (app) => {
      const act = {
        action: "plans.set",
        tenant_id: null,
        target: null,
        details: { plans: plans.map(({ id }) => id) },
      };
      await this.audited(app, act, () => app.catalog.setPlans(plans));
      this.log(planLines(plans).join("\n"));
      return plans.map(planResource);
    });
  }
}
