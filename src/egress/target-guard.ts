import { lookup, Resolver } from "node:dns/promises";
import { isIP } from "node:net";
import ipaddr from "ipaddr.js";

type Address = ipaddr.IPv4 | ipaddr.IPv6;
export type AllowedRange = readonly [address: Address, bits: number];

/**
 * IPv6 space that is assigned and public: 2000::/3 without protocol assignments, documentation and 6to4, each of which
 * can lead somewhere else than it says (IANA IPv6 Special-Purpose Address Registry).
 */
const publicIpv6 = ipaddr.IPv6.parseCIDR("2000::/3");
const specialIpv6 = ["2001::/23", "2001:db8::/32", "2002::/16", "3fff::/20"].map((range) =>
  ipaddr.IPv6.parseCIDR(range),
);

/** The one prefix in which the IPv4 address is known to stand at the end (RFC 6052 section 2.1). */
const nat64 = ipaddr.IPv6.parseCIDR("64:ff9b::/96");

/** Says why we must not connect to an address, or null. Everything that is not public unicast is refused, unless allowed by name. */
export function addressRefusal(text: string, allowed: readonly AllowedRange[]): string | null {
  if (!ipaddr.isValid(text)) return "is not an IP address";
  if (isAllowed(text, allowed)) return null;
  const address = unwrapped(ipaddr.parse(text));
  const isPublic =
    address instanceof ipaddr.IPv4
      ? address.range() === "unicast"
      : address.match(publicIpv6) && !specialIpv6.some((range) => address.match(range));
  return isPublic ? null : `leads to ${address.toString()}, which is not a public address`;
}

/** Whether the operator named a range that an address lies in. */
function isAllowed(text: string, allowed: readonly AllowedRange[]): boolean {
  const address = unwrapped(ipaddr.parse(text));
  return allowed.some((range) => contains(range, address));
}

/** The IPv4 address inside IPv4-mapped (::ffff:0:0/96) and NAT64 (64:ff9b::/96) forms, which connect to it. */
function unwrapped(address: Address): Address {
  if (address instanceof ipaddr.IPv4) return address;
  if (address.isIPv4MappedAddress()) return address.toIPv4Address();
  if (address.match(nat64)) {
    return new ipaddr.IPv4(address.toByteArray().slice(12));
  }
  return address;
}

function contains([range, bits]: AllowedRange, address: Address): boolean {
  if (range.kind() !== address.kind()) return false;
  return address.match(range as ipaddr.IPv4 & ipaddr.IPv6, bits);
}

/** All addresses of a name, IPv4 and IPv6; rejects when it has none. */
export type Resolve = (hostname: string) => Promise<string[]>;

/**
 * Asks the name servers from the event loop: getaddrinfo would block one of libuv's few threads for each slow name, and
 * the names are our tenants'. Only localhost, and names below it, are this machine (RFC 6761 section 6.3). `servers`: other
 * name servers than the system's, as `address:port`.
 */
export function createResolver(servers?: readonly string[]): Resolve {
  const resolver = new Resolver({ timeout: 3000, tries: 2 });
  if (servers !== undefined) resolver.setServers(servers);
  return async (hostname) => {
    if (/(^|\.)localhost\.?$/i.test(hostname)) {
      return (await lookup("localhost", { all: true })).map(({ address }) => address);
    }
    const [v4, v6] = await Promise.allSettled([resolver.resolve4(hostname), resolver.resolve6(hostname)]);
    if (v4.status === "rejected" && v6.status === "rejected") throw v4.reason;
    return [v4, v6].flatMap((answer) => (answer.status === "fulfilled" ? answer.value : []));
  };
}

/** Resolves names for a connection, to addresses that may all be dialled: what was checked is what is dialled. */
export function guardedLookup(allowed: readonly AllowedRange[], resolve: Resolve = createResolver()) {
  return (
    hostname: string,
    _options: unknown,
    callback: (error: Error | null, addresses: { address: string; family: number }[]) => void,
  ): void => {
    resolve(hostname).then(
      (addresses) => {
        const refusal = addresses.length === 0 ? "has no address" : firstRefusal(addresses, allowed);
        if (refusal !== null) callback(new TargetRefused(`${hostname} ${refusal}`), []);
        else
          callback(
            null,
            addresses.map((address) => ({ address, family: isIP(address) })),
          );
      },
      (error: Error) => callback(error, []),
    );
  };
}

/** One address inside is enough to refuse a name: a connection may end up at any of them. */
function firstRefusal(addresses: readonly string[], allowed: readonly AllowedRange[]): string | null {
  return (
    addresses.map((address) => addressRefusal(address, allowed)).find((refusal) => refusal !== null) ?? null
  );
}

/** A connection that was not made, since it would not have left for the public internet. */
export class TargetRefused extends Error {
  override readonly name = "TargetRefused";
}

/** Checks a host written as an address, which no resolver is asked about; null when it is a name or may be dialled. */
export function literalRefusal(hostname: string, allowed: readonly AllowedRange[]): string | null {
  const bare = hostname.replace(/^\[|\]$/g, "");
  return isIP(bare) === 0 ? null : addressRefusal(bare, allowed);
}
