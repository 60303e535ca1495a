import { writeFileSync } from "node:fs";
import { join } from "node:path";
import t from "tap";
import { certificatesIn, readCertificate } from "../../../src/providers/apple/certificate.ts";
import { createAuthority, openssl } from "./fixtures/authority.ts";

const dir = t.testdir();
const authority = createAuthority(dir);

t.test("names and number are cut out of a certificate as OpenSSL sees them", async (t) => {
  authority.leaf("leaf", { kind: "ec" });
  const serial = openssl(dir, "x509", "-in", "ca-leaf.pem", "-noout", "-serial");
  const leaf = readCertificate(openssl(dir, "x509", "-in", "ca-leaf.pem"));
  const intermediate = readCertificate(authority.intermediate);
  t.equal(leaf.subjectUserId, "pass.example.loyalty");
  t.equal(leaf.subjectUnit, "A1B2C3D4E5");
  t.ok(leaf.isPassTypeCertificate);
  t.ok(leaf.issuer.equals(intermediate.subject));
  t.notOk(leaf.subject.equals(intermediate.subject));
  t.equal(
    `serial=${leaf.serialNumber.subarray(2).toString("hex").replace(/^00/, "").toUpperCase()}`,
    serial.trim(),
  );
  t.equal(leaf.notAfterMs - leaf.notBeforeMs, 365 * 86_400_000);
});

t.test("attributes that a subject lacks are null, and other extensions are not Apple's", async (t) => {
  const { certificate } = authority.leaf("plain", { subject: "/CN=x", appleExtension: false, kind: "ec" });
  t.match(readCertificate(certificate), {
    subjectUserId: null,
    subjectUnit: null,
    isPassTypeCertificate: false,
  });
  t.equal(readCertificate(authority.intermediate).isPassTypeCertificate, false);
});

t.test("a subject may be written in any string type", async (t) => {
  for (const [mask, subject, unit] of [
    ["utf8only", "/UID=pass.x/OU=Tiimi €", "Tiimi €"],
    ["MASK:0x0800", "/UID=pass.x/OU=Tiimi €", "Tiimi €"],
    ["pkix", "/UID=pass.x/OU=TEAM", "TEAM"],
  ] as const) {
    openssl(dir, "ecparam", "-name", "prime256v1", "-genkey", "-noout", "-out", "string.key");
    writeFileSync(join(dir, "mask.cnf"), `[req]\nstring_mask = ${mask}\ndistinguished_name = dn\n[dn]\n`);
    const pem = openssl(
      dir,
      ...["req", "-new", "-x509", "-utf8", "-key", "string.key", "-subj", subject, "-config", "mask.cnf"],
    );
    t.equal(readCertificate(pem).subjectUnit, unit, mask);
  }
});

t.test("certificates in a text are found in order, other blocks passed over", async (t) => {
  const { certificate, key } = authority.leaf("first", { kind: "ec" });
  const text = `Bag Attributes: -\n${certificate}junk\n${key}${authority.intermediate}`;
  t.strictSame(
    certificatesIn(text).map((part) => `${part}\n`),
    [certificate, authority.intermediate],
  );
  t.equal(certificatesIn(Buffer.from(text)).length, 2);
  const { raw } = readCertificate(certificate).x509;
  t.strictSame(certificatesIn(raw), [raw]);
});
