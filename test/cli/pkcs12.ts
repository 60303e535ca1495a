import { execFileSync } from "node:child_process";
import { createPrivateKey, X509Certificate } from "node:crypto";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import t from "tap";
import { openPkcs12 } from "../../src/cli/pkcs12.ts";
import { refusalOf } from "../domain/fixtures/refusal.ts";

const folder = t.testdir();
const at = (name: string): string => join(folder, name);
const openssl = (...args: string[]) => execFileSync("openssl", args, { cwd: folder, stdio: "ignore" });
const passphrase = "correct horse & “battery” $HOME";

function selfSigned(name: string): void {
  const subject = ["-subj", `/CN=${name}`, "-days", "2"];
  openssl(
    "req",
    "-x509",
    "-newkey",
    "rsa:2048",
    "-nodes",
    "-keyout",
    `${name}.key`,
    "-out",
    `${name}.pem`,
    ...subject,
  );
}
function exported(file: string, ...options: string[]): string {
  writeFileSync(at("passphrase"), passphrase);
  const pair = ["-in", "pass.pem", "-inkey", "pass.key", "-passout", "file:passphrase"];
  openssl("pkcs12", "-export", ...pair, "-out", file, ...options);
  return at(file);
}
selfSigned("pass");
selfSigned("authority");

/** Whether a file's certificate is the one that was put in, and its key belongs to it. */
async function opens(path: string, secret = passphrase): Promise<boolean> {
  const { certificate, key } = await openPkcs12(path, secret);
  const parsed = new X509Certificate(certificate);
  return parsed.subject === "CN=pass" && parsed.checkPrivateKey(createPrivateKey(key));
}

t.test("certificate and key come out of a file as OpenSSL 3 makes it", async (t) => {
  t.ok(await opens(exported("modern.p12")));
});

t.test("and out of one as older keychains do, with RC2 or triple DES", async (t) => {
  t.ok(await opens(exported("legacy.p12", "-legacy")));
  t.ok(
    await opens(
      exported("des.p12", "-keypbe", "PBE-SHA1-3DES", "-certpbe", "PBE-SHA1-3DES", "-macalg", "sha1"),
    ),
  );
});

t.test("a chain in the file leaves the pass's own certificate in front", async (t) => {
  t.ok(await opens(exported("chain.p12", "-certfile", "authority.pem")));
});

t.test("an empty passphrase is one as well", async (t) => {
  openssl(
    "pkcs12",
    "-export",
    "-in",
    "pass.pem",
    "-inkey",
    "pass.key",
    "-passout",
    "pass:",
    "-out",
    "empty.p12",
  );
  t.ok(await opens(at("empty.p12"), ""));
});

t.test(
  "a wrong passphrase, none, another file and no file are told apart, with the flag and what to do",
  async (t) => {
    writeFileSync(at("text.p12"), "hello");
    const modern = exported("modern.p12");
    for (const [path, secret, told] of [
      [modern, "wrong", /^--key-passphrase-file: The passphrase does not open .*modern\.p12\. Give/],
      [exported("legacy.p12", "-legacy"), "wrong", /^--key-passphrase-file: The passphrase does not open/],
      [modern, null, /^--p12: .*modern\.p12 has a passphrase, and none was given\..*--key-passphrase-file/],
      [at("text.p12"), passphrase, /^--p12: .*text\.p12 is no PKCS #12 file\. Give/],
      [at("none.p12"), passphrase, /^--p12 names a file that cannot be read/],
    ] as const) {
      const refusal = await refusalOf(() => openPkcs12(path, secret));
      t.match(refusal.detail, told);
      t.notMatch(refusal.detail, /horse|wrong"/);
    }
  },
);

t.test("a file without a key, or without a certificate, is named so", async (t) => {
  const half = (name: string, ...what: string[]): string => {
    writeFileSync(at("passphrase"), passphrase);
    openssl("pkcs12", "-export", ...what, "-passout", "file:passphrase", "-out", name);
    return at(name);
  };
  const certificateOnly = half("certificate.p12", "-in", "pass.pem", "-nokeys");
  t.match(
    (await refusalOf(() => openPkcs12(certificateOnly, passphrase))).detail,
    /^--p12: .*no private key/,
  );
  const keyOnly = half("key.p12", "-inkey", "pass.key", "-in", "pass.key", "-nocerts");
  t.match((await refusalOf(() => openPkcs12(keyOnly, passphrase))).detail, /^--p12: .*no certificate/);
});

t.test("without an openssl command it says what is missing", async (t) => {
  const path = process.env.PATH;
  t.teardown(() => {
    process.env.PATH = path;
  });
  process.env.PATH = folder;
  const refusal = await refusalOf(() => openPkcs12(at("modern.p12"), passphrase));
  t.match(refusal, { code: "invalid_configuration", detail: /openssl command, which is not installed/ });
});
