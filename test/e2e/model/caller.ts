import { Agent, request as httpRequest, type IncomingHttpHeaders } from "node:http";

/** Whatever JSON.parse made of an answer. */
type Json = ReturnType<typeof JSON.parse>;

export type Answer = { status: number; headers: IncomingHttpHeaders; text: string; json: Json };

export type Request = { method: string; path: string; body?: unknown; key?: string };

export type Caller = (request: Request) => Promise<Answer>;

/** A caller over connections that stay open: so many requests, each on its own, would use up the machine's ports. */
export function createCaller(url: string, token: string): { ask: Caller; close(): void } {
  const agent = new Agent({ keepAlive: true, maxSockets: 8 });
  const ask: Caller = ({ method, path, body, key }) =>
    new Promise((resolve, reject) => {
      const payload = body === undefined ? null : JSON.stringify(body);
      const headers = {
        authorization: `Bearer ${token}`,
        ...(payload !== null && {
          "content-type": "application/json",
          "content-length": Buffer.byteLength(payload),
        }),
        ...(key !== undefined && { "idempotency-key": key }),
      };
      const sent = httpRequest(`${url}${path}`, { method, agent, headers }, (response) => {
        let text = "";
        response.setEncoding("utf8");
        response.on("data", (chunk: string) => {
          text += chunk;
        });
        response.on("error", reject);
        response.on("end", () => {
          const json = text === "" ? undefined : JSON.parse(text);
          resolve({ status: response.statusCode ?? 0, headers: response.headers, text, json });
        });
      });
      sent.on("error", reject);
      sent.end(payload ?? undefined);
    });
  return { ask, close: () => agent.destroy() };
}

/** All items of a list, page by page, newest first; and the total that its first page told. */
export async function listAll(ask: Caller, path: string): Promise<{ items: Json[]; total: number }> {
  const items: Json[] = [];
  const separator = path.includes("?") ? "&" : "?";
  for (let page = 1; ; page += 1) {
    const answer = await ask({ method: "GET", path: `${path}${separator}page=${page}&page_size=100` });
    if (answer.status !== 200) throw new Error(`${path}: ${answer.status} ${answer.text}`);
    items.push(...answer.json.data);
    if (items.length >= answer.json.total || answer.json.data.length === 0) {
      return { items, total: answer.json.total };
    }
  }
}
