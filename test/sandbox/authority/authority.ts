import { execFileSync } from "node:child_process";
import { createPrivateKey, X509Certificate } from "node:crypto";
import { readFileSync, rmSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import t from "tap";
import { openAuthority } from "../../../src/sandbox/authority/authority.ts";

const openssl = (...args: string[]) => execFileSync("openssl", args, { encoding: "utf8", stdio: "pipe" });
const wanted = { passTypeIdentifier: "pass.org.example.club", teamIdentifier: "ABCDE12345" };

const directory = t.testdir();
const authority = await openAuthority(join(directory, "authority"), Date.now);

function inFiles(certificate: string): string {
  writeFileSync(join(directory, "wwdr.pem"), authority.wwdrPem);
  writeFileSync(join(directory, "leaf.pem"), certificate);
  return join(directory, "leaf.pem");
}

for (const keyType of ["rsa", "ec"] as const) {
  t.test(`OpenSSL verifies an ${keyType} pass certificate strictly, as a TLS client's`, async (t) => {
    const { certificate, key } = await authority.issuePassCertificate({ ...wanted, keyType });
    const leaf = inFiles(certificate);
    const chain = ["-CAfile", authority.caFile, "-untrusted", join(directory, "wwdr.pem")];
    t.match(openssl("verify", "-x509_strict", "-purpose", "sslclient", ...chain, leaf), /: OK/);
    t.throws(() => openssl("verify", "-CAfile", authority.caFile, leaf), "the intermediate is needed");
    t.throws(() => openssl("verify", "-purpose", "sslserver", ...chain, leaf), "it is no server's");

    const parsed = new X509Certificate(certificate);
    t.ok(parsed.checkPrivateKey(createPrivateKey(key)));
    t.equal(parsed.publicKey.asymmetricKeyType, keyType);
    t.match(key, /^-----BEGIN PRIVATE KEY-----/);
  });
}

t.test("a pass certificate has the subject and the extensions of a real one", async (t) => {
  const { certificate } = await authority.issuePassCertificate({ ...wanted, keyType: "rsa" });
  const text = openssl("x509", "-in", inFiles(certificate), "-noout", "-text");
  t.match(
    text,
    "Subject: UID = pass.org.example.club, CN = Pass Type ID: pass.org.example.club, OU = ABCDE12345",
  );
  t.match(text, "Issuer: CN = Passwright Sandbox Worldwide Developer Relations, OU = G4");
  t.match(text, /TLS Web Client Authentication, 1\.2\.840\.113635\.100\.4\.14/);
  t.match(text, /1\.2\.840\.113635\.100\.6\.1\.16:\s+\.\.pass\.org\.example\.club/);
  t.match(text, /CA:FALSE/);
  const { validFrom, validTo } = new X509Certificate(certificate);
  const days = (Date.parse(validTo) - Date.now()) / 86_400_000;
  t.ok(Date.parse(validFrom) < Date.now() && days > 395 && days < 397, `${days} days`);
});

t.test("OpenSSL's CMS signs and verifies with the pass certificate and its chain", async (t) => {
  const { certificate, key } = await authority.issuePassCertificate({ ...wanted, keyType: "ec" });
  const leaf = inFiles(certificate);
  const path = (name: string) => join(directory, name);
  writeFileSync(path("leaf.key"), key);
  writeFileSync(path("manifest.json"), '{"pass.json":"…"}\n');
  const signing = ["-signer", leaf, "-inkey", path("leaf.key"), "-certfile", path("wwdr.pem")];
  const output = ["-in", path("manifest.json"), "-outform", "DER", "-out", path("signature")];
  openssl("cms", "-sign", "-binary", "-md", "sha256", ...signing, ...output);
  const against = ["-content", path("manifest.json"), "-CAfile", authority.caFile];
  openssl(
    "cms",
    "-verify",
    "-binary",
    "-inform",
    "DER",
    "-in",
    path("signature"),
    ...against,
    "-out",
    path("out"),
  );
  t.equal(readFileSync(path("out"), "utf8"), '{"pass.json":"…"}\n');
});

t.test("a server certificate holds for its names and addresses, under the root alone", async (t) => {
  const { certificate } = await authority.issueServerCertificate(["localhost", "127.0.0.1", "::1"]);
  const leaf = inFiles(certificate);
  const verify = (...more: string[]) =>
    openssl("verify", "-x509_strict", "-purpose", "sslserver", "-CAfile", authority.caFile, ...more, leaf);
  t.match(verify("-verify_hostname", "localhost"), /OK/);
  t.match(verify("-verify_ip", "127.0.0.1"), /OK/);
  t.match(verify("-verify_ip", "::1"), /OK/);
  t.throws(() => verify("-verify_hostname", "example.com"));
  t.throws(() => verify("-verify_ip", "127.0.0.2"));
});

t.test("an IPv6 address in the middle of its zeros is encoded whole", async (t) => {
  const { certificate } = await authority.issueServerCertificate(["2001:db8::17:0:4"]);
  t.match(new X509Certificate(certificate).subjectAltName, "IP Address:2001:DB8:0:0:0:17:0:4");
});

t.test("root and intermediate are what they say", async (t) => {
  const root = new X509Certificate(authority.rootPem);
  const wwdr = new X509Certificate(authority.wwdrPem);
  t.match(root.subject, "CN=Passwright Sandbox Root CA");
  t.ok(root.ca && wwdr.ca);
  t.ok(root.verify(root.publicKey) && wwdr.verify(root.publicKey));
  t.ok(wwdr.checkIssued(root));
  t.equal(readFileSync(authority.caFile, "utf8"), authority.rootPem);
});

t.test("reopened, it is the same authority", async (t) => {
  const again = await openAuthority(join(directory, "authority"), Date.now);
  t.equal(again.rootPem, authority.rootPem);
  const { certificate } = await again.issuePassCertificate({ ...wanted, keyType: "ec" });
  t.ok(new X509Certificate(certificate).verify(new X509Certificate(authority.wwdrPem).publicKey));
});

t.test("private keys are readable by the owner only", async (t) => {
  for (const name of ["root.key", "wwdr.key"]) {
    t.equal(statSync(join(directory, "authority", name)).mode & 0o777, 0o600, name);
  }
});

t.test("a first start that a crash cut short is made good", async (t) => {
  const home = t.testdir();
  const before = await openAuthority(home, Date.now);
  rmSync(join(home, "root.pem"));
  const after = await openAuthority(home, Date.now);
  t.not(after.rootPem, before.rootPem);
  t.ok(new X509Certificate(after.wwdrPem).verify(new X509Certificate(after.rootPem).publicKey));
});

t.test("a key that is not the root's is an error, not a broken chain", async (t) => {
  const home = t.testdir();
  await openAuthority(home, Date.now);
  writeFileSync(join(home, "root.key"), readFileSync(join(home, "wwdr.key")));
  await t.rejects(openAuthority(home, Date.now), { message: /root\.key does not belong/ });
});

t.test("dates from 2050 on are encoded as OpenSSL expects them", async (t) => {
  const home = t.testdir();
  const late = await openAuthority(home, () => Date.UTC(2049, 11, 1));
  const { certificate } = await late.issuePassCertificate({ ...wanted, keyType: "ec" });
  const end = openssl("x509", "-in", inFiles(certificate), "-noout", "-dates");
  t.match(end, /notBefore=Nov 30 23:00:00 2049 GMT\nnotAfter=Jan {2}1 00:00:00 2051 GMT/);
});
