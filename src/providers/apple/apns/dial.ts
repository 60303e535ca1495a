import type { Socket } from "node:net";
import { connect, type SecureContext, type TLSSocket } from "node:tls";

// An import statement would load all that node:http has getters for, Node's own fetch included: 40 ms of each start.
const { request: requestOverHttp } = process.getBuiltinModule("node:http");
const { request: requestOverHttps } = process.getBuiltinModule("node:https");

export type ApnsEndpoint = {
  /** `https://host:port` */
  origin: string;
  /** The client's certificate and key, where it has one, and the roots that APNs' certificate may stand under. */
  secureContext: SecureContext;
  /** An HTTP proxy that makes tunnels, `http:` or `https:`, with its user and password; null: none. */
  proxy: URL | null;
};

/** A TLS connection to APNs that speaks HTTP/2. Rejects with what went wrong; `signal` ends the attempt. */
export async function dialApns(endpoint: ApnsEndpoint, signal: AbortSignal): Promise<TLSSocket> {
  const { hostname, port } = new URL(endpoint.origin);
  const host = hostname.replace(/^\[|\]$/g, "");
  const place = { host, port: Number(port || 443) };
  const through = endpoint.proxy === null ? null : await openTunnel(endpoint.proxy, place, signal);
  signal.throwIfAborted();
  const socket = connect({
    ...(through === null ? place : { socket: through }),
    secureContext: endpoint.secureContext,
    ALPNProtocols: ["h2"],
    // A server name is never an address (RFC 6066 section 3).
    ...(isAddress(host) ? {} : { servername: host }),
  });
  return settled(socket, signal);
}

function settled(socket: TLSSocket, signal: AbortSignal): Promise<TLSSocket> {
  return new Promise((resolve, reject) => {
    const giveUp = (): void => {
      socket.destroy();
      reject(signal.reason);
    };
    const fail = (error: Error): void => {
      signal.removeEventListener("abort", giveUp);
      socket.destroy();
      reject(error);
    };
    const close = (): void => fail(new Error("the connection was closed during the handshake"));
    signal.addEventListener("abort", giveUp, { once: true });
    socket.once("error", fail);
    socket.once("close", close);
    socket.once("secureConnect", () => {
      if (socket.alpnProtocol !== "h2") return fail(new Error("the server does not speak HTTP/2"));
      signal.removeEventListener("abort", giveUp);
      socket.off("error", fail);
      socket.off("close", close);
      resolve(socket);
    });
  });
}

/** A connection through a proxy, by CONNECT (RFC 9110 section 9.3.6). */
function openTunnel(proxy: URL, to: { host: string; port: number }, signal: AbortSignal): Promise<Socket> {
  const authority = `${to.host.includes(":") ? `[${to.host}]` : to.host}:${to.port}`;
  const credentials = `${decodeURIComponent(proxy.username)}:${decodeURIComponent(proxy.password)}`;
  const ask = proxy.protocol === "https:" ? requestOverHttps : requestOverHttp;
  return new Promise((resolve, reject) => {
    const request = ask({
      host: proxy.hostname.replace(/^\[|\]$/g, ""),
      port: proxy.port || (proxy.protocol === "https:" ? 443 : 80),
      method: "CONNECT",
      path: authority,
      headers: {
        Host: authority,
        ...(credentials !== ":" && {
          "Proxy-Authorization": `Basic ${Buffer.from(credentials).toString("base64")}`,
        }),
      },
      signal,
    });
    request.once("error", (error) => reject(signal.aborted ? signal.reason : error));
    request.once("response", (response) => {
      response.resume();
      reject(new Error(`the proxy ${proxy.host} answered ${response.statusCode} to CONNECT`));
    });
    request.once("connect", (response, socket, head) => {
      if (response.statusCode === undefined || response.statusCode < 200 || response.statusCode > 299) {
        socket.destroy();
        reject(new Error(`the proxy ${proxy.host} answered ${response.statusCode} to CONNECT`));
        return;
      }
      if (head.length > 0) socket.unshift(head);
      resolve(socket);
    });
    request.end();
  });
}

function isAddress(host: string): boolean {
  return host.includes(":") || /^\d+(\.\d+){3}$/.test(host);
}
