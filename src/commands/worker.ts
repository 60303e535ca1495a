import { Flags } from "@oclif/core";
import { openApp, openReplays, openResigns, openWorking } from "../app.ts";
import { BaseCommand } from "../cli/base-command.ts";
import { durationMs, patienceFlag } from "../cli/patience.ts";
import { reportReady, untilStopped } from "../cli/until-stopped.ts";
import { onlyFlag, workerParts } from "../cli/worker-parts.ts";
import { withEndpointSlots } from "../daemon/endpoint-slots.ts";
import { tendLatecomers } from "../daemon/latecomers.ts";
import { tendPublished } from "../daemon/published.ts";
import { createReplayDriver } from "../daemon/replay-driver.ts";
import { createResignDriver } from "../daemon/resign-driver.ts";
import { createScheduler } from "../daemon/scheduler.ts";
import { warnOfExpiry } from "../daemon/tasks/certificate-expiry.ts";
import { expireEvents } from "../daemon/tasks/expire-events.ts";
import { tendSigningKeys } from "../daemon/tasks/signing-keys.ts";
import { trimLedgers } from "../daemon/tasks/trim-ledgers.ts";
import { createTurnWatch } from "../daemon/turn-watch.ts";
import { startWorker } from "../daemon/worker.ts";
import { carryOutJob } from "../domain/jobs/carry-out.ts";
import { soonestExpiries } from "../domain/providers/certificate-expiry.ts";
import { exceptOfGoneTenants } from "../domain/tenants/gone-work.ts";
import { deliverWebhook } from "../domain/webhooks/deliver.ts";
import { createBreakerMetrics } from "../metrics/breaker-metrics.ts";
import { createCertificateMetrics } from "../metrics/certificate-metrics.ts";
import { serveMetricsIfPossible } from "../metrics/listener.ts";
import { createQueueMetrics } from "../metrics/queue-metrics.ts";
import { createStoreMetrics } from "../metrics/store-metrics.ts";
import { createWorkMetrics } from "../metrics/work-metrics.ts";

export default class Worker extends BaseCommand {
  static override description = "Carry out accepted work: talk to the wallets and deliver webhooks.";
  static override examples = [
    "<%= config.bin %> worker",
    "<%= config.bin %> worker --concurrency 100",
    "<%= config.bin %> worker --only webhook",
  ];
  static override flags = {
    patience: patienceFlag,
    concurrency: Flags.string({
      description: "pieces of work in hand at a time (else PASSWRIGHT_WORKER_CONCURRENCY)",
      helpValue: "N",
    }),
    only: onlyFlag,
  };

  async run() {
    const { flags } = await this.parse(Worker);
    const drainMs = durationMs(flags.patience);
    const parts = workerParts(flags.only);
    const config = this.readSettings({
      redisUrl: flags["redis-url"],
      workerConcurrency: flags.concurrency,
    });
    const app = await openApp(config, { name: "worker" });
    try {
      const baseUrl = config.baseUrl || `http://${config.host}:${config.port}`;
      const working = await openWorking(app, baseUrl);
      const watch = createTurnWatch({ loop: "consumer", stalledAfterMs: config.workerStalledAfterMs });
      const metrics = createWorkMetrics({ ...watch, nowMs: working.nowMs });
      const depths = createQueueMetrics(working.readQueueDepth, app.queueLimits);
      const store = createStoreMetrics(working.watchRoundTrips);
      const breakers = createBreakerMetrics(() => working.breakers.depth());
      const certificates = createCertificateMetrics((most) => soonestExpiries(working, most), working.nowMs);
      const shown = [metrics, store, depths, breakers, certificates];
      const monitored = {
        text: async () => (await Promise.all(shown.map((part) => part.text()))).join(""),
        health: watch.health,
      };
      const monitoring = await serveMetricsIfPossible(monitored, config.workerMetricsAddress, app.log);
      const deliver = withEndpointSlots(config.webhookConcurrency, (task, signal, concluded) =>
        deliverWebhook(working, task, signal, concluded),
      );
      const worker = startWorker({
        ...working,
        classes: parts.classes,
        observer: metrics,
        watch,
        concurrency: config.workerConcurrency,
        leaseMs: config.jobLeaseMs,
        latecomers: tendLatecomers(working),
        published: tendPublished(working),
        handlers: {
          job: exceptOfGoneTenants(working, (task, signal, concluded) =>
            carryOutJob(working, task, signal, concluded),
          ),
          delivery: exceptOfGoneTenants(working, deliver),
        },
      });
      const scheduler = createScheduler({
        ...working,
        tasks: [
          tendSigningKeys(working, config.keyRotationMs),
          expireEvents(working),
          trimLedgers(working),
          warnOfExpiry(working),
        ],
      });
      if (parts.scheduler) scheduler.start();
      const drivers = [createReplayDriver({ ...(await openReplays(app)), log: app.log })];
      // Who has no way out to the wallets cannot reach phones either.
      if (parts.classes.includes("bulk")) {
        drivers.push(createResignDriver({ ...working, ...(await openResigns(app)) }));
      }
      for (const driver of drivers) driver.start();
      const ending = untilStopped();
      const url = monitoring?.url ?? "";
      app.log.info({ concurrency: config.workerConcurrency, only: flags.only, metrics: url }, "worker.ready");
      reportReady({ metrics_url: url });

      app.log.info({ signal: await ending }, "worker.stopping");
      const parallel = [worker, scheduler, ...drivers];
      await Promise.all(parallel.map((part) => part.stop(drainMs)));
      monitoring?.close();
      await working.close();
      app.log.info({}, "worker.stopped");
      return {};
    } finally {
      await app.close();
    }
  }
}
