import { lookup as systemLookup } from "node:dns";
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
  if (address.range() === "rfc6052") {
    return new ipaddr.IPv4(address.toByteArray().slice(12));
  }
  return address;
}

function contains([range, bits]: AllowedRange, address: Address): boolean {
  if (range.kind() !== address.kind()) return false;
  return address.match(range as ipaddr.IPv4 & ipaddr.IPv6, bits);
}

export type Lookup = typeof systemLookup;

/**
 * Resolves names for a connection: what was checked is what is dialled. One address that may not be dialled refuses the
 * name, however many public ones it has besides: no honest receiver has such a set. Of a name with addresses that the
 * operator allowed only those are dialled then: `localhost` may be ::1 as well where 127.0.0.0/8 alone is allowed.
 */
export function guardedLookup(allowed: readonly AllowedRange[], resolve: Lookup = systemLookup) {
  return (
    hostname: string,
    _options: unknown,
    callback: (error: Error | null, addresses: { address: string; family: number }[]) => void,
  ): void => {
    resolve(hostname, { all: true }, (error, addresses) => {
      if (error !== null) {
        callback(error, []);
        return;
      }
      const refusals = addresses.map(({ address }) => addressRefusal(address, allowed));
      const refusal = addresses.length === 0 ? "has no address" : refusals.find((why) => why !== null);
      const named = addresses.filter(({ address }) => isAllowed(address, allowed));
      if (refusal === undefined) callback(null, addresses);
      else if (named.length > 0) callback(null, named);
      else callback(new TargetRefused(`${hostname} ${refusal}`), []);
    });
  };
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
