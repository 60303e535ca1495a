import ipaddr from "ipaddr.js";
import type { HttpRequest } from "./exchange.ts";

type Address = ipaddr.IPv4 | ipaddr.IPv6;
export type ProxyRange = readonly [address: Address, bits: number];

/** The address of whoever sent a request, as text. */
export type ClientAddress = (request: Pick<HttpRequest, "remoteAddress" | "headerValues">) => string;

/**
 * The socket's peer, unless that is a trusted proxy: then what it reported, read from the right past further trusted
 * ones. Anything to the left of the first stranger was written by the stranger, and is not believed.
 */
export function clientAddressBehind(trusted: readonly ProxyRange[]): ClientAddress {
  const isTrusted = (address: Address): boolean =>
    trusted.some(
      ([range, bits]) =>
        range.kind() === address.kind() && address.match(range as ipaddr.IPv4 & ipaddr.IPv6, bits),
    );
  return (request) => {
    const peer = parse(request.remoteAddress);
    if (peer === null) return request.remoteAddress;
    if (!isTrusted(peer)) return peer.toString();
    const reported = request.headerValues("x-forwarded-for").flatMap((value) => value.split(","));
    let client = peer;
    for (const text of reported.reverse()) {
      const hop = parse(text.trim());
      if (hop === null) break;
      client = hop;
      if (!isTrusted(hop)) break;
    }
    return client.toString();
  };
}

/** What rate limits count by: an IPv4 address, or an IPv6 /64, since a subscriber has the whole of it. */
export function rateLimitKey(address: string): string {
  const parsed = parse(address);
  if (parsed === null || parsed instanceof ipaddr.IPv4) return address;
  return `${ipaddr.IPv6.networkAddressFromCIDR(`${parsed.toString()}/64`).toString()}/64`;
}

function parse(text: string): Address | null {
  const bare = text.replace(/^\[(.*)\](:\d+)?$/, "$1").replace(/^(\d+\.\d+\.\d+\.\d+):\d+$/, "$1");
  return ipaddr.isValid(bare) ? ipaddr.process(bare) : null;
}
