import type { Client } from "./client.ts";
import type { Ask, Reply } from "./requests.ts";

type Headers = Ask["headers"];

export function patch(client: Client, path: string, body: unknown, headers: Headers = {}): Promise<Reply> {
  return client.ask(path, { method: "PATCH", body, headers });
}

export function put(client: Client, path: string, body: unknown, headers: Headers = {}): Promise<Reply> {
  return client.ask(path, { method: "PUT", body, headers });
}

export function remove(client: Client, path: string, headers: Headers = {}): Promise<Reply> {
  return client.ask(path, { method: "DELETE", headers });
}
