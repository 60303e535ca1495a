import { Args } from "@oclif/core";
import { openDevices } from "../../app.ts";
import { BaseCommand } from "../../cli/base-command.ts";
import { boundedLimitFlag, tellOfMore } from "../../cli/list-limit.ts";
import { tableLines } from "../../cli/table.ts";
import { tenantFlag } from "../../cli/tenant-flag.ts";
import { deviceResource, googleResource, listDevices } from "../../domain/devices/list-devices.ts";
import { findTenant } from "../../domain/tenants/find.ts";

export default class PassesDevices extends BaseCommand {
  static override summary =
    "Show how a pass reached the phones that have it, and whether Google Wallet has it.";
  static override description =
    "For each phone: when it registered, when it was last pushed to (and why APNs refused), when it asked what is new, and when it fetched the pass. A phone that was pushed to and has not asked since is offline, or its holder has switched automatic updates off. Fetches are told apart by address and app, so those of phones behind one address may be missing. For Google Wallet, the device `google-wallet`: when Google last said that somebody saved the pass, and when that it was removed since, if it was. Exits with 4 when no phone has the pass, and Google has said nothing.";
  static override examples = [
    "<%= config.bin %> passes devices 0199d1c9-5e6f-7b8c-9a00-2d3e4f5a6b7c --tenant 0199d1c5-8a4e-7c3b-9f00-5b1f6a2d7e10",
    "<%= config.bin %> passes devices 0199d1c9-5e6f-7b8c-9a00-2d3e4f5a6b7c --tenant 0199d1c5-8a4e-7c3b-9f00-5b1f6a2d7e10 --json",
  ];
  static override args = { id: Args.string({ description: "the pass's id", required: true }) };
  static override flags = {
    tenant: tenantFlag,
    limit: boundedLimitFlag,
  };

  async run() {
    const { args, flags } = await this.parse(PassesDevices);
    return this.withApp(flags, async (app) => {
      const tenant = await findTenant(app, flags.tenant);
      const { devices, total, google } = await listDevices(await openDevices(app), {
        tenantId: tenant.id,
        passId: args.id,
        most: flags.limit,
      });
      const resources = [
        ...(google === null ? [] : [googleResource(google)]),
        ...devices.map(deviceResource),
      ];
      const rows = resources.map((device) => [
        device.device_id,
        ...[
          device.registered_at,
          device.pushed_at,
          device.listed_at,
          device.fetched_at,
          device.removed_at,
        ].map((at) => at ?? "-"),
        device.refused ?? "",
      ]);
      const heads = ["device", "registered", "pushed", "listed", "fetched", "removed", "refused"];
      this.printList(rows, () => tableLines(heads, rows), "There is no phone that has the pass.");
      if (total > devices.length) tellOfMore(devices.length, `${total} phones. --limit N shows them.`);
      return resources;
    });
  }
}
