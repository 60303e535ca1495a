import { execFileSync } from "node:child_process";
import { randomBytes } from "node:crypto";
import { Webhook as StandardWebhook } from "standardwebhooks";
import t from "tap";
import { signatureHeaders } from "../../../src/domain/webhooks/sign.ts";

const body = '{"id":"01a1fd96-0222-71de-8872-df3fa6be3362","data":{"name":"Zoë 🎟"}}';
const delivery = { deliveryId: "01a1fd96-0222-7abc-8872-df3fa6be3362", eventType: "pass.created", body };

/** An HMAC-SHA256 by OpenSSL. */
function openssl(key: Buffer, text: string): Buffer {
  const args = ["dgst", "-sha256", "-mac", "HMAC", "-macopt", `hexkey:${key.toString("hex")}`, "-binary"];
  return execFileSync("openssl", args, { input: text });
}

for (const secret of [
  "correct horse battery",
  "p@ßwörter🔑",
  `whsec_${randomBytes(32).toString("base64")}`,
]) {
  t.test(
    `a delivery is signed as OpenSSL and Standard Webhooks' own verifier say: ${secret.slice(0, 9)}`,
    async (t) => {
      const headers = signatureHeaders({ ...delivery, secret, nowMs: Date.now() });
      const hex = openssl(Buffer.from(secret), body).toString("hex");
      t.match(headers, {
        "X-Service-Signature": `sha256=${hex}`,
        "X-Service-Event": "pass.created",
        "X-Service-Delivery": delivery.deliveryId,
        "webhook-id": delivery.deliveryId,
      });
      const verifier = secret.startsWith("whsec_")
        ? new StandardWebhook(secret)
        : new StandardWebhook(Buffer.from(secret), { format: "raw" });
      t.strictSame(verifier.verify(body, headers), JSON.parse(body));
      t.throws(() => verifier.verify(`${body} `, headers));
    },
  );
}

t.test("each attempt has a signature of its own time, and the same id", async (t) => {
  const [first, second] = [0, 61_999].map((nowMs) =>
    signatureHeaders({ ...delivery, secret: "12345678", nowMs }),
  );
  t.equal(first?.["webhook-timestamp"], "0");
  t.equal(second?.["webhook-timestamp"], "61");
  t.not(first?.["webhook-signature"], second?.["webhook-signature"]);
  t.equal(first?.["X-Service-Signature"], second?.["X-Service-Signature"]);
  t.equal(first?.["webhook-id"], second?.["webhook-id"]);
});

t.test("a prefix with nothing usable behind it is a secret like any other, not an empty key", async (t) => {
  const secret = "whsec_!!";
  const headers = signatureHeaders({ ...delivery, secret, nowMs: 0 });
  const expected = openssl(Buffer.from(secret), `${delivery.deliveryId}.0.${body}`).toString("base64");
  t.equal(headers["webhook-signature"], `v1,${expected}`);
});
