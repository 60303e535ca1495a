import { execFileSync } from "node:child_process";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { Webhook as StandardWebhook } from "standardwebhooks";
import { Webhook as SvixWebhook } from "svix";
import t from "tap";
import { signatureHeaders } from "../../src/domain/webhooks/sign.ts";
import { fencesOf, textOf } from "./markdown.ts";

const page = textOf("docs/webhooks.md") ?? "";
const [, deliveryId = "", seconds = ""] = /delivery `([0-9a-f-]{36})`, attempted at (\d+)/.exec(page) ?? [];
const vectors = [...page.matchAll(/^\| `(.+?)` \| `(.+?)` \| `(sha256=.+?)` \| `(v1,.+?)` \|$/gm)].map(
  ([, secret = "", body = "", service = "", standard = ""]) => ({ secret, body, service, standard }),
);
const folder = t.testdir();

/** The lines of the page's shell block, run with a secret and a body; the signature that each prints. */
function opensslOf(secret: string, body: string): string[] {
  const shell = fencesOf(page).find(({ text }) => text.includes("openssl dgst"));
  writeFileSync(join(folder, "body.json"), body);
  return (shell?.text ?? "")
    .trim()
    .split("\n")
    .map((line) => {
      const env = { ...process.env, SECRET: secret };
      const told = execFileSync("/bin/sh", ["-c", line], { cwd: folder, env, encoding: "utf8" });
      return told.trim().split(/[= ]+/).at(-1)?.toLowerCase() ?? "";
    });
}

t.test("the page has vectors of plain secrets, of one in base64, and of one beyond ASCII", async (t) => {
  t.equal(vectors.length, 3);
  t.ok(vectors.some(({ secret }) => secret.startsWith("whsec_")));
  t.ok(vectors.some(({ secret }) => /[^ -~]/.test(secret)));
});

for (const { secret, body, service, standard } of vectors) {
  t.test(`the vector of «${secret}» is what we send`, async (t) => {
    const nowMs = Number(seconds) * 1000;
    t.match(signatureHeaders({ deliveryId, eventType: "pass.created", body, secret, nowMs }), {
      "X-Service-Signature": service,
      "webhook-signature": standard,
      "webhook-id": deliveryId,
      "webhook-timestamp": seconds,
    });
  });

  t.test(`standardwebhooks and svix sign the vector of «${secret}» alike`, async (t) => {
    const at = new Date(Number(seconds) * 1000);
    const isWritten = secret.startsWith("whsec_");
    const own = isWritten
      ? new StandardWebhook(secret)
      : new StandardWebhook(Buffer.from(secret), { format: "raw" });
    t.equal(own.sign(deliveryId, at, body), standard);
    // Svix takes a key in base64 only.
    const svix = new SvixWebhook(isWritten ? secret : Buffer.from(secret).toString("base64"));
    t.equal(svix.sign(deliveryId, at, body), standard);
  });

  t.test(`OpenSSL, called as the page says, computes the vector of «${secret}»`, async (t) => {
    const told = opensslOf(secret, body);
    t.equal(told.length, 2);
    for (const hex of told) t.equal(`sha256=${hex}`, service);
  });
}

t.test(
  "both libraries verify a delivery that is sent now, and refuse it when anything is changed",
  async (t) => {
    const secret = `whsec_${Buffer.from("0123456789abcdef0123456789abcdef").toString("base64")}`;
    const body = '{"id":"x"}';
    const headers = signatureHeaders({
      deliveryId,
      eventType: "pass.created",
      body,
      secret,
      nowMs: Date.now(),
    });
    t.strictSame(new StandardWebhook(secret).verify(body, headers), { id: "x" });
    for (const verifier of [new StandardWebhook(secret), new SvixWebhook(secret)]) {
      t.doesNotThrow(() => verifier.verify(body, headers));
      t.throws(() => verifier.verify('{"id":"y"}', headers));
      t.throws(() => verifier.verify(body, { ...headers, "webhook-timestamp": "1767225600" }), /too old/);
    }
  },
);
