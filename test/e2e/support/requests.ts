import { request as httpRequest, type IncomingHttpHeaders } from "node:http";

export type Reply = {
  status: number;
  headers: IncomingHttpHeaders;
  /** As received, before any decoding. */
  bytes: Buffer;
  text: string;
  /** What JSON.parse made of a JSON body; tests look into whatever came back. */
  json: ReturnType<typeof JSON.parse>;
};

export type Ask = {
  method?: string;
  /** A list sends a header several times. */
  headers?: Record<string, string | string[]>;
  /** Sent as JSON; a string or a buffer goes as it is, without a Content-Type. */
  body?: unknown;
  /** The loopback address to come from. */
  from?: string;
  /** To send the body in pieces of unknown number, with Transfer-Encoding. */
  chunked?: boolean;
};

/** One request by node's own client on a connection of its own. Rejects when there is no answer in 30 s. */
export function ask(
  url: string | URL,
  { method, headers = {}, body, from, chunked }: Ask = {},
): Promise<Reply> {
  const isRaw = typeof body === "string" || Buffer.isBuffer(body);
  const payload = body === undefined ? undefined : isRaw ? body : JSON.stringify(body);
  const type = body === undefined || isRaw ? {} : { "content-type": "application/json" };
  const length =
    payload === undefined || chunked === true ? {} : { "content-length": String(Buffer.byteLength(payload)) };
  return new Promise((resolve, reject) => {
    const request = httpRequest(url, {
      method: method ?? (body === undefined ? "GET" : "POST"),
      headers: { ...type, ...length, ...headers },
      agent: false,
      timeout: 30_000,
      ...(from === undefined ? {} : { localAddress: from }),
    });
    request.on("timeout", () => request.destroy(new Error(`no answer from ${url}`)));
    request.on("error", reject);
    request.on("response", async (response) => {
      const chunks: Buffer[] = [];
      response.on("error", reject);
      for await (const chunk of response) chunks.push(chunk);
      const bytes = Buffer.concat(chunks);
      const text = bytes.toString("utf8");
      const isJson = /json/.test(response.headers["content-type"] ?? "");
      resolve({
        status: response.statusCode ?? 0,
        headers: response.headers,
        bytes,
        text,
        json: isJson && text !== "" ? JSON.parse(text) : undefined,
      });
    });
    if (chunked === true) request.write(payload);
    request.end(chunked === true ? undefined : payload);
  });
}

/** An error object without what differs between two equal ones. */
export function withoutTrace({ json }: Reply): Record<string, unknown> {
  const { trace_id, ...rest } = json;
  return rest;
}

/** The names of the members that a 400 complains of, sorted. */
export function faultyPaths({ json }: Reply): string[] {
  const details: { path: string }[] = json?.details ?? [];
  return details.map(({ path }) => path).sort();
}
