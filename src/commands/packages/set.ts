import { Args } from "@oclif/core";
import { BaseCommand } from "../../cli/base-command.ts";
import { packageLines } from "../../cli/catalog-lines.ts";
import { readArgumentText } from "../../cli/read-file.ts";
import { parsePackages } from "../../domain/billing/parse.ts";
import { packageResource } from "../../domain/billing/resource.ts";

export default class PackagesSet extends BaseCommand {
  static override description =
    "Put packages of credits on sale: the whole list, from a JSON array of { id, name, credits, price: { amount, currency } }.";
  static override examples = [
    "<%= config.bin %> packages set packages.json",
    "<%= config.bin %> packages set - < packages.json",
  ];
  static override args = {
    file: Args.string({
      description: "JSON file, - for standard input; [] takes all off sale",
      required: true,
    }),
  };

  async run() {
    const { args, flags } = await this.parse(PackagesSet);
    const packages = parsePackages(readArgumentText("FILE", args.file));
    return this.withApp(flags, async (app) => {
      const act = {
        action: "packages.set",
        tenant_id: null,
        target: null,
        details: { packages: packages.map(({ id }) => id) },
      };
      await this.audited(app, act, () => app.catalog.setPackages(packages));
      this.log(packageLines(packages).join("\n"));
      return packages.map(packageResource);
    });
  }
}
