import { execFileSync } from "node:child_process";
import { createHash, createPrivateKey, createPublicKey, sign, verify } from "node:crypto";
import t from "tap";
import { mintSigningKey } from "../../src/crypto/signing-key-mint.ts";

const [one, other] = await Promise.all([mintSigningKey(), mintSigningKey()]);
const openssl = (...args: string[]): string =>
  execFileSync("openssl", args, {
    input: one.privateKey,
    encoding: "utf8",
    stdio: ["pipe", "pipe", "ignore"],
  });

t.test("a key is RSA of 3072 bits with the exponent 65537", async (t) => {
  t.match(openssl("rsa", "-noout", "-text"), /3072 bit/);
  t.match(openssl("rsa", "-noout", "-text"), /publicExponent: 65537/);
  t.match(one.privateKey, /^-----BEGIN PRIVATE KEY-----/, "PKCS #8");
  t.not(one.kid, other.kid);
});

t.test("the kid is the RFC 7638 thumbprint of what openssl says the public key is", async (t) => {
  const modulus = openssl("rsa", "-noout", "-modulus").trim().replace("Modulus=", "");
  const n = Buffer.from(modulus, "hex").toString("base64url");
  const thumbprint = createHash("sha256").update(`{"e":"AQAB","kty":"RSA","n":"${n}"}`).digest("base64url");
  t.strictSame(one.publicJwk, { kty: "RSA", n, e: "AQAB", kid: thumbprint, alg: "RS256", use: "sig" });
  t.equal(one.kid, thumbprint);
});

t.test("the halves belong together", async (t) => {
  const signature = sign("sha256", Buffer.from("text"), createPrivateKey(one.privateKey));
  const verifies = ({ publicJwk }: typeof one): boolean =>
    verify(
      "sha256",
      Buffer.from("text"),
      createPublicKey({ key: { ...publicJwk }, format: "jwk" }),
      signature,
    );
  t.ok(verifies(one));
  t.notOk(verifies(other));
});
