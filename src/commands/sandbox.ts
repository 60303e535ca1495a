import { join } from "node:path";
import { Flags } from "@oclif/core";
import { BaseCommand } from "../cli/base-command.ts";
import { factLines } from "../cli/table.ts";
import { reportReady, untilStopped } from "../cli/until-stopped.ts";
import { PasswrightError } from "../domain/errors.ts";
import { startSandbox } from "../sandbox/sandbox.ts";

export default class Sandbox extends BaseCommand {
  static override description =
    "Run stand-ins for APNs, Google Wallet, Stripe and a webhook receiver, as strict as the originals, on loopback.";
  static override examples = [
    "<%= config.bin %> sandbox",
    "<%= config.bin %> sandbox --port 0 --data ./sandbox",
  ];
  static override flags = {
    port: Flags.integer({ description: "of the control pages; 0: any free one", default: 8090 }),
    data: Flags.string({
      description: "folder that keeps its certificates and state",
      default: ".passwright",
      helpValue: "DIR",
    }),
    "stripe-events-url": Flags.string({
      description: "where Stripe's call-backs go, signed with PASSWRIGHT_STRIPE_WEBHOOK_SECRET",
      helpValue: "URL",
    }),
  };

  async run() {
    const { flags } = await this.parse(Sandbox);
    const sandbox = await startSandbox({
      dataDir: join(flags.data, "sandbox"),
      ports: { control: flags.port },
      ...this.stripeEndpoint(flags["stripe-events-url"]),
    });
    const facts = {
      control: sandbox.controlUrl,
      apns: sandbox.apnsUrl,
      webhooks: sandbox.webhookUrl,
      root_certificate: sandbox.caFile,
    };
    const ending = untilStopped();
    this.logToStderr(factLines(facts).join("\n"));
    reportReady({
      sandbox_url: sandbox.controlUrl,
      webhook_url: sandbox.webhookUrl,
      ca_file: sandbox.caFile,
    });
    await ending;
    await sandbox.close();
    return facts;
  }
  private stripeEndpoint(url: string | undefined) {
    if (url === undefined) return {};
    const [secret] = this.readSettings().stripeWebhookSecrets;
    if (secret === undefined) {
      throw new PasswrightError(
        "invalid_configuration",
        "--stripe-events-url needs PASSWRIGHT_STRIPE_WEBHOOK_SECRET, with the secret that serve has there too.",
      );
    }
    return { stripeEndpoint: { url, secret } };
  }
}
