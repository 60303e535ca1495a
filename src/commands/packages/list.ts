import { BaseCommand } from "../../cli/base-command.ts";
import { packageLines } from "../../cli/catalog-lines.ts";
import { packageResource } from "../../domain/billing/resource.ts";

export default class PackagesList extends BaseCommand {
  static override description = "List the packages of credits on sale, in the order of their file.";
  static override examples = [
    "<%= config.bin %> packages list",
    "<%= config.bin %> packages list --json > packages.json",
  ];

  async run() {
    const { flags } = await this.parse(PackagesList);
    return this.withApp(flags, async ({ catalog }) => {
      const packages = await catalog.packages();
      this.printList(packages, packageLines, "No package is on sale.");
      return packages.map(packageResource);
    });
  }
}
