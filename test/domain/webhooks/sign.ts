import { execFileSync } from "node:child_process";
import { createHmac } from "node:crypto";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { Webhook } from "standardwebhooks";
import t from "tap";
import { secretViolations, signatureHeaders } from "../../../src/domain/webhooks/sign.ts";

const nowMs = Date.now();
const delivery = {
  deliveryId: "0193a0b4-7c11-7abc-8def-0123456789ab",
  eventType: "pass.created",
  body: '{"id":"x","data":{"name":"Zoë 🎟"}}',
  secret: "correct horse battery staple",
  nowMs,
};
const whsec = `whsec_${Buffer.from("0123456789abcdef0123456789abcdef").toString("base64")}`;

/** HMAC-SHA256 in hex as the openssl command computes it. */
function opensslHmac(keyHex: string, text: string): string {
  const file = join(t.testdirName, "signed");
  writeFileSync(file, text);
  const macOptions = ["-mac", "HMAC", "-macopt", `hexkey:${keyHex}`];
  const told = execFileSync("openssl", ["dgst", "-sha256", ...macOptions, file], { encoding: "utf8" });
  return told.trim().split(/[= ]+/).at(-1) ?? "";
}

t.testdir();

t.test(
  "a delivery bears the three documented headers and those of Standard Webhooks, no others",
  async (t) => {
    t.match(signatureHeaders(delivery), {
      "X-Service-Signature": /^sha256=[0-9a-f]{64}$/,
      "X-Service-Event": "pass.created",
      "X-Service-Delivery": delivery.deliveryId,
      "webhook-id": delivery.deliveryId,
      "webhook-timestamp": String(Math.floor(nowMs / 1000)),
      "webhook-signature": /^v1,[A-Za-z0-9+/]{43}=$/,
    });
    t.equal(Object.keys(signatureHeaders(delivery)).length, 6);
  },
);

t.test("openssl computes the same signatures, of the UTF-8 bytes of the body", async (t) => {
  const headers = signatureHeaders(delivery);
  const keyHex = Buffer.from(delivery.secret).toString("hex");
  t.equal(headers["X-Service-Signature"], `sha256=${opensslHmac(keyHex, delivery.body)}`);
  const signed = `${delivery.deliveryId}.${Math.floor(nowMs / 1000)}.${delivery.body}`;
  t.equal(
    headers["webhook-signature"],
    `v1,${Buffer.from(opensslHmac(keyHex, signed), "hex").toString("base64")}`,
  );
});

t.test("the Standard Webhooks library verifies what we sign, with either form of secret", async (t) => {
  for (const secret of [delivery.secret, whsec, "päßwörter 🎟"]) {
    const headers = signatureHeaders({ ...delivery, secret });
    const receiver =
      secret === whsec ? new Webhook(secret) : new Webhook(Buffer.from(secret), { format: "raw" });
    t.strictSame(receiver.verify(Buffer.from(delivery.body), headers), JSON.parse(delivery.body), secret);
    t.throws(() => receiver.verify(`${delivery.body} `, headers), "another body is refused");
    t.throws(() => receiver.verify(delivery.body, { ...headers, "webhook-id": "another" }));
  }
});

t.test(
  "X-Service-Signature is keyed with the secret as it was given, also one that begins with whsec_",
  async (t) => {
    const headers = signatureHeaders({ ...delivery, secret: whsec });
    t.equal(
      headers["X-Service-Signature"],
      `sha256=${opensslHmac(Buffer.from(whsec).toString("hex"), delivery.body)}`,
    );
  },
);

t.test("each attempt has its own timestamp and the same delivery id", async (t) => {
  const later = signatureHeaders({ ...delivery, nowMs: nowMs + 60_000 });
  t.equal(later["webhook-timestamp"], String(Math.floor(nowMs / 1000) + 60));
  t.equal(later["webhook-id"], delivery.deliveryId);
  t.not(later["webhook-signature"], signatureHeaders(delivery)["webhook-signature"]);
  t.equal(later["X-Service-Signature"], signatureHeaders(delivery)["X-Service-Signature"]);
});

t.test(
  "a secret that promises base64 and holds none is not usable, and never signs with an empty key",
  async (t) => {
    const withEmptyKey = createHmac("sha256", "")
      .update(`${delivery.deliveryId}.${Math.floor(nowMs / 1000)}.${delivery.body}`)
      .digest("base64");
    for (const rest of ["", "====", "!!!!", "a", "YWJj!", "YWI", "YWJjZA", "päß", " YWJj", "YWJj\n"]) {
      const secret = `whsec_${rest}`;
      t.match(secretViolations(secret), [{ path: "/secret", message: /base64/ }], JSON.stringify(secret));
      t.not(signatureHeaders({ ...delivery, secret })["webhook-signature"], `v1,${withEmptyKey}`);
    }
    for (const secret of [
      whsec,
      "whsec_YQ==",
      "whsec_YWI=",
      "whsec_YWJj",
      delivery.secret,
      "whse",
      "x whsec_",
    ]) {
      t.strictSame(secretViolations(secret), [], secret);
    }
  },
);
