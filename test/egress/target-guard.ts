import ipaddr from "ipaddr.js";
import t from "tap";
import {
  addressRefusal,
  createResolver,
  guardedLookup,
  literalRefusal,
} from "../../src/egress/target-guard.ts";

const nothing = [] as const;
const loopback = ["127.0.0.0/8", "::1/128"].map((range) => ipaddr.parseCIDR(range));

/** Addresses that no delivery may reach, by what they are (IANA special-purpose registries). */
const forbidden: Record<string, string[]> = {
  "this network": ["0.0.0.0", "0.1.2.3", "::"],
  loopback: ["127.0.0.1", "127.255.255.254", "::1"],
  private: ["10.0.0.1", "172.16.0.1", "172.31.255.255", "192.168.0.1", "fc00::1", "fd00:ec2::254", "fec0::1"],
  "link-local": ["169.254.0.1", "169.254.169.254", "fe80::1", "febf::1"],
  "carrier-grade NAT": ["100.64.0.1", "100.127.255.255"],
  multicast: ["224.0.0.1", "239.255.255.255", "ff02::1"],
  "broadcast and reserved": [
    "255.255.255.255",
    "240.0.0.1",
    "192.0.0.8",
    "192.88.99.1",
    "198.18.0.1",
    "198.19.255.255",
  ],
  documentation: ["192.0.2.1", "198.51.100.1", "203.0.113.1", "2001:db8::1", "3fff::1"],
  "IPv4-mapped": [
    "::ffff:127.0.0.1",
    "::ffff:7f00:1",
    "::ffff:10.0.0.1",
    "::ffff:169.254.169.254",
    "::ffff:0.0.0.0",
  ],
  "IPv4-compatible": ["::127.0.0.1", "::7f00:1", "::a00:1"],
  "IPv4-translated": ["::ffff:0:127.0.0.1", "::ffff:0:7f00:1"],
  NAT64: ["64:ff9b::127.0.0.1", "64:ff9b::a00:1", "64:ff9b::a9fe:a9fe"],
  // RFC 8215 leaves to each network where the IPv4 address stands (RFC 6052 section 2.2): the last reads as 8.8.8.8 at
  // the end, and as 127.0.0.1 behind the prefix of 48 bits.
  "local-use NAT64": ["64:ff9b:1::1", "64:ff9b:1::808:808", "64:ff9b:1:7f00:0:100:808:808"],
  "6to4 and Teredo": ["2002:7f00:1::", "2002:a00:1::1", "2002:808:808::1", "2001::1", "2001:0:7f00:1::"],
  "protocol assignments": ["2001:2::1", "2001:10::1", "2001:20::1", "100::1", "5f00::1"],
  "not assigned": ["4000::1", "8000::1", "e000::1"],
};
const reachable = [
  "1.1.1.1",
  "8.8.8.8",
  "100.63.255.255",
  "100.128.0.1",
  "172.15.255.255",
  "172.32.0.1",
  "169.253.255.255",
  "223.255.255.255",
  "2606:4700:4700::1111",
  "2a00:1450:4001:81b::200e",
  "::ffff:8.8.8.8",
];

for (const [what, addresses] of Object.entries(forbidden)) {
  t.test(`${what}: no delivery goes to such an address`, async (t) => {
    for (const address of addresses) {
      t.match(addressRefusal(address, nothing), /is not a public address/, address);
      const literal = address.includes(":") ? `[${address}]` : address;
      t.match(literalRefusal(new URL(`https://${literal}/`).hostname, nothing), /not a public/, literal);
    }
  });
}

t.test("public unicast addresses may be reached, also right beside what may not", async (t) => {
  for (const address of reachable) t.equal(addressRefusal(address, nothing), null, address);
});

t.test("a URL's odd spellings of an address are that address", async (t) => {
  const spellings = [
    "127.1",
    "127.0.1",
    "2130706433",
    "0x7f000001",
    "0x7f.1",
    "0177.0.0.1",
    "017700000001",
    "127.0.0.1.",
    "127。0。0。1",
    "①②⑦.⓪.⓪.①",
    "１２７.0.0.1",
    "%31%32%37.0.0.1",
    "[::ffff:127.0.0.1]",
    "[0:0:0:0:0:ffff:7f00:1]",
    "[::127.0.0.1]",
    "[0000:0000::0001]",
    "0",
    "0xa9fea9fe",
  ];
  for (const host of spellings) {
    t.match(literalRefusal(new URL(`https://${host}/`).hostname, nothing), /is not a public address/, host);
  }
});

t.test("what is a name is left to the resolver's answer", async (t) => {
  for (const host of [
    "example.com",
    "localhost",
    "localhost.",
    "127.0.0.1.example.com",
    "metadata.google.internal",
  ]) {
    t.equal(literalRefusal(new URL(`https://${host}/`).hostname, nothing), null, host);
  }
});

t.test(
  "an operator's ranges are reachable, in every form of their addresses, and nothing beside them",
  async (t) => {
    for (const address of ["127.0.0.1", "127.9.9.9", "::1", "::ffff:127.0.0.1"]) {
      t.equal(addressRefusal(address, loopback), null, address);
    }
    for (const address of ["10.0.0.1", "::2", "169.254.169.254"])
      t.not(addressRefusal(address, loopback), null, address);
    t.equal(addressRefusal("8.8.8.8", loopback), null, "what is public stays so");
  },
);

t.test("what is no address is refused", async (t) => {
  for (const text of ["", "example.com", "1.2.3.4.5", "::g"])
    t.not(addressRefusal(text, nothing), null, text);
});

/** What a connection gets to dial when the resolver answers so. */
function dialled(answer: string[] | Error, allowed = [] as Parameters<typeof guardedLookup>[0]) {
  const asked: string[] = [];
  const resolve = async (hostname: string): Promise<string[]> => {
    asked.push(hostname);
    if (answer instanceof Error) throw answer;
    return answer;
  };
  return new Promise<{ error: Error | null; addresses: string[]; asked: string[] }>((done) => {
    guardedLookup(allowed, resolve)("hooks.example.com", {}, (error, addresses) => {
      done({ error, addresses: addresses.map(({ address }) => address), asked });
    });
  });
}

t.test(
  "a name that leads to public addresses only is dialled at these, and resolved once for all",
  async (t) => {
    const { error, addresses, asked } = await dialled(["93.184.216.34", "2606:2800:220:1::1"]);
    t.equal(error, null);
    t.strictSame(addresses, ["93.184.216.34", "2606:2800:220:1::1"]);
    t.strictSame(asked, ["hooks.example.com"]);
  },
);

t.test("a name that leads inside is refused, and the refusal says where to", async (t) => {
  for (const address of ["127.0.0.1", "169.254.169.254", "::1", "64:ff9b::a9fe:a9fe"]) {
    const { error, addresses } = await dialled([address]);
    t.match(error, {
      name: "TargetRefused",
      message: /^hooks\.example\.com leads to .*, which is not a public address$/,
    });
    t.strictSame(addresses, []);
  }
});

t.test("a name with any address that is not public is refused whole", async (t) => {
  for (const answer of [
    ["93.184.216.34", "127.0.0.1"],
    ["127.0.0.1", "93.184.216.34"],
    ["93.184.216.34", "::1"],
    ["2606:2800:220:1::1", "fd00:ec2::254", "93.184.216.34"],
  ]) {
    const { error, addresses } = await dialled(answer);
    t.match(error, { name: "TargetRefused" }, answer.join(", "));
    t.strictSame(addresses, []);
  }
});

t.test("ranges that an operator allows may stand among a name's addresses", async (t) => {
  const { error, addresses } = await dialled(["93.184.216.34", "127.0.0.1"], loopback);
  t.equal(error, null);
  t.equal(addresses.length, 2);
});

t.test("a resolver's failure is passed on, and an empty answer is refused", async (t) => {
  const failure = new Error("ENOTFOUND");
  t.equal((await dialled(failure)).error, failure);
  t.match((await dialled([])).error, { name: "TargetRefused" });
});

t.test("localhost is what this machine says it is, with and without the dot of a full name", async (t) => {
  for (const name of ["localhost", "LOCALHOST"]) {
    const addresses = await createResolver()(name);
    t.ok(addresses.length > 0);
    for (const address of addresses) t.match(addressRefusal(address, nothing), /is not a public address/);
  }
});

t.test("a name that nobody can have is said to be unknown", async (t) => {
  await t.rejects(
    createResolver()("name-that-cannot-be.invalid"),
    /ENOTFOUND|EAI_AGAIN|ECONNREFUSED|ETIMEOUT/,
  );
});
