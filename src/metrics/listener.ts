import type { ServerResponse } from "node:http";
import type { Log } from "../domain/log.ts";

// An import statement would load all that node:http has getters for, Node's own fetch included: 40 ms of each start.
const { createServer } = process.getBuiltinModule("node:http");

export type Health = { healthy: boolean; facts: Record<string, unknown> };

/** What is to be seen from outside; `health` makes a `/healthz` besides. */
export type Monitored = { text(): Promise<string>; health?(): Health };

export type Listener = { url: string; close(): void };

export type Address = { host: string; port: number };

/** Serves Prometheus on an address of its own, so that it is not public by accident. */
export async function serveMetrics(monitored: Monitored, address: Address): Promise<Listener> {
  const server = createServer(async ({ url }, response) => {
    try {
      if (url === "/metrics") await sendMetrics(monitored, response);
      else if (url === "/healthz" && monitored.health !== undefined) sendHealth(monitored.health(), response);
      else response.writeHead(404).end();
    } catch {
      response.writeHead(500).end();
    }
  });
  await new Promise<void>((resolve, reject) => {
    server.once("error", reject);
    server.listen(address.port, address.host, resolve);
  });
  const bound = server.address();
  const port = typeof bound === "object" && bound !== null ? bound.port : address.port;
  return {
    url: `http://${shown({ ...address, port })}/metrics`,
    close: (): void => {
      server.close();
      server.closeAllConnections();
    },
  };
}

/**
 * The same for a process whose work does not depend on it: of an address that is taken it gets any free port, of a host that is not
 * here nothing, and a warning says so.
 */
export async function serveMetricsIfPossible(
  monitored: Monitored,
  address: Address,
  log: Pick<Log, "warn">,
): Promise<Listener | null> {
  try {
    return await serveMetrics(monitored, address);
  } catch (error) {
    const listener = await serveMetrics(monitored, { ...address, port: 0 }).catch(() => null);
    const instead = listener === null ? "Nothing serves them" : `They are at ${listener.url}`;
    const warning = `Metrics cannot be served on ${shown(address)}. ${instead}: give each worker of a machine an address of its own.`;
    log.warn({ warning, err: error }, "metrics.checked");
    return listener;
  }
}

async function sendMetrics({ text }: Monitored, response: ServerResponse): Promise<void> {
  const body = await text();
  response.writeHead(200, { "Content-Type": "text/plain; version=0.0.4; charset=utf-8" }).end(body);
}

function sendHealth({ healthy, facts }: Health, response: ServerResponse): void {
  response.writeHead(healthy ? 200 : 503, { "Content-Type": "application/json" }).end(JSON.stringify(facts));
}

function shown({ host, port }: Address): string {
  return `${host.includes(":") ? `[${host}]` : host}:${port}`;
}
