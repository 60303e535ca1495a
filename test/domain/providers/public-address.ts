import t from "tap";
import { isGooglesOwn, whyNotPublic } from "../../../src/domain/providers/public-address.ts";

t.test("Google can fetch from a public name or address, by https", async (t) => {
  for (const url of [
    "https://passes.acme.com",
    "https://acme.com/wallet",
    "https://93.184.215.14",
    "https://[2606:2800::1]",
  ]) {
    t.equal(whyNotPublic(url), null, url);
  }
  t.match(
    whyNotPublic("http://passes.acme.com"),
    /is http:\/\/passes\.acme\.com, and Google fetches by https only/,
  );
  t.match(whyNotPublic(""), /is not set/);
});

t.test("and from nothing that only this network can reach", async (t) => {
  const names = [
    "localhost",
    "passes",
    "wallet.local",
    "a.internal",
    "a.test",
    "passes.example",
    "x.home.arpa",
  ];
  const addresses = [
    "127.0.0.1",
    "10.1.2.3",
    "192.168.0.1",
    "172.16.0.1",
    "172.31.0.1",
    "169.254.1.1",
    "100.64.0.1",
    "0.0.0.0",
  ];
  const sixes = ["[::1]", "[::]", "[fd00::1]", "[fe80::1]", "[::ffff:10.0.0.1]"];
  for (const host of [...names, ...addresses, ...sixes]) {
    t.match(whyNotPublic(`https://${host}:8443`), /only this network can reach/, host);
  }
  for (const host of ["172.32.0.1", "100.128.0.1", "11.0.0.1", "local.acme.com"]) {
    t.equal(whyNotPublic(`https://${host}`), null, host);
  }
});

t.test("a stand-in fetches nothing", async (t) => {
  t.ok(isGooglesOwn({ apiUrl: "https://walletobjects.googleapis.com" }));
  t.notOk(isGooglesOwn({ apiUrl: "http://127.0.0.1:8090" }));
  t.notOk(isGooglesOwn({ apiUrl: "https://googleapis.com.evil.org" }));
});
