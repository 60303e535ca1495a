import { Flags } from "@oclif/core";
import { openApp, openWorking } from "../app.ts";
import { BaseCommand } from "../cli/base-command.ts";
import { durationMs, patienceFlag } from "../cli/patience.ts";
import { reportReady, untilStopped } from "../cli/until-stopped.ts";
import { startWorker } from "../daemon/worker.ts";
import { carryOutPass } from "../domain/passes/carry-out.ts";
import { deliverWebhook } from "../domain/webhooks/deliver.ts";

export default class Worker extends BaseCommand {
  static override description = "Carry out accepted work: talk to the wallets and deliver webhooks.";
  static override examples = ["<%= config.bin %> worker", "<%= config.bin %> worker --concurrency 100"];
  static override flags = {
    patience: patienceFlag,
    concurrency: Flags.string({
      description: "pieces of work in hand at a time (else PASSWRIGHT_WORKER_CONCURRENCY)",
      helpValue: "N",
    }),
  };

  async run() {
    const { flags } = await this.parse(Worker);
    const config = this.readSettings({
      redisUrl: flags["redis-url"],
      workerConcurrency: flags.concurrency,
    });
    const app = await openApp(config, { name: "worker" });
    try {
      const baseUrl = config.baseUrl || `http://${config.host}:${config.port}`;
      const working = await openWorking(app, baseUrl);
      const worker = startWorker({
        ...working,
        concurrency: config.workerConcurrency,
        leaseMs: config.jobLeaseMs,
        handlers: {
          job: (task, signal) => carryOutPass(working, task, signal),
          delivery: (task, signal) => deliverWebhook(working, task, signal),
        },
      });
      app.log.info({ concurrency: config.workerConcurrency }, "worker.ready");
      reportReady({});

      const signal = await untilStopped();
      app.log.info({ signal }, "worker.stopping");
      await worker.stop(durationMs(flags.patience));
      await working.close();
      app.log.info({}, "worker.stopped");
      return {};
    } finally {
      await app.close();
    }
  }
}
