/** X.509 v3 certificates (RFC 5280), made with node:crypto and nothing else. */
import { createHash, createPublicKey, type KeyObject, randomBytes, sign } from "node:crypto";
import { isIP, isIPv4 } from "node:net";
import {
  bits,
  context,
  integer,
  nothing,
  octets,
  oid,
  printable,
  sequence,
  set,
  time,
  utf8,
  yes,
} from "./der.ts";

const attributeOids = {
  UID: "0.9.2342.19200300.100.1.1",
  CN: "2.5.4.3",
  OU: "2.5.4.11",
  O: "2.5.4.10",
  C: "2.5.4.6",
} as const;

/** A distinguished name: its attributes in the order in which they are encoded. */
export type Name = readonly (readonly [keyof typeof attributeOids, string])[];

export type Extension = Buffer;

export type Signer = { name: Name; key: KeyObject };

/** DER of a certificate over `publicKey`, valid from `notBeforeMs` to `notAfterMs`, signed with SHA-256. */
export function issueCertificate(subject: {
  name: Name;
  publicKey: KeyObject;
  issuer: Signer;
  notBeforeMs: number;
  notAfterMs: number;
  extensions: readonly Extension[];
}): Buffer {
  const algorithm = signatureAlgorithm(subject.issuer.key);
  // 120 random bits behind a fixed octet: positive, unique, of one length.
  const serial = Buffer.concat([Buffer.from([0x40]), randomBytes(15)]);
  const issuerKeyId = keyIdentifier(createPublicKey(subject.issuer.key));
  const body = sequence(
    context(0, integer(Buffer.from([2])), "constructed"),
    integer(serial),
    algorithm,
    encodeName(subject.issuer.name),
    sequence(time(subject.notBeforeMs), time(subject.notAfterMs)),
    encodeName(subject.name),
    publicKeyInfo(subject.publicKey),
    context(
      3,
      sequence(
        extension("2.5.29.14", false, octets(keyIdentifier(subject.publicKey))),
        extension("2.5.29.35", false, sequence(context(0, issuerKeyId, "primitive"))),
        ...subject.extensions,
      ),
      "constructed",
    ),
  );
  return sequence(body, algorithm, bits(sign("sha256", body, subject.issuer.key)));
}

export function pem(der: Uint8Array): string {
  const lines = Buffer.from(der).toString("base64").replace(/.{64}/g, "$&\n").trimEnd();
  return `-----BEGIN CERTIFICATE-----\n${lines}\n-----END CERTIFICATE-----\n`;
}

export function extension(id: string, critical: boolean, value: Uint8Array): Extension {
  return sequence(oid(id), ...(critical ? [yes()] : []), octets(value));
}

export function basicConstraints(ca: boolean, pathLength?: number): Extension {
  const limit = pathLength === undefined ? [] : [integer(Buffer.from([pathLength]))];
  return extension("2.5.29.19", true, sequence(...(ca ? [yes(), ...limit] : [])));
}

/** keyCertSign and cRLSign for an authority, digitalSignature for everybody else. */
export function keyUsage(ca: boolean): Extension {
  return extension("2.5.29.15", true, ca ? bits(Buffer.from([0x06]), 1) : bits(Buffer.from([0x80]), 7));
}

export function extendedKeyUsage(...purposes: string[]): Extension {
  return extension("2.5.29.37", false, sequence(...purposes.map(oid)));
}

/** Host names and literal IP addresses, each as the kind that it is. */
export function subjectAlternativeNames(hosts: readonly string[]): Extension {
  return extension("2.5.29.17", false, sequence(...hosts.map(alternativeName)));
}

function alternativeName(host: string): Buffer {
  if (isIP(host) === 0) return context(2, Buffer.from(host, "ascii"), "primitive");
  return context(7, isIPv4(host) ? Buffer.from(host.split(".").map(Number)) : ipv6Octets(host), "primitive");
}

function ipv6Octets(address: string): Buffer {
  const [head = "", tail] = address.split("::");
  const groups = (part: string): string[] => (part === "" ? [] : part.split(":"));
  const front = groups(head);
  const back = groups(tail ?? "");
  const middle = new Array<string>(8 - front.length - back.length).fill("0");
  return Buffer.from([...front, ...middle, ...back].map((group) => group.padStart(4, "0")).join(""), "hex");
}

function encodeName(name: Name): Buffer {
  // countryName is a PrintableString by definition (RFC 5280 appendix A.1); everything else may be UTF-8.
  const value = (attribute: string, text: string) => (attribute === "C" ? printable(text) : utf8(text));
  return sequence(
    ...name.map(([attribute, text]) => set(sequence(oid(attributeOids[attribute]), value(attribute, text)))),
  );
}

function signatureAlgorithm(key: KeyObject): Buffer {
  return key.asymmetricKeyType === "rsa"
    ? sequence(oid("1.2.840.113549.1.1.11"), nothing())
    : sequence(oid("1.2.840.10045.4.3.2"));
}

const publicKeyInfo = (key: KeyObject): Buffer => key.export({ type: "spki", format: "der" });

/** RFC 7093 section 2, method 4: a hash of the whole SubjectPublicKeyInfo. */
function keyIdentifier(publicKey: KeyObject): Buffer {
  return createHash("sha256").update(publicKeyInfo(publicKey)).digest().subarray(0, 20);
}
