// What the guards of src/http/exchange.ts cost: the same trivial answer by a bare uWebSockets.js handler, through
// createHttpServer, and by node:http, each in a process of its own, asked by wrk over 64 kept connections.
// Run: node bench/exchange.ts [seconds per round, 5 when absent]

import { App, us_socket_local_port } from "uWebSockets.js";
import { fork, spawn } from "node:child_process";
import { once } from "node:events";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { createHttpServer } from "../src/http/exchange.ts";

const answer = '{"status":"ok"}';
const json = "application/json";

const servers = {
  "bare uWebSockets.js": (ready: (port: number) => void) => {
    const app = App().get("/*", (res) => {
      res.writeHeader("Content-Type", json).end(answer);
    });
    app.listen("127.0.0.1", 0, (socket) => {
      if (socket !== false) ready(us_socket_local_port(socket as never));
    });
  },
  "exchange, sync handler": async (ready: (port: number) => void) => {
    const response = { status: 200, headers: { "content-type": json }, body: answer };
    ready((await serveExchange(() => response)).port);
  },
  "exchange, async handler": async (ready: (port: number) => void) => {
    ready(
      (await serveExchange(async () => ({ status: 200, headers: { "content-type": json }, body: answer })))
        .port,
    );
  },
  "node:http": (ready: (port: number) => void) => {
    const server = createServer((_, response) => {
      response.writeHead(200, { "content-type": json }).end(answer);
    });
    server.listen(0, "127.0.0.1", () => ready((server.address() as AddressInfo).port));
  },
} as const;

function serveExchange(handler: Parameters<typeof createHttpServer>[0]["handler"]) {
  const failed = { status: 500, headers: {}, body: null };
  return createHttpServer({ handler, maxBodyBytes: () => 0, onFailure: () => failed, log: console }).listen(
    "127.0.0.1",
    0,
  );
}

type Sample = { rate: number; cpuMicros: number };

/** Requests per second, and what each cost the server's process in CPU time, which a busy machine changes less. */
async function measure(name: string, seconds: number): Promise<Sample> {
  const server = fork(import.meta.filename, ["serve", name]);
  const [port] = await once(server, "message");
  const wrk = spawn("wrk", ["-t1", "-c64", `-d${seconds}s`, `http://127.0.0.1:${port}/healthz`]);
  const [output] = await Promise.all([wrk.stdout.toArray(), once(wrk, "exit")]);
  server.send("how much?");
  const [cpuMicros] = await once(server, "message");
  server.kill();
  const text = Buffer.concat(output).toString();
  const [, requests] = text.match(/(\d+) requests in/) ?? [];
  if (requests === undefined || /Socket errors|Non-2xx/.test(text)) throw new Error(text);
  return {
    rate: Number(text.match(/Requests\/sec:\s+([\d.]+)/)?.[1]),
    cpuMicros: cpuMicros / Number(requests),
  };
}

const [, , mode, name] = process.argv;
if (mode === "serve") {
  await servers[name as keyof typeof servers]((port) => {
    const before = process.cpuUsage();
    process.on("message", () => {
      const { user, system } = process.cpuUsage(before);
      process.send?.(user + system);
    });
    process.send?.(port);
  });
} else {
  const samples = new Map<string, Sample[]>();
  for (let round = 0; round < 3; round += 1) {
    for (const server of Object.keys(servers)) {
      samples.set(server, [...(samples.get(server) ?? []), await measure(server, Number(mode ?? 5))]);
    }
  }
  const median = (values: number[]) => values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)] ?? 0;
  for (const [server, values] of samples) {
    const rate = Math.round(median(values.map((sample) => sample.rate)));
    const cpu = median(values.map((sample) => sample.cpuMicros)).toFixed(1);
    console.log(
      `${server.padEnd(26)}${String(rate).padStart(8)} requests/s ${cpu.padStart(8)} us of CPU each`,
    );
  }
}
