import { BaseCommand } from "../../cli/base-command.ts";
import { planLines } from "../../cli/catalog-lines.ts";
import { planResource } from "../../domain/billing/resource.ts";

export default class PlansList extends BaseCommand {
  static override description = "List the plans on sale, in the order of their file.";
  static override examples = [
    "<%= config.bin %> plans list",
    "<%= config.bin %> plans list --json > plans.json",
  ];

  async run() {
    const { flags } = await this.parse(PlansList);
    return this.withApp(flags, async ({ catalog }) => {
      const plans = await catalog.plans();
      this.printList(plans, planLines, "No plan is on sale.");
      return plans.map(planResource);
    });
  }
}
