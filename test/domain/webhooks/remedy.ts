import ipaddr from "ipaddr.js";
import t from "tap";
import { remedyOf } from "../../../src/domain/webhooks/remedy.ts";
import { createWebhookSender } from "../../../src/egress/webhook-sender.ts";
import { certify, receive } from "../../egress/fixtures/receiver.ts";
import { freePort } from "../../support/redis-server.ts";

t.test("a status leads to the end that can do something about it", async (t) => {
  for (const [statusCode, remedy] of [
    [302, /Redirects are not followed/],
    [401, /secret/],
    [403, /secret/],
    [404, /POST at this path/],
    [405, /POST at this path/],
    [410, /gone for good/],
    [422, /does not like the request/],
    [429, /too busy/],
    [500, /The receiver failed/],
    [503, /too busy/],
  ] as const) {
    t.match(remedyOf({ statusCode, retryAfterSeconds: null }), remedy, String(statusCode));
  }
});

t.test("what the sender says of a connection that fails has a remedy of its own", async (t) => {
  const loopback = [ipaddr.parseCIDR("127.0.0.0/8"), ipaddr.parseCIDR("::1/128")];
  const certified = certify();
  const receiver = await receive(t, certified);
  const elsewhere = certify({ names: "DNS:elsewhere.example.com" });
  const ofAnotherName = await receive(t, elsewhere);
  const tried = async (url: string, options: { allowed: typeof loopback; ca: string | null }) => {
    const sender = createWebhookSender({ userAgent: "Passwright/1.2.3", ...options });
    const answer = await sender.post(url, {}, "{}", new AbortController().signal);
    await sender.close();
    return remedyOf(answer);
  };
  const known = { allowed: loopback, ca: certified.ca };
  t.match(await tried(receiver.url, { ...known, allowed: [] }), /PASSWRIGHT_WEBHOOK_ALLOW_CIDRS/);
  t.match(await tried(receiver.url, { ...known, ca: null }), /PASSWRIGHT_WEBHOOK_CA_FILE/);
  t.match(await tried(`https://127.0.0.1:${await freePort()}/`, known), /Nothing listens there/);
  t.match(await tried("https://127.0.0.1:22/", known), /port that belongs to web servers/);
  t.match(await tried(ofAnotherName.url, { ...known, ca: elsewhere.ca }), /for another name/);
});

t.test("what nobody has foreseen is looked at from this machine", async (t) => {
  t.match(remedyOf({ error: "something odd" }), /from this machine/);
  t.match(remedyOf({ error: "no complete answer within 30 s" }), /work afterwards/);
  t.match(remedyOf({ error: "getaddrinfo ENOTFOUND hooks.example.com" }), /does not resolve/);
});
