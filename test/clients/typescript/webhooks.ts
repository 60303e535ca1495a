import { createHmac } from "node:crypto";
import { Webhook } from "standardwebhooks";
import t from "tap";
import { verifyWebhook, WebhookVerificationError } from "../../../clients/typescript/src/index.ts";

// What is not ours makes the signatures: the library of Standard Webhooks, and node:crypto.

const now = 1_795_243_426;
const id = "0193a0b4-7c11-7abc-8def-0123456789ab";
const event = {
  id: "an-event",
  type: "pass.created",
  created_at: "x",
  tenant_id: "y",
  data: { name: "Zoë 🎫" },
};
const text = JSON.stringify(event);
const secrets = {
  plain: "correct horse battery",
  prefixed: `whsec_${Buffer.from("0123456789abcdef0123456789abcdef").toString("base64")}`,
  "not ASCII": "päßwörter 🎟",
};

function signed(secret: string, body = text, at = now): Record<string, string> {
  const webhook = secret.startsWith("whsec_")
    ? new Webhook(secret)
    : new Webhook(Buffer.from(secret), { format: "raw" });
  return {
    "webhook-id": id,
    "webhook-timestamp": String(at),
    "webhook-signature": webhook.sign(id, new Date(at * 1000), body),
    "x-service-signature": `sha256=${createHmac("sha256", secret).update(body).digest("hex")}`,
    "x-service-event": "pass.created",
    "x-service-delivery": id,
  };
}

for (const [name, secret] of Object.entries(secrets)) {
  t.test(`a delivery is accepted under a secret that is ${name}, as text and as bytes`, async (t) => {
    const headers = signed(secret);
    for (const body of [text, Buffer.from(text), new TextEncoder().encode(text)]) {
      t.strictSame(await verifyWebhook({ body, headers, secret, now }), event);
    }
  });
}

t.test("headers may be those of fetch, of Node, or in any spelling", async (t) => {
  const secret = secrets.plain;
  const upper = Object.entries(signed(secret)).map(([name, value]) => [name.toUpperCase(), value]);
  for (const headers of [new Headers(signed(secret)), Object.fromEntries(upper)]) {
    t.strictSame(await verifyWebhook({ body: text, headers, secret, now }), event);
  }
});

t.test("one of several secrets is enough, and one of several signatures", async (t) => {
  const headers = signed(secrets.prefixed);
  const rotated = [secrets.plain, secrets.prefixed];
  t.strictSame(await verifyWebhook({ body: text, headers, secret: rotated, now }), event);
  const signatures = `v1,${Buffer.alloc(32).toString("base64")} v1a,abc ${headers["webhook-signature"]}`;
  const many = { ...headers, "webhook-signature": signatures };
  t.strictSame(await verifyWebhook({ body: text, headers: many, secret: secrets.prefixed, now }), event);
});

const secret = secrets.plain;
const good = signed(secret);
const other = signed("another secret");
const flipped = (base64: string) => base64.replace(/.(?==?$)/, (last) => (last === "A" ? "B" : "A"));

const tampered: Record<string, [headers: Record<string, string | undefined>, body?: string]> = {
  "another body": [good, text.replace("Zoë", "Zoe")],
  "a body with a space more": [good, `${text} `],
  "an empty body": [good, ""],
  "another secret": [other],
  "another id": [{ ...good, "webhook-id": "another" }],
  "another time": [{ ...good, "webhook-timestamp": String(now + 1) }],
  "a part of the id that went over into the time": [
    { ...good, "webhook-id": `${id}.1`, "webhook-timestamp": String(now).slice(1) },
  ],
  "no id": [{ ...good, "webhook-id": undefined }],
  "no time": [{ ...good, "webhook-timestamp": undefined }],
  "no signature of Standard Webhooks": [{ ...good, "webhook-signature": undefined }],
  "an empty signature": [{ ...good, "webhook-signature": "" }],
  "a signature without its version": [{ ...good, "webhook-signature": good["webhook-signature"]?.slice(3) }],
  "a signature of another version": [
    { ...good, "webhook-signature": good["webhook-signature"]?.replace("v1", "v2") },
  ],
  "a changed signature": [{ ...good, "webhook-signature": flipped(good["webhook-signature"] ?? "") }],
  "half a signature": [{ ...good, "webhook-signature": good["webhook-signature"]?.slice(0, 23) }],
  "a signature in hex": [
    { ...good, "webhook-signature": `v1,${good["x-service-signature"]?.slice("sha256=".length)}` },
  ],
  "a wrong X-Service-Signature": [{ ...good, "x-service-signature": `sha256=${"0".repeat(64)}` }],
  "an X-Service-Signature of another secret": [
    { ...good, "x-service-signature": other["x-service-signature"] },
  ],
  "an X-Service-Signature without its algorithm": [
    { ...good, "x-service-signature": good["x-service-signature"]?.slice("sha256=".length) },
  ],
  "an empty X-Service-Signature": [{ ...good, "x-service-signature": "" }],
  "the signature of an empty key": [
    {
      ...good,
      "webhook-signature": `v1,${createHmac("sha256", "").update(`${id}.${now}.${text}`).digest("base64")}`,
    },
  ],
  "a time that is none": [signedAt("soon")],
  "a negative time": [signedAt(`-${now}`)],
  "a time with a fraction": [signedAt(`${now}.5`)],
};

/** Rightly signed over a time that is none. */
function signedAt(timestamp: string): Record<string, string> {
  const mac = createHmac("sha256", secret).update(`${id}.${timestamp}.${text}`).digest("base64");
  return { ...signed(secret), "webhook-timestamp": timestamp, "webhook-signature": `v1,${mac}` };
}

for (const [name, [headers, body = text]] of Object.entries(tampered)) {
  t.test(`refused: ${name}`, async (t) => {
    await t.rejects(verifyWebhook({ body, headers, secret, now }), { name: "WebhookVerificationError" });
  });
}

t.test("each byte of the body counts", async (t) => {
  const bytes = Buffer.from(text);
  for (let place = 0; place < bytes.length; place++) {
    const body = Buffer.from(bytes);
    body[place] = (body[place] ?? 0) ^ 1;
    await t.rejects(verifyWebhook({ body, headers: good, secret, now }), WebhookVerificationError);
  }
});

t.test("a delivery may be five minutes old, or as much ahead, and no more", async (t) => {
  for (const offset of [-300, 0, 300]) {
    t.strictSame(await verifyWebhook({ body: text, headers: good, secret, now: now + offset }), event);
  }
  const late = { body: text, headers: good, secret, now: now + 301 };
  await t.rejects(verifyWebhook(late), { message: "webhook-timestamp is too old" });
  await t.rejects(verifyWebhook({ ...late, now: now - 301 }), {
    message: "webhook-timestamp is in the future",
  });
  t.strictSame(await verifyWebhook({ ...late, toleranceSeconds: 301 }), event);
  await t.rejects(
    verifyWebhook({ body: text, headers: good, secret }),
    WebhookVerificationError,
    "the real time",
  );
});

t.test("without X-Service-Signature the other one decides alone", async (t) => {
  const { "x-service-signature": _, ...headers } = good;
  t.strictSame(await verifyWebhook({ body: text, headers, secret, now }), event);
  const wrong = { ...headers, "webhook-signature": other["webhook-signature"] };
  await t.rejects(verifyWebhook({ body: text, headers: wrong, secret, now }), WebhookVerificationError);
});

t.test("the two signatures of two secrets do not make one of either", async (t) => {
  const headers = { ...good, "x-service-signature": other["x-service-signature"] };
  const both = [secret, "another secret"];
  await t.rejects(verifyWebhook({ body: text, headers, secret: both, now }), WebhookVerificationError);
});

t.test("a body that was signed and is no JSON is refused", async (t) => {
  const headers = signed(secret, "not JSON");
  await t.rejects(verifyWebhook({ body: "not JSON", headers, secret, now }), {
    message: "the body is no JSON",
  });
});

t.test("a mistake of the receiver's own is a TypeError that names it", async (t) => {
  const wrong = (changes: object) => verifyWebhook({ body: text, headers: good, secret, now, ...changes });
  await t.rejects(wrong({ body: event }), { name: "TypeError", message: /^body .*raw/ });
  for (const bad of ["", undefined, "whsec_", "whsec_!", "whsec_abc"]) {
    await t.rejects(wrong({ secret: bad }), { name: "TypeError", message: /^secret / }, String(bad));
  }
  await t.rejects(wrong({ secret: [] }), { name: "TypeError", message: /^secret / });
});
