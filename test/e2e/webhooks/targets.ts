import type { Test } from "tap";
import { faultyPaths } from "../support/requests.ts";
import type { Surroundings } from "./surroundings.ts";

const malformed = [
  "http://hooks.example/",
  "ftp://hooks.example/",
  "file:///etc/passwd",
  "gopher://hooks.example/",
  "data:text/plain,x",
  "javascript:alert(1)",
  "//hooks.example/",
  "https://user@hooks.example/",
  "https://user:word@hooks.example/",
  "https://:word@hooks.example/",
  "https://hooks.example/#part",
  "https://hooks.example/#",
  "https://[::1%25eth0]/",
  "https://hooks.example:99999/",
];

// Whatever way it is written, none of these is public unicast.
const notPublic = [
  "10.0.0.1",
  "172.16.0.1",
  "172.31.255.255",
  "192.168.1.1",
  "169.254.169.254",
  "100.64.0.1",
  "100.127.255.255",
  "0.0.0.0",
  "0.1.2.3",
  "192.0.0.1",
  "192.0.2.1",
  "198.18.0.1",
  "198.51.100.1",
  "203.0.113.1",
  "224.0.0.1",
  "239.255.255.255",
  "240.0.0.1",
  "255.255.255.255",
  "167772161",
  "0x0a000001",
  "012.0.0.1",
  "10.1",
  "\uff11\uff10.\uff10.\uff10.\uff11",
  "10\u30020\u30020\u30021",
  "10.0.0.1.",
  "[::]",
  "[fc00::1]",
  "[fd00:ec2::254]",
  "[fe80::1]",
  "[febf::1]",
  "[fec0::1]",
  "[ff02::1]",
  "[::ffff:10.0.0.1]",
  "[::ffff:a00:1]",
  "[::10.0.0.1]",
  "[64:ff9b::10.0.0.1]",
  "[64:ff9b:1::a00:1]",
  "[2002:a00:1::]",
  "[2001:db8::1]",
  "[2001::1]",
  "[3fff::1]",
  "[100::1]",
  "[5f00::1]",
  "[4000::1]",
];

const loopback = [
  "127.0.0.1",
  "127.255.255.254",
  "127.1",
  "2130706433",
  "0x7f.1",
  "0177.0.0.1",
  "127.0.0.1.",
  "\u2460\u2461\u2466.0.0.1",
  "[::1]",
  "[0:0:0:0:0:0:0:1]",
  "[::ffff:127.0.0.1]",
  "[::ffff:7f00:1]",
  "[::7f00:1]",
  "[64:ff9b::7f00:1]",
  "localhost",
  "localhost.",
  "hooks.localhost",
];

const fine = [
  "https://hooks.example/",
  "https://hooks.example:8443/a/b?c=d&e=%20",
  "https://1.1.1.1/",
  "https://[2606:4700:4700::1111]/",
  "https://xn--bcher-kva.example/",
  `https://hooks.example/${"x".repeat(2048 - "https://hooks.example/".length)}`,
];

export async function targets(t: Test, { client, strict }: Surroundings) {
  const register = (url: string, who = client) =>
    who.post("/api/v1/webhooks", { url, events: ["message.sent"], secret: "correct horse battery" });
  const refuses = async (t: Test, url: string, who = client) => {
    const reply = await register(url, who);
    t.equal(reply.status, 400, url.slice(0, 60));
    t.match(reply.json, { error: "invalid_request" });
    t.strictSame([...new Set(faultyPaths(reply))], ["/url"]);
  };

  t.test("https only, no user information, no fragment", async (t) => {
    for (const url of malformed) await refuses(t, url);
    await refuses(t, `https://hooks.example/${"x".repeat(2049 - "https://hooks.example/".length)}`);
  });

  t.test("addresses that are not public are refused, however they are written", async (t) => {
    for (const host of notPublic) {
      await refuses(t, `https://${host}/`);
      await refuses(t, `https://${host}/`, strict);
    }
  });

  t.test("loopback is refused unless an operator allows it", async (t) => {
    for (const host of loopback) await refuses(t, `https://${host}:8443/`, strict);
    const allowed = await register("https://127.0.0.1:8443/");
    t.equal(allowed.status, 201, "up allows it, for its sandbox");
  });

  t.test("public addresses and names are taken", async (t) => {
    for (const url of fine) {
      const reply = await register(url, strict);
      t.equal(reply.status, 201, `${url.slice(0, 60)}: ${reply.text.slice(0, 200)}`);
      t.equal(reply.json?.url, url);
    }
  });
}
