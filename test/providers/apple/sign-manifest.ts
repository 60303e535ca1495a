import { createPrivateKey } from "node:crypto";
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import t from "tap";
import { readCertificate } from "../../../src/providers/apple/certificate.ts";
import { createManifestSigner } from "../../../src/providers/apple/sign-manifest.ts";
import { printSignature, verifyWithOpenssl } from "./fixtures/archive.ts";
import { createAuthority, type Leaf, openssl } from "./fixtures/authority.ts";

const dir = t.testdir();
const authority = createAuthority(dir);
const root = join(dir, authority.rootFile);
const leaves: Record<string, Leaf> = {
  RSA: authority.leaf("rsa"),
  "EC P-256": authority.leaf("ec", { kind: "ec" }),
};
// Line feeds and a lone carriage return: text-mode canonicalization would change these bytes.
const manifest = Buffer.from('{"pass.json":"da39a3ee5e6b4b0d3255bfef95601890afd80709"}\n\r\u00e9\n');
const signingTimeMs = Date.UTC(2031, 3, 6, 7, 8, 9, 250);

function signerOf(leaf: Leaf) {
  return createManifestSigner({
    certificate: readCertificate(leaf.certificate),
    key: createPrivateKey(leaf.key),
    wwdr: readCertificate(authority.intermediate),
  });
}

function write(folder: string, signature: Buffer, content = manifest): string {
  writeFileSync(join(folder, "signature"), signature);
  writeFileSync(join(folder, "manifest.json"), content);
  return folder;
}

for (const [name, leaf] of Object.entries(leaves)) {
  t.test(`OpenSSL accepts a signature with an ${name} key, its chain included`, async (t) => {
    const folder = write(t.testdir(), await signerOf(leaf)(manifest, signingTimeMs));
    verifyWithOpenssl(folder, root);
    const printed = printSignature(folder);
    t.match(printed, /signingTime[\s\S]*UTCTIME:Apr {2}6 07:08:09 2031 GMT/);
    t.match(printed, /contentType[\s\S]*pkcs7-data/);
    t.match(printed, /eContent: <ABSENT>/);
    t.equal(printed.match(/d\.cert_info|cert_info:/g)?.length, 2, "the signer's certificate and the WWDR's");
    const algorithms = [...printed.matchAll(/algorithm: (\S+)/g)].map((match) => match[1]);
    t.ok(algorithms.includes("sha256"));
    t.notOk(algorithms.includes("sha1"));
  });

  t.test(`OpenSSL refuses a manifest that was changed after signing with an ${name} key`, async (t) => {
    const signature = await signerOf(leaf)(manifest, signingTimeMs);
    const changed = Buffer.from(manifest);
    changed[20] = (changed[20] ?? 0) ^ 1;
    t.throws(() => verifyWithOpenssl(write(t.testdir(), signature, changed), root), /content verify error/);
  });

  t.test(`OpenSSL refuses a signing time that was changed after signing with an ${name} key`, async (t) => {
    const signature = await signerOf(leaf)(manifest, signingTimeMs);
    signature.write("8", signature.indexOf("310406070809Z") + 11);
    t.throws(() => verifyWithOpenssl(write(t.testdir(), signature), root), /signature failure|verification/);
  });
}

t.test("a signature is strict DER: decoding and encoding again gives the same bytes", async (t) => {
  for (const leaf of Object.values(leaves)) {
    const folder = write(t.testdir(), await signerOf(leaf)(manifest, signingTimeMs));
    openssl(
      folder,
      ...["cms", "-cmsout", "-inform", "DER", "-in", "signature", "-outform", "DER", "-out", "again"],
    );
    t.ok(readFileSync(join(folder, "again")).equals(readFileSync(join(folder, "signature"))));
  }
});

t.test(
  "with an RSA key the same manifest and time give the same bytes, another second gives others",
  async (t) => {
    const sign = signerOf(authority.leaf("again"));
    const first = await sign(manifest, signingTimeMs);
    t.ok((await sign(manifest, signingTimeMs)).equals(first));
    t.ok((await sign(manifest, signingTimeMs + 700)).equals(first), "a time within the same second");
    t.notOk((await sign(manifest, signingTimeMs + 1000)).equals(first));
  },
);

t.test("a signing time from 2050 on is still read by OpenSSL", async (t) => {
  for (const leaf of Object.values(leaves)) {
    const folder = write(t.testdir(), await signerOf(leaf)(manifest, Date.UTC(2050, 0, 2, 3, 4, 5)));
    verifyWithOpenssl(folder, root);
    t.match(printSignature(folder), /GENERALIZEDTIME:Jan {2}2 03:04:05 2050 GMT/);
  }
});

t.test("signatures made at the same time do not mix", async (t) => {
  const sign = signerOf(authority.leaf("parallel"));
  const manifests = Array.from({ length: 20 }, (_, i) => Buffer.from(`{"pass.json":"${i}"}`));
  const signatures = await Promise.all(manifests.map((each) => sign(each, signingTimeMs)));
  for (const [i, signature] of signatures.entries()) {
    t.doesNotThrow(() => verifyWithOpenssl(write(t.testdir(), signature, manifests[i]), root));
  }
});
