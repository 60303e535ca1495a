import { createHmac } from "node:crypto";
import type { IncomingMessage, ServerResponse } from "node:http";
import { createServer } from "node:https";
import type { AddressInfo } from "node:net";
import { setTimeout as pause } from "node:timers/promises";

/** What an event tells: its type, and what it tells it of. A pass has an event for each of its versions. */
export type Fact = string;

export function factOf(type: string, data: { id: string; version?: number }): Fact {
  return type === "pass.updated" ? `${type} ${data.id} ${data.version}` : `${type} ${data.id}`;
}

export type Hook = {
  name: string;
  url: string;
  secret: string;
  /** The types of events that the webhook is subscribed to. */
  types: readonly string[];
  /** Facts that arrived, and under which event's id. */
  events: Map<Fact, string>;
  /** Deliveries by id: how often they came, and how often we said yes to them. */
  deliveries: Map<string, { fact: Fact; came: number; taken: number }>;
};

export type Receiver = {
  /** An address of its own for a webhook; one that `refuses` answers 500 to everything. */
  open(name: string, types: readonly string[], refuses?: boolean): Hook;
  hooks: Hook[];
  /** Signatures that did not verify, and facts that were told under two ids. */
  complaints: string[];
  /** When jobs ended, by the service's own word, ms; not in order. */
  finishes: number[];
  /** Told of each job that was heard to have ended. */
  onFinish(listener: (jobId: string) => void): void;
  /** Attempts that came so far. */
  attempts(): number;
  close(): void;
};

/**
 * Receives webhooks over HTTPS in this process, which nobody kills, so what it remembers is the truth. It is not always
 * well itself: every fiftieth delivery is refused at first, every hundredth takes its time.
 */
export async function openReceiver(certificate: { certificate: string; key: string }): Promise<Receiver> {
  const hooks = new Map<string, Hook & { refuses: boolean }>();
  const complaints: string[] = [];
  const finishes: number[] = [];
  const finished: ((jobId: string) => void)[] = [];
  let attempts = 0;

  const server = createServer(
    { key: certificate.key, cert: certificate.certificate },
    async (request, response) => {
      let body = "";
      for await (const chunk of request.setEncoding("utf8")) body += chunk;
      attempts += 1;
      const hook = hooks.get(request.url ?? "");
      if (hook === undefined) return answer(response, 404);
      const { type, id, created_at, data } = JSON.parse(body);
      const delivery = String(request.headers["x-service-delivery"]);
      const fact = factOf(type, data);
      for (const complaint of wrongSignatures(request, body, hook.secret)) {
        complaints.push(`${hook.name}, ${fact}: ${complaint}`);
      }
      const earlier = hook.events.get(fact);
      if (earlier !== undefined && earlier !== id)
        complaints.push(`${hook.name}: ${fact} came as two events`);
      hook.events.set(fact, id);
      const seen = hook.deliveries.get(delivery) ?? { fact, came: 0, taken: 0 };
      hook.deliveries.set(delivery, seen);
      seen.came += 1;
      if (hook.refuses) return answer(response, 500);
      const lot = Number.parseInt(delivery.slice(-4), 16) % 100;
      if (lot < 2 && seen.came === 1) return answer(response, 503);
      if (lot === 99) await pause(300);
      seen.taken += 1;
      if (seen.taken === 1 && (type === "job.completed" || type === "job.failed")) {
        finishes.push(Date.parse(created_at));
        for (const listener of finished) listener(data.id);
      }
      answer(response, 204);
    },
  );
  server.keepAliveTimeout = 60_000;
  await new Promise<void>((ready) => server.listen(0, "127.0.0.1", ready));
  const { port } = server.address() as AddressInfo;

  return {
    open(name, types, refuses = false) {
      const path = `/${name}`;
      const [url, secret] = [`https://127.0.0.1:${port}${path}`, `the secret of ${name}`];
      const hook = { name, url, secret, types, refuses, events: new Map(), deliveries: new Map() };
      hooks.set(path, hook);
      return hook;
    },
    get hooks() {
      return [...hooks.values()];
    },
    complaints,
    finishes,
    onFinish: (listener) => void finished.push(listener),
    attempts: () => attempts,
    close() {
      server.close();
      server.closeAllConnections();
    },
  };
}

function answer(response: ServerResponse, status: number): void {
  response.writeHead(status).end();
}

/** The documented header, and the one of Standard Webhooks. */
function wrongSignatures({ headers }: IncomingMessage, body: string, secret: string): string[] {
  const documented = `sha256=${createHmac("sha256", secret).update(body).digest("hex")}`;
  const signed = `${headers["webhook-id"]}.${headers["webhook-timestamp"]}.${body}`;
  const standard = `v1,${createHmac("sha256", secret).update(signed).digest("base64")}`;
  return [
    ...(headers["x-service-signature"] === documented ? [] : ["X-Service-Signature is wrong"]),
    ...(headers["webhook-signature"] === standard ? [] : ["webhook-signature is wrong"]),
  ];
}
