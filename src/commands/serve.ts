import { Flags } from "@oclif/core";
import { openApp, openServing } from "../app.ts";
import { BaseCommand } from "../cli/base-command.ts";
import { durationMs, patienceFlag } from "../cli/patience.ts";
import { ensureSystemTemplates } from "../cli/system-templates.ts";
import { reportReady, untilStopped } from "../cli/until-stopped.ts";
import { keyringLoop } from "../daemon/keyring-loop.ts";
import { runLoop } from "../daemon/loop.ts";
import { clientAddressBehind } from "../http/client-address.ts";
import { createImagePath } from "../http/image-address.ts";
import { createHttpMetrics } from "../http/metrics.ts";
import { createApiServer } from "../http/server.ts";
import { serveMetrics } from "../metrics/listener.ts";
import { createQueueMetrics } from "../metrics/queue-metrics.ts";
import { createStoreMetrics } from "../metrics/store-metrics.ts";
import { freePort } from "../up/free-port.ts";

export default class Serve extends BaseCommand {
  static override description = "Answer the REST API and the public pages.";
  static override examples = [
    "<%= config.bin %> serve --port 8080",
    "<%= config.bin %> serve --host 0.0.0.0",
  ];
  static override flags = {
    patience: patienceFlag,
    port: Flags.string({ description: "0: any free one (else PASSWRIGHT_PORT)", helpValue: "N" }),
    host: Flags.string({ description: "address to listen on (else PASSWRIGHT_HOST)" }),
  };

  async run() {
    const { flags } = await this.parse(Serve);
    const patienceMs = durationMs(flags.patience);
    const config = this.readSettings({ redisUrl: flags["redis-url"], port: flags.port, host: flags.host });
    const app = await openApp(config, { name: "serve" });
    const stopping = new AbortController();
    try {
      await ensureSystemTemplates(app);
      // Chosen before it is listened on: tokens and addresses name it.
      const wantedPort = config.port === 0 ? await freePort() : config.port;
      const baseUrl = config.baseUrl || `http://${config.host}:${wantedPort}`;
      const serving = await openServing(app, baseUrl);
      const metrics = createHttpMetrics();
      const server = createApiServer({
        ...serving,
        metrics,
        imagePath: createImagePath(),
        clientAddress: clientAddressBehind(config.trustedProxies),
        stopping: stopping.signal,
      });
      const depths = createQueueMetrics(serving.readQueueDepth, app.queueLimits);
      const store = createStoreMetrics(serving.watchRoundTrips);
      const parts = [metrics, store, depths];
      const monitored = {
        text: async () => (await Promise.all(parts.map((part) => part.text()))).join(""),
      };
      const monitoring = await serveMetrics(monitored, config.metricsAddress);
      const { port } = await server.listen(config.host, wantedPort).catch((error: unknown) => {
        monitoring.close();
        throw error;
      });
      const keys = runLoop("keyring", keyringLoop(serving.keyring), {
        log: app.log,
        signal: stopping.signal,
      });
      app.log.info({ host: config.host, port, base_url: baseUrl, metrics: monitoring.url }, "serve.ready");
      reportReady({ base_url: baseUrl, metrics_url: monitoring.url });

      const signal = await untilStopped();
      app.log.info({ signal }, "serve.stopping");
      stopping.abort();
      await server.drain(patienceMs);
      await keys;
      monitoring.close();
      await serving.close();
      app.log.info({}, "serve.stopped");
      return { base_url: baseUrl };
    } finally {
      await app.close();
    }
  }
}
