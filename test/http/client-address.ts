import ipaddr from "ipaddr.js";
import t from "tap";
import { clientAddressBehind, rateLimitKey } from "../../src/http/client-address.ts";
import { requestOf } from "./fixtures/request.ts";

const trusted = ["10.0.0.0/8", "127.0.0.1/32", "fd00::/8"].map((range) => ipaddr.parseCIDR(range));
const address = clientAddressBehind(trusted);
const from = (
  remoteAddress: string,
  forwarded?: string | string[],
  other: Record<string, string> = {},
): string =>
  address(
    requestOf({
      remoteAddress,
      headers: { ...other, ...(forwarded !== undefined && { "x-forwarded-for": forwarded }) },
    }),
  );

t.test("without a trusted proxy the client is the socket's peer, whatever headers say", async (t) => {
  const spoofed = { "x-real-ip": "1.1.1.1", forwarded: "for=1.1.1.1", "true-client-ip": "1.1.1.1" };
  t.equal(from("192.0.2.7"), "192.0.2.7");
  t.equal(from("192.0.2.7", "1.1.1.1", spoofed), "192.0.2.7");
  t.equal(from("10.0.0.1", undefined, spoofed), "10.0.0.1", "nor behind one");
  t.equal(
    clientAddressBehind([])(
      requestOf({ remoteAddress: "127.0.0.1", headers: { "x-forwarded-for": "1.1.1.1" } }),
    ),
    "127.0.0.1",
  );
});

t.test("behind a trusted proxy it is whom that one reported", async (t) => {
  t.equal(from("10.0.0.1", "192.0.2.7"), "192.0.2.7");
  t.equal(from("fd00::1", "2001:db8::7"), "2001:db8::7");
  t.equal(from("::ffff:10.0.0.1", "192.0.2.7"), "192.0.2.7", "an IPv4-mapped peer is the IPv4 one");
});

t.test("what stands left of the first stranger was written by the stranger", async (t) => {
  t.equal(from("10.0.0.1", "1.1.1.1, 192.0.2.7"), "192.0.2.7");
  t.equal(from("10.0.0.1", "1.1.1.1, 192.0.2.7, 10.9.9.9, 10.0.0.2"), "192.0.2.7");
  t.equal(from("10.0.0.1", "10.0.0.3,192.0.2.7"), "192.0.2.7", "nor does it help to claim to be a proxy");
});

t.test("several headers are one list in their order", async (t) => {
  t.equal(from("10.0.0.1", ["1.1.1.1", "192.0.2.7"]), "192.0.2.7");
  t.equal(from("10.0.0.1", ["1.1.1.1, 2.2.2.2", "192.0.2.7, 10.0.0.2"]), "192.0.2.7");
});

t.test("all of them trusted: the farthest is the client", async (t) => {
  t.equal(from("10.0.0.1", "10.0.0.3, 10.0.0.2"), "10.0.0.3");
});

t.test("what is no address ends the list, and the last one that is counts", async (t) => {
  for (const junk of ["unknown", "_hidden", "1.2.3.4.5", "<script>", "10.0.0.0/8"]) {
    t.equal(from("10.0.0.1", `192.0.2.7, ${junk}, 10.0.0.2`), "10.0.0.2", junk);
    t.equal(from("10.0.0.1", junk), "10.0.0.1", junk);
  }
});

t.test("an empty element of the list counts for nothing (RFC 9110 section 5.6.1)", async (t) => {
  t.equal(from("10.0.0.1", "192.0.2.7, , 10.0.0.2"), "192.0.2.7");
  t.equal(from("10.0.0.1", ""), "10.0.0.1");
});

t.test("a port beside an address is not part of it", async (t) => {
  t.equal(from("10.0.0.1", "192.0.2.7:4711"), "192.0.2.7");
  t.equal(from("10.0.0.1", "[2001:db8::7]:4711"), "2001:db8::7");
  t.equal(from("10.0.0.1", "[2001:db8::7]"), "2001:db8::7");
});

t.test("one address is one text, however it is written", async (t) => {
  t.equal(from("10.0.0.1", "2001:DB8:0:0:0:0:0:7"), "2001:db8::7");
  t.equal(from("10.0.0.1", "::ffff:192.0.2.7"), "192.0.2.7");
  t.equal(from("2001:0db8::0007"), "2001:db8::7");
});

t.test("limits count an IPv4 address by itself and IPv6 by its /64, which one subscriber has", async (t) => {
  t.equal(rateLimitKey("192.0.2.7"), "192.0.2.7");
  const one = rateLimitKey("2001:db8:1:2:3:4:5:6");
  t.equal(one, "2001:db8:1:2::/64");
  t.equal(rateLimitKey("2001:db8:1:2:ffff:ffff:ffff:ffff"), one);
  t.not(rateLimitKey("2001:db8:1:3::"), one);
  t.equal(rateLimitKey(from("::ffff:192.0.2.7")), "192.0.2.7", "an IPv4-mapped peer is not all of IPv4");
  t.equal(rateLimitKey(""), "", "a socket that is gone");
});
