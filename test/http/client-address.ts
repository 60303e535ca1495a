import ipaddr from "ipaddr.js";
import t from "tap";
import { clientAddressBehind, rateLimitKey } from "../../src/http/client-address.ts";

/** The address that a service behind these proxies sees in a request of that peer, with these X-Forwarded-For headers. */
function seen(proxies: readonly string[], remoteAddress: string, ...forwarded: string[]): string {
  const addressOf = clientAddressBehind(proxies.map((range) => ipaddr.parseCIDR(range)));
  return addressOf({ remoteAddress, headerValues: (name) => (name === "x-forwarded-for" ? forwarded : []) });
}

const inside = ["10.0.0.0/8", "fd00::/8"];

t.test("without a trusted proxy the peer is the client, whatever it says", async (t) => {
  t.equal(seen([], "203.0.113.9", "198.51.100.1"), "203.0.113.9");
  t.equal(seen(inside, "203.0.113.9", "198.51.100.1"), "203.0.113.9");
  t.equal(seen(inside, "2001:db8::9", "198.51.100.1"), "2001:db8::9");
});

t.test("a trusted proxy is believed as far as the first stranger, from the right", async (t) => {
  t.equal(seen(inside, "10.0.0.1", "203.0.113.9"), "203.0.113.9");
  t.equal(
    seen(inside, "10.0.0.1", "198.51.100.1, 203.0.113.9"),
    "203.0.113.9",
    "what the client wrote itself",
  );
  t.equal(
    seen(inside, "10.0.0.1", "203.0.113.9, 10.0.0.3, 10.0.0.2"),
    "203.0.113.9",
    "through three proxies",
  );
  t.equal(seen(inside, "10.0.0.1", "1.1.1.1, 203.0.113.9, 10.0.0.2"), "203.0.113.9");
  t.equal(seen(inside, "10.0.0.1", "10.0.0.7"), "10.0.0.7", "all inside: the farthest");
  t.equal(seen(inside, "10.0.0.1"), "10.0.0.1", "no header at all");
});

t.test("several X-Forwarded-For headers are one list", async (t) => {
  t.equal(seen(inside, "10.0.0.1", "198.51.100.1", "203.0.113.9"), "203.0.113.9");
  t.equal(seen(inside, "10.0.0.1", "198.51.100.1, 203.0.113.9", "10.0.0.2"), "203.0.113.9");
});

t.test("empty elements count for nothing", async (t) => {
  t.equal(seen(inside, "10.0.0.1", "203.0.113.9, "), "203.0.113.9");
  t.equal(seen(inside, "10.0.0.1", "203.0.113.9,,10.0.0.2", ""), "203.0.113.9");
  t.equal(seen(inside, "10.0.0.1", "", " , "), "10.0.0.1");
});

t.test("what is no address ends the list: nothing to its left is believed", async (t) => {
  for (const text of [
    "unknown",
    "_hidden",
    "203.0.113",
    "0x7f.1",
    "2130706433",
    "010.1.1.1",
    "1.2.3.256",
    "1.2.3.4/8",
    "::g",
  ]) {
    t.equal(seen(inside, "10.0.0.1", text), "10.0.0.1", text);
    t.equal(seen(inside, "10.0.0.1", `198.51.100.1, ${text}, 10.0.0.2`), "10.0.0.2", text);
  }
});

t.test("ports, brackets and IPv4-mapped addresses are other spellings of the same", async (t) => {
  t.equal(seen(inside, "10.0.0.1", "203.0.113.9:4711"), "203.0.113.9");
  t.equal(seen(inside, "10.0.0.1", "[2001:db8::9]:4711"), "2001:db8::9");
  t.equal(seen(inside, "10.0.0.1", "[2001:DB8:0::9]"), "2001:db8::9");
  t.equal(seen(inside, "10.0.0.1", "::ffff:203.0.113.9"), "203.0.113.9");
  t.equal(seen(inside, "::ffff:10.0.0.1", "203.0.113.9"), "203.0.113.9", "a proxy on a socket of both kinds");
  t.equal(seen(["::ffff:10.0.0.0/104"], "10.0.0.1", "203.0.113.9"), "203.0.113.9");
  t.equal(seen(["::ffff:10.0.0.0/104"], "11.0.0.1", "203.0.113.9"), "11.0.0.1");
  t.equal(seen(inside, "fd00::1", "203.0.113.9"), "203.0.113.9");
});

t.test("a range of one kind trusts nobody of the other", async (t) => {
  t.equal(seen(["::/0"], "203.0.113.9", "198.51.100.1"), "203.0.113.9");
  t.equal(seen(["0.0.0.0/0"], "2001:db8::9", "198.51.100.1"), "2001:db8::9");
});

t.test("limits count by IPv4 address, and by the /64 of an IPv6 address", async (t) => {
  t.equal(rateLimitKey("203.0.113.9"), "203.0.113.9");
  t.not(rateLimitKey("203.0.113.9"), rateLimitKey("203.0.113.8"));
  t.equal(rateLimitKey("2001:db8:1:2::1"), rateLimitKey("2001:db8:1:2:ffff:ffff:ffff:ffff"));
  t.not(rateLimitKey("2001:db8:1:2::1"), rateLimitKey("2001:db8:1:3::1"));
  t.equal(rateLimitKey("::ffff:203.0.113.9"), "203.0.113.9");
  t.equal(rateLimitKey("fe80::1%eth0"), rateLimitKey("fe80::2%eth1"), "a zone makes nobody another");
});

t.test("behind a translator each IPv4 client counts by itself", async (t) => {
  t.equal(rateLimitKey("64:ff9b::203.0.113.9"), "203.0.113.9");
  t.not(rateLimitKey("64:ff9b::cb00:7109"), rateLimitKey("64:ff9b::cb00:7108"));
});
