import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import t from "tap";
import { systemClock } from "../../../src/domain/clock.ts";
import { PasswrightError } from "../../../src/domain/errors.ts";
import {
  type AppleCredentialsInput,
  checkAppleCredentials,
} from "../../../src/providers/apple/credentials.ts";
import {
  createAuthority,
  type Leaf,
  openssl,
  passTypeIdentifier,
  teamIdentifier,
} from "./fixtures/authority.ts";

const dir = t.testdir();
const authority = createAuthority(dir);
const day = 86_400_000;
const rsa = authority.leaf("rsa");
const ec = authority.leaf("ec", { kind: "ec" });
const inputOf = (leaf: Leaf, other: Partial<AppleCredentialsInput> = {}): AppleCredentialsInput => ({
  ...leaf,
  wwdr: authority.intermediate,
  ...other,
});
const check = (input: AppleCredentialsInput, nowMs = Date.now()) =>
  checkAppleCredentials({ clock: { nowMs: () => nowMs } }, input);

/** The sentence with which an input is refused. */
async function refusal(input: AppleCredentialsInput, nowMs?: number): Promise<string> {
  try {
    await check(input, nowMs);
  } catch (error) {
    if (error instanceof PasswrightError && error.code === "invalid_configuration") return error.detail;
    throw error;
  }
  return "accepted";
}

function file(name: string, content: string): string {
  writeFileSync(join(dir, name), content);
  return name;
}
const der = (name: string) => readFileSync(join(dir, name));

t.test("a Pass Type ID certificate with its key and issuer is accepted, RSA and EC", async (t) => {
  for (const leaf of [rsa, ec]) {
    t.strictSame(await checkAppleCredentials({ clock: systemClock }, inputOf(leaf)), {
      certificate: leaf.certificate,
      key: leaf.key,
      wwdr: authority.intermediate,
      passTypeIdentifier,
      teamIdentifier,
      apnsUrl: "https://api.push.apple.com",
    });
  }
});

t.test("a push key is kept beside them, if it is one", async (t) => {
  const kept = await check(inputOf(rsa, { pushKey: { key: ec.key, keyId: "KEY1234567" } }));
  t.strictSame(kept.pushKey, { key: ec.key, keyId: "KEY1234567" });
  const withKey = (key: string, keyId: string) => refusal(inputOf(rsa, { pushKey: { key, keyId } }));
  t.match(await withKey(rsa.key, "KEY1234567"), /not one for APNs: those are EC keys/);
  t.match(await withKey(ec.key, "key"), /ten capital letters and digits/);
  t.match(await withKey("nothing", "KEY1234567"), /neither PEM nor DER/);
});

t.test("DER is taken like PEM, and kept as PEM", async (t) => {
  for (const [name, leaf, key] of [
    ["rsa", rsa, ["pkcs8", "-topk8", "-nocrypt"]],
    ["rsa-traditional", rsa, ["rsa", "-traditional"]],
    ["ec", ec, ["pkcs8", "-topk8", "-nocrypt"]],
    ["ec-sec1", ec, ["ec"]],
  ] as const) {
    file(`${name}-in.pem`, leaf.certificate);
    file(`${name}-in.key`, leaf.key);
    openssl(dir, "x509", "-in", `${name}-in.pem`, "-outform", "DER", "-out", `${name}.cer`);
    openssl(dir, ...key, "-in", `${name}-in.key`, "-outform", "DER", "-out", `${name}.der`);
    openssl(dir, "x509", "-in", authority.intermediateFile, "-outform", "DER", "-out", "wwdr.cer");
    const kept = await check({
      certificate: der(`${name}.cer`),
      key: der(`${name}.der`),
      wwdr: der("wwdr.cer"),
    });
    t.equal(kept.certificate, leaf.certificate, name);
    t.equal(kept.key, leaf.key, name);
    t.equal(kept.wwdr, authority.intermediate, name);
  }
});

t.test("an encrypted key opens with its passphrase only", async (t) => {
  file("plain.key", rsa.key);
  const pass = ["-passout", "pass:correct horse"];
  openssl(dir, "pkcs8", "-topk8", "-in", "plain.key", "-out", "pkcs8.key", ...pass);
  openssl(dir, "pkcs8", "-topk8", "-in", "plain.key", "-outform", "DER", "-out", "pkcs8.der", ...pass);
  openssl(dir, "rsa", "-in", "plain.key", "-traditional", "-aes256", "-out", "traditional.key", ...pass);
  for (const name of ["pkcs8.key", "traditional.key", "pkcs8.der"]) {
    const key = der(name);
    t.match(await refusal(inputOf(rsa, { key })), /encrypted, and no passphrase was given/, name);
    t.match(await refusal(inputOf(rsa, { key, keyPassphrase: "wrong" })), /passphrase does not open/, name);
    const kept = await check(inputOf(rsa, { key, keyPassphrase: "correct horse" }));
    const isPem = name.endsWith(".key");
    t.equal(kept.keyPassphrase, isPem ? "correct horse" : undefined, name);
    t.equal(kept.key, isPem ? key.toString() : rsa.key, name);
  }
});

t.test("a passphrase for a key that needs none is not kept", async (t) => {
  const kept = await check(inputOf(rsa, { keyPassphrase: "superfluous" }));
  t.notOk("keyPassphrase" in kept);
});

t.test("an old cipher is named as the reason", async (t) => {
  file("plain.key", rsa.key);
  openssl(
    dir,
    ...["pkcs8", "-topk8", "-v1", "PBE-MD5-DES", "-provider", "legacy", "-provider", "default"],
    ...["-in", "plain.key", "-out", "legacy.key", "-passout", "pass:x"],
  );
  const refused = await refusal(inputOf(rsa, { key: der("legacy.key"), keyPassphrase: "x" }));
  t.match(refused, /cipher that OpenSSL 3 no longer supports/);
});

t.test("what is not a certificate or a key is said to be none", async (t) => {
  const cut = rsa.certificate.replace(/\n[^-\n]+\n-----END/, "\n-----END");
  for (const certificate of ["", "hello", cut, rsa.key, Buffer.from([0x30, 0x03, 1]), Buffer.alloc(0)]) {
    t.match(await refusal(inputOf(rsa, { certificate })), /^The certificate is not a certificate/);
    t.match(await refusal(inputOf(rsa, { wwdr: certificate })), /^The WWDR certificate is not a certificate/);
  }
  const publicKey = "-----BEGIN PUBLIC KEY-----\nMFkw\n-----END PUBLIC KEY-----\n";
  for (const key of [
    "",
    "hello",
    rsa.certificate,
    publicKey,
    Buffer.from([0x30, 0x03, 1]),
    Buffer.alloc(0),
  ]) {
    t.match(await refusal(inputOf(rsa, { key })), /^The key is not a private key/);
  }
});

t.test("the key of another certificate does not belong to this one", async (t) => {
  for (const key of [authority.leaf("other").key, ec.key]) {
    t.match(await refusal(inputOf(rsa, { key })), /does not belong to the certificate/);
  }
});

t.test(
  "a certificate of another kind is not a Pass Type ID certificate, and what it lacks is named",
  async (t) => {
    const lacking = (name: string, subject: string, appleExtension: boolean) =>
      refusal(inputOf(authority.leaf(name, { subject, appleExtension, kind: "ec" })));
    t.match(
      await lacking("no-uid", "/OU=TEAM/CN=x", true),
      /«OU=TEAM, CN=x».*not a Pass Type ID.*lacks a UID with[^,]*identifier\. Give/,
    );
    t.match(await lacking("no-ou", "/UID=pass.x/CN=x", true), /lacks an OU with the team identifier\. Give/);
    t.match(
      await lacking("no-extension", "/UID=pass.x/OU=T", false),
      /lacks Apple's extension 1\.2\.840\.113635/,
    );
    t.match(await lacking("nothing", "/CN=x", false), /lacks a UID .* and an OU .* and Apple's extension/);
  },
);

t.test("a certificate whose CN or extension names another pass type than its UID is refused", async (t) => {
  const subject = `/UID=${passTypeIdentifier}/CN=Pass Type ID: pass.other/OU=TEAM`;
  const byName = await refusal(inputOf(authority.leaf("other-name", { kind: "ec", subject })));
  t.match(byName, /contradicts itself.*UID is pass\.example\.loyalty, its CN says pass\.other/);
  const extension = await refusal(
    inputOf(authority.leaf("other-extension", { kind: "ec", extension: "pass.other" })),
  );
  t.match(
    extension,
    /contradicts itself.*its CN says pass\.example\.loyalty, and Apple's extension pass\.other/,
  );
});

t.test("a certificate of another pass type or team than expected is refused", async (t) => {
  const expecting = (expected: NonNullable<AppleCredentialsInput["expected"]>) =>
    refusal(inputOf(rsa, { expected }));
  t.equal(await expecting({ passTypeIdentifier, teamIdentifier }), "accepted");
  t.equal(await expecting({ passTypeIdentifier: null }), "accepted");
  t.match(
    await expecting({ passTypeIdentifier: "pass.other" }),
    /is for the pass type pass\.example\.loyalty, and pass\.other is expected.*--pass-type-id pass\.example\.loyalty/,
  );
  t.match(
    await expecting({ teamIdentifier: "ZZZZZZZZZZ" }),
    /is of the team A1B2C3D4E5, and ZZZZZZZZZZ is expected.*--team-id/,
  );
});

t.test("certificates outside their time are refused with the date", async (t) => {
  const shortLived = createAuthority(dir, { name: "short", days: 10 });
  const leaf = shortLived.leaf("leaf", { days: 100, kind: "ec" });
  const input = { ...leaf, wwdr: shortLived.intermediate };
  const dateIn = (days: number) => new Date(Date.now() + days * day).toISOString().slice(0, 10);
  t.equal(await refusal(input), "accepted");
  t.match(await refusal(input, Date.now() + 101 * day), `The certificate expired on ${dateIn(100)}`);
  t.match(await refusal(input, Date.now() - day), `The certificate is not valid before ${dateIn(0)}`);
  t.match(await refusal(input, Date.now() + 11 * day), `The WWDR certificate expired on ${dateIn(10)}`);
});

t.test("the WWDR certificate must be given, and be the issuer by name and by signature", async (t) => {
  const { wwdr: _, ...without } = inputOf(rsa);
  t.match(await refusal(without), /No WWDR certificate was given.*Example Worldwide Developer Relations/);

  const root = readFileSync(join(dir, authority.rootFile), "utf8");
  t.match(
    await refusal(inputOf(rsa, { wwdr: root })),
    /not the issuer: the certificate was issued by «.*Developer Relations.*», and what was given is «.*Example Root ca/,
  );

  const namesake = createAuthority(dir, { name: "namesake" });
  t.match(await refusal(inputOf(rsa, { wwdr: namesake.intermediate })), /did not sign the certificate/);

  const bundle = [root, namesake.intermediate, authority.intermediate].join("Subject: something\n");
  t.equal((await check(inputOf(rsa, { wwdr: bundle }))).wwdr, authority.intermediate, "picked from a bundle");
});

t.test("weak keys, other curves and other kinds are refused", async (t) => {
  const refusalOf = (kind: "rsa1024" | "p384" | "ed25519") =>
    refusal(inputOf(authority.leaf(kind, { kind })));
  t.match(await refusalOf("rsa1024"), /1024 bits; passes need at least 2048/);
  t.match(await refusalOf("p384"), /curve secp384r1; passes need P-256/);
  t.match(await refusalOf("ed25519"), /kind ed25519; passes need RSA, or EC/);
});

t.test(
  "of an export with key and chain in one file, the pass certificate and the key are found",
  async (t) => {
    const everything = `Bag Attributes\n    localKeyID: 01\n${authority.intermediate}${rsa.certificate}${rsa.key}`;
    const kept = await check({ certificate: everything, key: everything, wwdr: everything });
    t.equal(kept.certificate, rsa.certificate);
    t.equal(kept.wwdr, authority.intermediate);
  },
);

t.test("a damaged key that still has the certificate's public part fails the probe", async (t) => {
  file("damage.key", rsa.key);
  openssl(dir, "rsa", "-in", "damage.key", "-traditional", "-outform", "DER", "-out", "damage.der");
  const damaged = der("damage.der");
  // OpenSSL repairs a wrong CRT coefficient, the last octets, by the private exponent, which follows 65537.
  for (const at of [damaged.length - 1, damaged.indexOf("0203010001", "hex") + 25]) {
    damaged.writeUInt8(damaged.readUInt8(at) ^ 0xff, at);
  }
  t.match(await refusal(inputOf(rsa, { key: damaged })), /probe signature.*failed/);
});

t.test("the APNs address is an origin", async (t) => {
  const kept = await check(inputOf(ec, { apnsUrl: "https://127.0.0.1:8443/" }));
  t.equal(kept.apnsUrl, "https://127.0.0.1:8443");
  for (const apnsUrl of [
    "",
    "api.push.apple.com",
    "ftp://a",
    "https://a/3/device",
    "https://u:p@a",
    "https://a?x",
  ]) {
    t.match(await refusal(inputOf(ec, { apnsUrl })), /APNs address/, apnsUrl);
  }
});

t.test("no refusal shows the key or the passphrase", async (t) => {
  file("plain.key", rsa.key);
  openssl(
    dir,
    "pkcs8",
    "-topk8",
    "-in",
    "plain.key",
    "-out",
    "secret.key",
    "-passout",
    "pass:hunter2hunter2",
  );
  const key = der("secret.key").toString();
  const body = key.split("\n")[3] ?? "";
  for (const keyPassphrase of ["hunter3hunter3", "hunter2hunter2"]) {
    const input = inputOf(ec, { key, keyPassphrase });
    const error = await check(input).then(
      () => null,
      (thrown: unknown) => thrown,
    );
    t.type(error, PasswrightError);
    const shown =
      error instanceof PasswrightError ? `${error.stack} ${error.detail} ${String(error.cause)}` : "";
    t.notMatch(shown, keyPassphrase);
    t.ok(body.length > 40 && !shown.includes(body));
  }
});
