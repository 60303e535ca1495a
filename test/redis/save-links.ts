import { generateKeyPairSync } from "node:crypto";
import t from "tap";
import { signJwt } from "../../src/providers/google/sign-jwt.ts";
import { packLink, unpackLink } from "../../src/redis/save-links.ts";

const { privateKey } = generateKeyPairSync("rsa", { modulusLength: 2048 });
const pem = privateKey.export({ type: "pkcs8", format: "pem" }).toString();
const claims = { iss: "a@b.iam.gserviceaccount.com", payload: { loyaltyObjects: [{ id: "1.zoë" }] } };
const save = "https://pay.google.com/gp/v/save/";

t.test("a Google link takes a quarter less and comes back character for character", async (t) => {
  for (const key of [{ privateKey: pem }, { privateKey: pem, privateKeyId: "4f1d" }]) {
    const link = save + signJwt(claims, key);
    const packed = packLink(link);
    t.ok(packed.length < 0.75 * link.length, `${packed.length} of ${link.length}`);
    t.equal(unpackLink(packed), link);
  }
});

t.test("any other link is kept as it is", async (t) => {
  for (const link of [
    "/p/abc/pass.pkpass",
    "https://passes.example.com/p/abc/pass.pkpass",
    "http://127.0.0.1:8090/save/é",
    `${save}a.b`,
    `${save}a.b.c.d`,
    `${save}YQ.YQ==.YQ`,
    `${save}YR.YQ.YQ`,
    save,
    "",
  ]) {
    t.equal(packLink(link).toString(), link);
    t.equal(unpackLink(packLink(link)), link);
  }
});
