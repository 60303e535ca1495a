import { X509Certificate } from "node:crypto";
import t from "tap";
import { openPassFile } from "../../../src/sandbox/iphone/pass-file.ts";
import {
  type Files,
  openSigning,
  passJson,
  passTypeIdentifier,
  signedPass,
  teamIdentifier,
} from "./fixtures/signed-pass.ts";

const signing = await openSigning(t);
const root = new X509Certificate(signing.authority.rootPem);
const trust = { roots: [], nowMs: Date.now() };
const up = { ...trust, roots: [root] };
type Given = Parameters<typeof signedPass>[1];
const opened = (given: Given = {}, how: Parameters<typeof openPassFile>[1] = trust) =>
  openPassFile(signedPass(signing, given), how);

t.test("a pass that OpenSSL signed is taken, with RSA and with EC keys, and up to a root", async (t) => {
  t.match(opened(), { passTypeIdentifier, teamIdentifier, serialNumber: "serial-1", service: null });
  t.equal(opened({}, up).signedBy.length, 3);
  t.equal(opened().signedBy.length, 2);
  const ec = await openSigning(t, "ec");
  t.match(openPassFile(signedPass(ec), trust), { serialNumber: "serial-1" });
  t.match(opened({ options: ["-md", "sha1"] }), { serialNumber: "serial-1" });
  t.match(opened({ options: ["-md", "sha512", "-keyid"] }), { serialNumber: "serial-1" }, "named by its key");
});

t.test("what it shows is there", async (t) => {
  t.match(opened().face, {
    style: "storeCard",
    organizationName: "Café Zürich",
    front: [{ key: "points", value: "1" }],
    back: [{ key: "terms" }],
    barcode: { format: "QR", message: "member-1" },
    voided: false,
  });
});

const tampered: [name: string, tamper: (files: Files) => void, message: RegExp][] = [
  [
    "another pass.json",
    (files) => {
      files["pass.json"] = "{}";
    },
    /pass\.json is not what manifest\.json says/,
  ],
  [
    "a file more",
    (files) => {
      files["logo.png"] = "x";
    },
    /manifest\.json does not name logo\.png/,
  ],
  [
    "a file less",
    (files) => {
      delete files["icon.png"];
    },
    /names icon\.png, which is not there/,
  ],
  [
    "another manifest",
    (files) => {
      files["manifest.json"] = `${files["manifest.json"]} `;
    },
    /of another manifest\.json/,
  ],
  [
    "no signature",
    (files) => {
      delete files.signature;
    },
    /no signature/,
  ],
  [
    "a signature that is none",
    (files) => {
      files.signature = "none";
    },
    /no CMS signature/,
  ],
  [
    "a broken signature",
    (files) => {
      spoil(files.signature as Buffer);
    },
    /does not verify/,
  ],
];
for (const [name, tamper, message] of tampered) {
  t.test(`${name} is refused`, async (t) => {
    t.throws(() => opened({ tamper }), { name: "PassRefused", message });
  });
}

/** The last octets are the signature proper. */
function spoil(signature: Buffer): void {
  signature.writeUInt8(signature.readUInt8(signature.length - 9) ^ 1, signature.length - 9);
}

const odd: [name: string, change: object, message: RegExp][] = [
  [
    "another team",
    { teamIdentifier: "ZZZZZZZZZZ" },
    /teamIdentifier is ZZZZZZZZZZ, and the certificate is of A1B2C3D4E5/,
  ],
  ["another pass type", { passTypeIdentifier: "pass.org.other" }, /passTypeIdentifier is pass\.org\.other/],
  ["no serial number", { serialNumber: "" }, /serialNumber must be/],
  ["no description", { description: undefined }, /description must be/],
  ["another format", { formatVersion: 2 }, /formatVersion must be 1/],
  ["two styles", { coupon: {} }, /exactly one of/],
  [
    "plain http elsewhere",
    { webServiceURL: "http://example.com", authenticationToken: "x".repeat(16) },
    /must be https/,
  ],
  ["a short token", { webServiceURL: "https://example.com", authenticationToken: "x" }, /16 characters/],
  ["a token without a service", { authenticationToken: "x".repeat(16) }, /webServiceURL must be/],
];
for (const [name, change, message] of odd) {
  t.test(`${name} is refused`, async (t) => {
    t.throws(() => opened({ passJson: { ...passJson, ...change } }), { name: "PassRefused", message });
  });
}

t.test("a pass without an icon is refused", async (t) => {
  const { "icon.png": _icon, ...rest } = { "icon.png": "", "logo.png": "x" };
  t.throws(() => opened({ files: rest, tamper: dropIcon }), { message: /icon\.png/ });
  function dropIcon(files: Files): void {
    delete files["icon.png"];
  }
});

t.test("another authority's root, a lacking intermediate, and a wrong time are refused", async (t) => {
  const other = new X509Certificate((await openSigning(t)).authority.rootPem);
  t.throws(() => opened({}, { ...trust, roots: [other] }), { message: /leads to no root that is trusted/ });
  t.throws(() => opened({ options: ["-nocerts"] }), { message: /lacks the certificate of its signer/ });
  const alone = { ...signing, authority: { ...signing.authority, wwdrPem: signing.authority.rootPem } };
  t.throws(() => openPassFile(signedPass(alone), trust), {
    message: /lacks the certificate of the signer's issuer/,
  });
  t.throws(() => opened({}, { ...trust, nowMs: Date.UTC(2099, 0) }), { message: /expired on/ });
  t.throws(() => opened({}, { ...trust, nowMs: 0 }), { message: /not valid before/ });
});

t.test("a signature that says not when, or that carries the manifest, is refused", async (t) => {
  t.throws(() => opened({ options: ["-noattr"] }), { message: /no signed attributes/ });
  t.throws(() => opened({ options: ["-nodetach"] }), { message: /has to be detached/ });
});
