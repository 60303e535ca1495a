import ipaddr from "ipaddr.js";
import t from "tap";
import type { Resolve } from "../../src/egress/target-guard.ts";
import { createWebhookTargets } from "../../src/egress/webhook-targets.ts";

/** A resolver that answers with one address, or that there is none. */
function resolver(answer: string | null): { resolve: Resolve; asked: string[] } {
  const asked: string[] = [];
  const resolve = async (hostname: string) => {
    asked.push(hostname);
    if (answer === null) throw Object.assign(new Error("queryA ENOTFOUND"), { code: "ENOTFOUND" });
    return [answer];
  };
  return { resolve, asked };
}

const loopback = [ipaddr.parseCIDR("127.0.0.0/8")];

function refusal(url: string, answer: string | null = "1.1.1.1", allowed = [] as typeof loopback) {
  return createWebhookTargets(allowed, resolver(answer).resolve).refusal(new URL(url));
}

t.test("every way to write a private address is seen through, and no resolver is asked", async (t) => {
  for (const host of [
    ...["127.0.0.1", "127.1", "127.0.1", "2130706433", "0x7f000001", "0x7f.1", "0177.0.0.1", "017700000001"],
    ...["127.0.0.1.", "①②⑦.⓪.⓪.①", "127。0。0。1", "１２７.0.0.1", "0", "0.0.0.0", "10.1", "192.168.257"],
    ...[
      "169.254.169.254",
      "0xa9fea9fe",
      "2852039166",
      "[::1]",
      "[::]",
      "[::ffff:127.0.0.1]",
      "[::ffff:7f00:1]",
    ],
    ...["[0:0:0:0:0:ffff:a9fe:a9fe]", "[64:ff9b::7f00:1]", "[fd00:ec2::254]", "[fe80::1]", "[2002:7f00:1::]"],
  ]) {
    const { resolve, asked } = resolver("1.1.1.1");
    const url = new URL(`https://${host}/hook`);
    t.match(await createWebhookTargets([], resolve).refusal(url), /not a public address/, host);
    t.strictSame(asked, [], `${host} is an address`);
  }
});

t.test("a name is refused for where it leads to", async (t) => {
  for (const address of ["127.0.0.1", "10.0.0.1", "169.254.169.254", "::1", "fd00:ec2::254"]) {
    t.match(await refusal("https://hooks.example.com/", address), /hooks\.example\.com leads to/, address);
  }
  t.equal(await refusal("https://hooks.example.com/", "1.1.1.1"), null);
});

t.test("a name that leads nowhere yet passes, unless it only exists on private networks", async (t) => {
  t.equal(await refusal("https://not-yet.example.com/", null), null);
  for (const host of ["localhost", "LOCALHOST.", "app.localhost", "printer.local", "nas.home.arpa"]) {
    t.match(await refusal(`https://${host}/`, null), /private networks/, host);
  }
  t.match(await refusal("https://metadata.google.internal/", null), /private networks/);
  t.equal(await refusal("https://notlocalhost.example/", null), null);
  t.equal(await refusal("https://local.example.com/", null), null);
});

t.test("a port of another protocol is refused, by name and by address", async (t) => {
  for (const port of [22, 25, 465, 587, 2375, 6379, 9200, 10250, 6000]) {
    t.match(await refusal(`https://hooks.example.com:${port}/`), new RegExp(`port ${port},`), `${port}`);
    t.match(await refusal(`https://127.0.0.1:${port}/`, null, loopback), new RegExp(`port ${port},`));
  }
  for (const port of ["", ":443", ":8443", ":80", ":3000", ":49152"]) {
    t.equal(await refusal(`https://hooks.example.com${port}/`), null, port);
  }
});

t.test("what an operator allowed passes, by address and by name", async (t) => {
  t.equal(await refusal("https://127.0.0.1:8443/", null, loopback), null);
  t.equal(await refusal("https://localhost:8443/", "127.0.0.1", loopback), null);
  t.match(await refusal("https://10.0.0.1/", null, loopback), /not a public/);
});

t.test("a resolver that does not answer holds no registration up for ever", async (t) => {
  const silent: Resolve = () => new Promise(() => {});
  t.equal(await createWebhookTargets([], silent).refusal(new URL("https://slow.example.com/")), null);
});
