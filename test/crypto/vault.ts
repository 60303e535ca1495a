import { createDecipheriv, createHash, randomBytes } from "node:crypto";
import t from "tap";
import { createVault, secretPeppers } from "../../src/crypto/vault.ts";

const key = randomBytes(32);
const vault = createVault([key]);
const place = { tenantId: "tenant-1", type: "webhook", id: "id-1" };

t.test("what was sealed is opened again, whatever it is", async (t) => {
  for (const secret of ["", "s", "päßwörter 🎟\0\n", "x".repeat(100_000)]) {
    t.equal(vault.open(vault.seal(secret, place), place), secret);
  }
});

t.test("the same secret is sealed differently each time, and cannot be read", async (t) => {
  const sealed = Array.from({ length: 1000 }, () => vault.seal("hunter2-hunter2", place));
  t.equal(new Set(sealed.map((text) => text.split(".")[2])).size, 1000, "each has its own nonce");
  t.ok(sealed.every((text) => !Buffer.from(text.split(".")[3] ?? "", "base64url").includes("hunter2")));
});

t.test("a sealed text is AES-256-GCM with tenant, type and id as associated data", async (t) => {
  const [version, keyId, nonce = "", body = ""] = vault.seal("secret", place).split(".");
  t.equal(version, "v1");
  t.equal(keyId, createHash("sha256").update(key).digest("base64url").slice(0, 6));
  const bytes = Buffer.from(body, "base64url");
  const decipher = createDecipheriv("aes-256-gcm", key, Buffer.from(nonce, "base64url"))
    .setAAD(Buffer.from('["tenant-1","webhook","id-1"]'))
    .setAuthTag(bytes.subarray(-16));
  t.equal(Buffer.concat([decipher.update(bytes.subarray(0, -16)), decipher.final()]).toString(), "secret");
});

t.test("a secret moved to another tenant, type or id is refused", async (t) => {
  const sealed = vault.seal("secret", place);
  const others = [
    { ...place, tenantId: "tenant-2" },
    { ...place, tenantId: null },
    { ...place, type: "provider" },
    { ...place, id: "id-2" },
    // What is joined must not read the same when it is cut elsewhere.
    { tenantId: 'tenant-1","webhook', type: "id-1", id: "" },
    { tenantId: "tenant-1webhook", type: "", id: "id-1" },
  ];
  for (const other of others) t.throws(() => vault.open(sealed, other), JSON.stringify(other));
  const ofSystem = vault.seal("secret", { ...place, tenantId: null });
  t.throws(() => vault.open(ofSystem, { ...place, tenantId: "null" }));
  t.throws(() => vault.open(ofSystem, place));
});

t.test("any flipped bit of nonce, ciphertext or tag is refused", async (t) => {
  const [version, keyId, ...parts] = vault.seal("secret", place).split(".");
  let tried = 0;
  for (const [part, text] of parts.entries()) {
    const bytes = Buffer.from(text, "base64url");
    for (let bit = 0; bit < bytes.length * 8; bit += 1) {
      const flipped = Buffer.from(bytes);
      flipped.writeUInt8(flipped.readUInt8(bit >> 3) ^ (1 << (bit & 7)), bit >> 3);
      const forged = parts.with(part, flipped.toString("base64url"));
      tried += 1;
      try {
        vault.open([version, keyId, ...forged].join("."), place);
        t.fail(`bit ${bit} of part ${part} was not missed`);
      } catch {}
    }
  }
  t.equal(tried, (12 + 6 + 16) * 8);
});

t.test("a shortened tag is refused: it would be guessed in no time", async (t) => {
  const [version, keyId, nonce, body = ""] = vault.seal("", place).split(".");
  const tag = Buffer.from(body, "base64url");
  for (const length of [15, 14, 13, 12, 8, 4, 0]) {
    const forged = [version, keyId, nonce, tag.subarray(0, length).toString("base64url")].join(".");
    t.throws(() => vault.open(forged, place), `a tag of ${length} bytes`);
  }
});

t.test("texts that were never sealed are refused", async (t) => {
  const sealed = vault.seal("secret", place);
  const texts = [
    "",
    "v1",
    "v1...",
    "plain text",
    sealed.replace("v1", "v2"),
    sealed.split(".").slice(0, 3).join("."),
  ];
  for (const text of texts) t.throws(() => vault.open(text, place), JSON.stringify(text));
});

t.test("the first master key encrypts, and all decrypt", async (t) => {
  const newer = randomBytes(32);
  const rotated = createVault([newer, key]);
  t.equal(rotated.open(vault.seal("old", place), place), "old");
  const sealed = rotated.seal("new", place);
  t.equal(createVault([newer]).open(sealed, place), "new");
  t.throws(() => vault.open(sealed, place), "the old key alone does not open what is new");
});

t.test("a master key that is not configured is said to be missing, without anything secret", async (t) => {
  const sealed = createVault([randomBytes(32)]).seal("hunter2", place);
  t.throws(() => vault.open(sealed, place), {
    message: "A secret of type webhook is sealed under a master key that is not configured.",
  });
});

t.test("peppers follow from the master keys, one each, and are not the keys", async (t) => {
  const other = randomBytes(32);
  const [first, second] = secretPeppers([key, other]);
  t.strictSame(secretPeppers([key]), [first], "the same in every process");
  t.strictSame(secretPeppers([other]), [second]);
  t.notSame(first, key);
  t.equal(first.length, 32);
});

t.test("a text too short for a tag is said to be cut short", async (t) => {
  const [version, keyId, nonce] = vault.seal("", place).split(".");
  t.throws(() => vault.open(`${version}.${keyId}.${nonce}.AAAA`, place), { message: /cut short/ });
});
