import { fileURLToPath } from "node:url";
import { Flags } from "@oclif/core";
import { openApp, redisProbe } from "../app.ts";
import { BaseCommand } from "../cli/base-command.ts";
import { createDemoOperator } from "../cli/demo-operator.ts";
import { quickStart } from "../cli/quick-start.ts";
import { untilStopped } from "../cli/until-stopped.ts";
import { environmentWith, isGiven, programPath, readConfig } from "../config.ts";
import { PasswrightError } from "../domain/errors.ts";
import { openDataFolder } from "../up/data-folder.ts";
import { runDemo } from "../up/demo.ts";
import { isFree } from "../up/free-port.ts";
import { startStack } from "../up/stack.ts";

export default class Up extends BaseCommand {
  static override description =
    "Run everything on this machine: Redis, serve, worker and the sandbox, with a demo tenant and its first pass.";
  static override examples = [
    "<%= config.bin %> up",
    "<%= config.bin %> up --port 0 --data /tmp/demo --json",
  ];
  static override flags = {
    port: Flags.string({ description: "of the API and the pages; 0: any free one", helpValue: "N" }),
    data: Flags.string({
      description: "folder that keeps everything",
      default: ".passwright",
      helpValue: "DIR",
    }),
    sandbox: Flags.boolean({
      description: "stand-ins for the wallets, Stripe and a webhook receiver",
      default: true,
      allowNo: true,
    }),
  };

  async run() {
    const { flags } = await this.parse(Up);
    const config = this.readSettings({ redisUrl: flags["redis-url"], port: flags.port });
    await this.refuseTakenPort(config.port);
    const folder = await openDataFolder(flags.data);
    const ending = untilStopped();
    try {
      this.progress("starting Redis, the sandbox, serve and worker …");
      const ownRedis = flags["redis-url"] === undefined && !isGiven("redisUrl");
      const stack = await startStack(folder, {
        entry: [process.execPath, fileURLToPath(new URL("../../bin/run.js", import.meta.url))],
        port: config.port,
        redisUrl: ownRedis ? null : config.redisUrl,
        sandbox: flags.sandbox,
        redisBinary: config.redisServer,
        programPath: programPath(),
        probe: redisProbe,
        given: {
          baseUrl: config.baseUrl,
          metricsAddress: isGiven("metricsAddress") ? addressText(config.metricsAddress) : null,
          workerMetricsAddress: isGiven("workerMetricsAddress")
            ? addressText(config.workerMetricsAddress)
            : null,
          allowCidrs: isGiven("webhookAllowCidrs") ? config.webhookAllowCidrs.map(cidrText).join(",") : "",
          webhookCa: config.webhookCaFile,
          stripe: isGiven("stripeSecretKey") || isGiven("stripeApiUrl"),
          stripeWebhookSecret: isGiven("stripeWebhookSecrets"),
        },
        environmentWith,
        hasMasterKey: config.masterKeys !== null,
        onEvent: (event) => this.progress(event),
      });
      try {
        this.progress("issuing the demo's pass …");
        await this.announce(folder, stack, flags.sandbox);
        const signal = await ending;
        this.progress(`${signal}: stopping …`);
      } finally {
        await stack.stop();
      }
    } finally {
      folder.release();
    }
  }

  private async announce(
    folder: Awaited<ReturnType<typeof openDataFolder>>,
    stack: Awaited<ReturnType<typeof startStack>>,
    sandbox: boolean,
  ): Promise<void> {
    const config = readConfig({ env: environmentWith(stack.overrides), flags: { logLevel: "error" } });
    const app = await openApp(config, { name: "up" });
    try {
      const operator = createDemoOperator(app, stack.sandboxUrl ?? "");
      const demo = await runDemo(folder, operator, { baseUrl: stack.baseUrl, sandbox });
      if (this.jsonEnabled()) {
        const ready = {
          base_url: stack.baseUrl,
          tenant_id: demo.tenant_id,
          application_id: demo.application_id,
          application_secret: demo.application_secret,
          template_id: demo.template_id,
          redis_url: stack.redisUrl,
          sandbox_url: stack.sandboxUrl,
          metrics_url: stack.metricsUrl,
        };
        process.stdout.write(`${JSON.stringify(ready)}\n`);
      } else {
        this.log(quickStart(stack, demo));
      }
    } finally {
      await app.close();
    }
  }

  private async refuseTakenPort(port: number): Promise<void> {
    if (port === 0 || (await isFree(port))) return;
    throw new PasswrightError(
      "invalid_configuration",
      `Port ${port} is taken by another program. Choose another with --port N, or any free one with --port 0.`,
    );
  }

  private progress(line: string): void {
    process.stderr.write(`${line}\n`);
  }
}

function addressText({ host, port }: { host: string; port: number }): string {
  return `${host}:${port}`;
}

function cidrText([address, bits]: readonly [{ toString(): string }, number]): string {
  return `${address.toString()}/${bits}`;
}
