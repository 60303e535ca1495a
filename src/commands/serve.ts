import { fileURLToPath } from "node:url";
import { Flags } from "@oclif/core";
import { openApp, openLog, openServing } from "../app.ts";
import { BaseCommand } from "../cli/base-command.ts";
import { durationMs, patienceFlag } from "../cli/patience.ts";
import { ensureSystemTemplates } from "../cli/system-templates.ts";
import { answerForMetrics, reportReady, untilStopped } from "../cli/until-stopped.ts";
import { type Config, environmentWith, requireMasterKeys } from "../config.ts";
import { keyringLoop } from "../daemon/keyring-loop.ts";
import { runLoop } from "../daemon/loop.ts";
import { requestCountLoop } from "../daemon/request-count-loop.ts";
import { PasswrightError } from "../domain/errors.ts";
import { clientAddressBehind } from "../http/client-address.ts";
import { createImagePath } from "../http/image-address.ts";
import { createHttpMetrics } from "../http/metrics.ts";
import { createApiServer } from "../http/server.ts";
import { serveMetrics } from "../metrics/listener.ts";
import { createProcessMetrics } from "../metrics/process-metrics.ts";
import { createQueueMetrics } from "../metrics/queue-metrics.ts";
import { createStoreMetrics } from "../metrics/store-metrics.ts";
import { freePort, isFree } from "../up/free-port.ts";
import { startProcesses } from "../up/processes.ts";

/** What a process may take beyond its patience: to close what is open, and to end. */
const endMs = 700;

type Served = { base_url: string };

export default class Serve extends BaseCommand {
  static override description = "Answer the REST API and the public pages.";
  static override examples = [
    "<%= config.bin %> serve --port 8080",
    "<%= config.bin %> serve --host 0.0.0.0 --processes 4",
  ];
  static override flags = {
    patience: patienceFlag,
    port: Flags.string({ description: "0: any free one (else PASSWRIGHT_PORT)", helpValue: "N" }),
    host: Flags.string({ description: "address to listen on (else PASSWRIGHT_HOST)" }),
    processes: Flags.string({
      description: "how many processes share the port (else PASSWRIGHT_PROCESSES)",
      helpValue: "N",
    }),
    process: Flags.integer({ description: "the number of one of several", hidden: true, min: 1 }),
  };

  async run() {
    const { flags } = await this.parse(Serve);
    const patienceMs = durationMs(flags.patience);
    const config = this.readSettings({
      redisUrl: flags["redis-url"],
      port: flags.port,
      host: flags.host,
      processes: flags.processes,
    });
    if (flags.process !== undefined || config.processes === 1) {
      return this.serve(config, { number: flags.process, patienceMs });
    }
    return this.supervise(config, patienceMs);
  }

  /** Answers in this process. As one of several it shares the port, and has its metrics shown by the parent. */
  private async serve(
    config: Config,
    { number, patienceMs }: { number: number | undefined; patienceMs: number },
  ): Promise<Served> {
    const app = await openApp(config, { name: "serve", process: number });
    const stopping = new AbortController();
    try {
      await ensureSystemTemplates(app);
      // Chosen before it is listened on: tokens and addresses name it.
      const { port, baseUrl } = await placeOf(config);
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
      const text = async () => (await Promise.all(parts.map((part) => part.text()))).join("");
      if (number !== undefined) answerForMetrics(text);
      const monitoring = number === undefined ? await serveMetrics({ text }, config.metricsAddress) : null;
      await server.listen(config.host, port, { shared: number !== undefined }).catch((error: unknown) => {
        monitoring?.close();
        throw error;
      });
      const loop = { log: app.log, signal: stopping.signal };
      const loops = [
        runLoop("keyring", keyringLoop(serving.keyring), loop),
        runLoop("request-counts", requestCountLoop(serving.requests), loop),
      ];
      // From the moment in which anybody can know that it is ready, a signal stops it in order.
      const ending = untilStopped();
      const facts = { host: config.host, port, base_url: baseUrl };
      if (number !== undefined) app.log.info(facts, "serve.process_ready");
      else app.log.info({ ...facts, metrics: monitoring?.url }, "serve.ready");
      reportReady({ base_url: baseUrl, metrics_url: monitoring?.url ?? "" });

      app.log.info({ signal: await ending }, "serve.stopping");
      stopping.abort();
      await server.drain(patienceMs);
      // What was noted last; nobody waits for it.
      await serving.requests.write().catch(() => {});
      await Promise.all(loops);
      monitoring?.close();
      await serving.close();
      app.log.info({}, "serve.stopped");
      return { base_url: baseUrl };
    } finally {
      await app.close();
    }
  }

  /** Has several processes answer on one port, and starts again whichever dies. */
  private async supervise(config: Config, patienceMs: number): Promise<Served> {
    requireMasterKeys(config);
    const { host, processes: count } = config;
    const { port, baseUrl } = await placeOf(config);
    // The processes share it with whoever else would: with another serve, in silence.
    if (!(await isFree(port, host))) {
      const detail = `cannot listen on ${host} port ${port}: it is taken, or not an address of this machine`;
      throw new PasswrightError("invalid_configuration", detail);
    }
    const log = openLog(config, { name: "serve" });
    const ending = untilStopped();
    const bin = fileURLToPath(new URL("../../bin/run.js", import.meta.url));
    const processes = await startProcesses({
      name: "serve",
      count,
      command: process.execPath,
      argsOf: (number) => [bin, "serve", "--process", String(number), "--patience", `${patienceMs}ms`],
      env: environmentWith({ redisUrl: config.redisUrl, host, port: String(port) }),
      stopMs: patienceMs + endMs,
      onDied: (facts) => log.warn(facts, "serve.process_died"),
    });
    try {
      const monitoring = await serveMetrics(createProcessMetrics(processes), config.metricsAddress);
      log.info({ host, port, base_url: baseUrl, metrics: monitoring.url, processes: count }, "serve.ready");
      reportReady({ base_url: baseUrl, metrics_url: monitoring.url });
      log.info({ signal: await ending }, "serve.stopping");
      await processes.stop();
      monitoring.close();
      log.info({}, "serve.stopped");
      return { base_url: baseUrl };
    } finally {
      await processes.stop();
    }
  }
}

/** Where requests are answered, and under which public address. */
async function placeOf({ host, port: wanted, baseUrl }: Config): Promise<{ port: number; baseUrl: string }> {
  const port = wanted === 0 ? await freePort() : wanted;
  return { port, baseUrl: baseUrl || `http://${host}:${port}` };
}
