import { BaseCommand } from "../cli/base-command.ts";
import { tableLines } from "../cli/table.ts";
import { settingsInForce } from "../config.ts";

export default class Config extends BaseCommand {
  static override description = "Print the configuration in force; secrets are masked.";
  static override examples = ["<%= config.bin %> config", "<%= config.bin %> config --json"];

  async run() {
    await this.parse(Config);
    const rows = settingsInForce();
    this.log(
      tableLines(
        ["variable", "value", "from"],
        rows.map((row) => [row.variable, row.value, row.source]),
      ).join("\n"),
    );
    return rows;
  }
}
