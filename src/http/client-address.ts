import ipaddr from "ipaddr.js";
import type { HttpRequest } from "./exchange.ts";

type Address = ipaddr.IPv4 | ipaddr.IPv6;
export type ProxyRange = readonly [address: Address, bits: number];

/** The address of whoever sent a request, as text. */
export type ClientAddress = (request: Pick<HttpRequest, "remoteAddress" | "headerValues">) => string;

/**
 * The socket's peer, unless that is a trusted proxy: then what it reported, read from the right past further trusted
 * ones. Anything to the left of the first stranger was written by the stranger, and is not believed; nor is anything to
 * the left of what is no address. Several X-Forwarded-For headers are one list (RFC 9110 section 5.3).
 */
export function clientAddressBehind(trusted: readonly ProxyRange[]): ClientAddress {
  const ranges = trusted.map(asPlainRange);
  const isTrusted = (address: Address): boolean =>
    ranges.some(
      ([range, bits]) =>
        range.kind() === address.kind() && address.match(range as ipaddr.IPv4 & ipaddr.IPv6, bits),
    );
  return (request) => {
    const peer = parse(request.remoteAddress);
    if (peer === null) return request.remoteAddress;
    if (!isTrusted(peer)) return peer.toString();
    const reported = request
      .headerValues("x-forwarded-for")
      .flatMap((value) => value.split(","))
      .map((text) => text.trim())
      // Empty elements of a list count for nothing (RFC 9110 section 5.6.1).
      .filter((text) => text !== "");
    let client = peer;
    for (const text of reported.reverse()) {
      const hop = parse(text);
      if (hop === null) break;
      client = hop;
      if (!isTrusted(hop)) break;
    }
    return client.toString();
  };
}

/**
 * What rate limits count by: an IPv4 address, or an IPv6 /64, since a subscriber has the whole of it. Behind a
 * translator (RFC 6052) an IPv6 address stands for the IPv4 one in its last bits: one /64 holds all of these.
 */
export function rateLimitKey(address: string): string {
  const parsed = parse(address);
  if (parsed === null) return address;
  if (parsed instanceof ipaddr.IPv4) return parsed.toString();
  if (parsed.range() === "rfc6052") return new ipaddr.IPv4(parsed.toByteArray().slice(12)).toString();
  return `${new ipaddr.IPv6([...parsed.parts.slice(0, 4), 0, 0, 0, 0]).toString()}/64`;
}

/**
 * An address as proxies write it: with or without a port, IPv6 in brackets then; an IPv4-mapped one is IPv4. Other
 * spellings of IPv4 (octal, hexadecimal, fewer parts) are somebody's invention.
 */
function parse(text: string): Address | null {
  const bare = text.replace(/^\[(.*)\](:\d+)?$/, "$1").replace(/^(\d+\.\d+\.\d+\.\d+):\d+$/, "$1");
  if (ipaddr.IPv4.isValidFourPartDecimal(bare)) return ipaddr.IPv4.parse(bare);
  if (!bare.includes(":") || !ipaddr.IPv6.isValid(bare)) return null;
  const address = ipaddr.IPv6.parse(bare);
  // A zone (RFC 4007) means something on its own host only.
  delete address.zoneId;
  return address.isIPv4MappedAddress() ? address.toIPv4Address() : address;
}

/** A range of IPv4-mapped addresses is one of IPv4: peers are compared in that form. */
function asPlainRange([address, bits]: ProxyRange): ProxyRange {
  if (!(address instanceof ipaddr.IPv6) || !address.isIPv4MappedAddress() || bits < 96)
    return [address, bits];
  return [address.toIPv4Address(), bits - 96];
}
