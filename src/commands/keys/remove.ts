import { Args } from "@oclif/core";
import { BaseCommand } from "../../cli/base-command.ts";
import { removeKey } from "../../domain/signing-keys/remove.ts";

export default class KeysRemove extends BaseCommand {
  static override description =
    "Remove a retiring key whose tokens have all expired. The scheduler does the same 48 hours after its last signature.";
  static override examples = [
    "<%= config.bin %> keys remove NzbLsXh8uDCcd-6MNwXF4W_7noWXFZAfHkxZsRGC9Xs",
    "<%= config.bin %> keys remove NzbLsXh8uDCcd-6MNwXF4W_7noWXFZAfHkxZsRGC9Xs --json",
  ];
  static override args = { kid: Args.string({ description: "the key's id", required: true }) };

  async run() {
    const { args, flags } = await this.parse(KeysRemove);
    return this.withApp(flags, async (app) => {
      const act = { action: "keys.remove", tenant_id: null, target: { type: "key", id: args.kid } };
      const { kid } = await this.audited(app, act, () => removeKey(app, args.kid));
      this.log(`${kid} is removed.`);
      return { kid, state: "removed" };
    });
  }
}
