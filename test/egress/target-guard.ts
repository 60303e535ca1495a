import type { LookupAddress } from "node:dns";
import ipaddr from "ipaddr.js";
import t from "tap";
import {
  addressRefusal,
  guardedLookup,
  type Lookup,
  literalRefusal,
  TargetRefused,
} from "../../src/egress/target-guard.ts";

// biome-ignore format: read as a table
const refused: readonly [range: string, addresses: readonly string[]][] = [
  ["this network",           ["0.0.0.0", "0.255.255.255"]],
  ["private",                ["10.0.0.1", "172.16.0.1", "172.31.255.255", "192.168.0.1"]],
  ["shared by a carrier",    ["100.64.0.1", "100.127.255.255"]],
  ["loopback",               ["127.0.0.1", "127.1.2.3", "::1"]],
  ["link-local, metadata",   ["169.254.169.254", "169.254.0.1", "fe80::1", "febf::1"]],
  ["protocol assignments",   ["192.0.0.1", "192.0.0.170", "2001::1", "2001:1ff::1"]],
  ["documentation",          ["192.0.2.1", "198.51.100.1", "203.0.113.1", "2001:db8::1", "3fff::1"]],
  ["6to4",                   ["192.88.99.1", "2002:7f00:1::", "2002:808:808::1"]],
  ["benchmarks",             ["198.18.0.1", "198.19.255.255"]],
  ["multicast",              ["224.0.0.1", "239.255.255.255", "ff02::1"]],
  ["reserved",               ["240.0.0.1", "255.255.255.254"]],
  ["broadcast",              ["255.255.255.255"]],
  ["unspecified",            ["::"]],
  ["IPv4-compatible",        ["::7f00:1", "::a00:1"]],
  ["IPv4-mapped",            ["::ffff:127.0.0.1", "::ffff:a00:1", "::ffff:169.254.169.254"]],
  ["IPv4-translated",        ["::ffff:0:127.0.0.1"]],
  ["NAT64",                  ["64:ff9b::7f00:1", "64:ff9b::10.0.0.1", "64:ff9b::169.254.169.254"]],
  ["NAT64, local use",       ["64:ff9b:1::1", "64:ff9b:1::7f00:1"]],
  ["discard",                ["100::1"]],
  ["unique local, metadata", ["fc00::1", "fd00:ec2::254"]],
  ["site-local",             ["fec0::1"]],
  ["segment routing",        ["5f00::1"]],
  ["not assigned",           ["4000::1", "e000::1"]],
];

for (const [range, addresses] of refused) {
  t.test(`an address is refused that is ${range}`, async (t) => {
    for (const address of addresses) {
      t.match(addressRefusal(address, []), /is not a public address/, address);
      t.match(literalRefusal(address.includes(":") ? `[${address}]` : address, []), /is not a public/);
    }
  });
}

t.test("a public address may be dialled, in whatever form", async (t) => {
  for (const address of [
    ...["1.1.1.1", "100.63.255.255", "100.128.0.1", "172.32.0.1", "192.167.1.1", "223.255.255.255"],
    ...["2606:4700:4700::1111", "2a00:1450:4001::1", "2001:4860:4860::8888"],
    ...["::ffff:1.1.1.1", "64:ff9b::101:101"],
  ]) {
    t.equal(addressRefusal(address, []), null, address);
  }
});

t.test("what is no address is refused", async (t) => {
  for (const text of ["", "localhost", "1.1.1.1.1", "1.1.1.1/24", "::1%eth0x%"]) {
    t.type(addressRefusal(text, []), "string", text);
  }
});

t.test("an operator's range opens what lies in it, in mapped form too, and nothing else", async (t) => {
  const allowed = ["10.1.0.0/16", "fd00:1::/32"].map((range) => ipaddr.parseCIDR(range));
  for (const address of ["10.1.2.3", "::ffff:10.1.2.3", "64:ff9b::10.1.2.3", "fd00:1::5"]) {
    t.equal(addressRefusal(address, allowed), null, address);
  }
  for (const address of ["10.2.0.1", "::ffff:10.2.0.1", "fd00:2::5", "127.0.0.1"]) {
    t.type(addressRefusal(address, allowed), "string", address);
  }
});

t.test("a host that is a name is not judged as an address", async (t) => {
  for (const name of ["localhost", "example.com", "10.example.com", "a.b"]) {
    t.equal(literalRefusal(name, []), null, name);
  }
});

/** A resolver that knows these addresses. */
function knowing(...addresses: string[]): Lookup {
  const found: LookupAddress[] = addresses.map((address) => ({
    address,
    family: address.includes(":") ? 6 : 4,
  }));
  return ((_hostname: string, _options: unknown, callback: (error: null, found: LookupAddress[]) => void) =>
    callback(null, found)) as unknown as Lookup;
}

function dialled(allowed: readonly string[], ...addresses: string[]) {
  const ranges = allowed.map((range) => ipaddr.parseCIDR(range));
  return new Promise<string[]>((resolve, reject) => {
    guardedLookup(ranges, knowing(...addresses))("hooks.example.com", {}, (error, found) => {
      if (error === null) resolve(found.map(({ address }) => address));
      else reject(error);
    });
  });
}

t.test("a name with public addresses only is dialled at those", async (t) => {
  t.strictSame(await dialled([], "1.1.1.1", "2606:4700::1"), ["1.1.1.1", "2606:4700::1"]);
});

t.test("one address that is not public refuses the whole name", async (t) => {
  for (const mixed of [
    ["1.1.1.1", "127.0.0.1"],
    ["169.254.169.254", "1.1.1.1"],
    ["1.1.1.1", "::1"],
    ["2606:4700::1", "::ffff:10.0.0.1"],
    ["10.0.0.1"],
    [],
  ]) {
    await t.rejects(dialled([], ...mixed), TargetRefused, mixed.join(" "));
  }
});

t.test("of a name with addresses that the operator allowed only those are dialled", async (t) => {
  t.strictSame(await dialled(["127.0.0.0/8"], "::1", "127.0.0.1"), ["127.0.0.1"]);
  t.strictSame(await dialled(["10.0.0.0/8"], "10.0.0.5", "1.1.1.1"), ["10.0.0.5", "1.1.1.1"]);
  await t.rejects(dialled(["10.0.0.0/8"], "127.0.0.1", "1.1.1.1"), TargetRefused);
});
