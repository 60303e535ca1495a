import { BaseCommand } from "../../cli/base-command.ts";
import { tableLines } from "../../cli/table.ts";
import { signingKeyResource } from "../../domain/signing-keys/resource.ts";

export default class KeysList extends BaseCommand {
  static override description = "List the keys that sign access tokens, and since when each is public.";
  static override examples = ["<%= config.bin %> keys list", "<%= config.bin %> keys list --json"];

  async run() {
    const { flags } = await this.parse(KeysList);
    return this.withApp(flags, async ({ signingKeys }) => {
      const resources = (await signingKeys.list()).map(signingKeyResource);
      const rows = resources.map((key) => [
        key.kid,
        key.state,
        key.published_at,
        key.safe_to_activate_at ?? "",
        key.removed_at ?? "",
      ]);
      const heads = ["kid", "state", "published", "safe to activate", "goes"];
      this.printList(
        rows,
        () => tableLines(heads, rows),
        "There is no signing key: the first `serve` makes some.",
      );
      return resources;
    });
  }
}
