import { X509Certificate } from "node:crypto";
import { isoInstant } from "../../domain/clock.ts";
import { derOid, readDer, tags } from "./der.ts";

/** What signing and checking need of a certificate; `issuer`, `subject` and `serialNumber` are its own DER, untouched. */
export type Certificate = {
  x509: X509Certificate;
  issuer: Buffer;
  subject: Buffer;
  serialNumber: Buffer;
  /** Attribute 0.9.2342.19200300.100.1.1 of the subject: in a Pass Type ID certificate the pass type identifier. */
  subjectUserId: string | null;
  /** Attribute 2.5.4.11 of the subject: Apple writes the team identifier there. */
  subjectUnit: string | null;
  /** Attribute 2.5.4.3 of the subject: `Pass Type ID: pass.…`. */
  subjectCommonName: string | null;
  /** Bears 1.2.840.113635.100.6.1.16, the extension by which Apple marks Pass Type ID certificates. */
  isPassTypeCertificate: boolean;
  /** What that extension says, where it is a text: the pass type identifier once more. */
  passTypeExtension: string | null;
  notBeforeMs: number;
  notAfterMs: number;
};

const userId = derOid("0.9.2342.19200300.100.1.1");
const organizationalUnit = derOid("2.5.4.11");
const commonName = derOid("2.5.4.3");
const passTypeExtension = derOid("1.2.840.113635.100.6.1.16");

/** Reads one certificate, PEM (text around it allowed) or DER. Throws what OpenSSL throws when it is none. */
export function readCertificate(source: string | Uint8Array): Certificate {
  const x509 = new X509Certificate(source);
  const [certificate] = readDer(x509.raw);
  const [tbsCertificate] = readDer(certificate?.content ?? Buffer.alloc(0));
  const members = readDer(tbsCertificate?.content ?? Buffer.alloc(0));
  // RFC 5280 section 4.1: [0] version is absent in version 1; then serial, algorithm, issuer, validity, subject.
  const first = members[0]?.tag === tags.context(0) ? 1 : 0;
  const [serialNumber, , issuer, , subject] = members.slice(first);
  if (serialNumber === undefined || issuer === undefined || subject === undefined) {
    throw new RangeError("certificate ends before its subject");
  }
  const extensions = members.find(({ tag }) => tag === tags.context(3));
  const extension = extensions === undefined ? null : extensionValue(extensions.content, passTypeExtension);
  return {
    x509,
    issuer: issuer.raw,
    subject: subject.raw,
    serialNumber: serialNumber.raw,
    subjectUserId: nameAttribute(subject.content, userId),
    subjectUnit: nameAttribute(subject.content, organizationalUnit),
    subjectCommonName: nameAttribute(subject.content, commonName),
    isPassTypeCertificate: extension !== null,
    passTypeExtension: extension && textOf(extension),
    notBeforeMs: x509.validFromDate.getTime(),
    notAfterMs: x509.validToDate.getTime(),
  };
}

/** The parts of a PEM text that are certificates, in order; DER is one part. */
export function certificatesIn(source: string | Uint8Array): (string | Uint8Array)[] {
  const text = typeof source === "string" ? source : Buffer.from(source).toString("latin1");
  const blocks = text.match(/-----BEGIN CERTIFICATE-----[^-]+-----END CERTIFICATE-----/g);
  return blocks ?? [source];
}

/** Why a certificate cannot be used at an instant, as a sentence that begins with `name`; null when it can. */
export function validityProblem(
  name: string,
  { notBeforeMs, notAfterMs }: Certificate,
  nowMs: number,
): string | null {
  if (nowMs < notBeforeMs) return `${name} is not valid before ${isoInstant(notBeforeMs)}.`;
  if (nowMs > notAfterMs) return `${name} expired on ${isoInstant(notAfterMs)}.`;
  return null;
}

/** First value of an attribute in a Name (RFC 5280 section 4.1.2.4: a sequence of sets of type and value). */
function nameAttribute(name: Buffer, type: Buffer): string | null {
  for (const set of readDer(name)) {
    for (const attribute of readDer(set.content)) {
      const [oid, value] = readDer(attribute.content);
      if (oid?.raw.equals(type) && value !== undefined) return directoryString(value.tag, value.content);
    }
  }
  return null;
}

const bmpString = 0x1e;

function directoryString(tag: number, content: Buffer): string {
  if (tag === bmpString) return Buffer.from(content).swap16().toString("utf16le");
  return content.toString("utf8");
}

/** The content of an extension's value (RFC 5280 section 4.1: type, perhaps critical, an octet string); null without it. */
function extensionValue(explicit: Buffer, type: Buffer): Buffer | null {
  const [extensions] = readDer(explicit);
  for (const extension of readDer(extensions?.content ?? Buffer.alloc(0))) {
    const [oid, ...rest] = readDer(extension.content);
    if (oid?.raw.equals(type)) return rest.at(-1)?.content ?? Buffer.alloc(0);
  }
  return null;
}

const textTags = new Set([0x0c, 0x13, 0x16]);

/** The text of a UTF8String, PrintableString or IA5String; null where it is anything else. */
function textOf(value: Buffer): string | null {
  try {
    const [text] = readDer(value);
    return text !== undefined && textTags.has(text.tag) ? text.content.toString("utf8") : null;
  } catch {
    return null;
  }
}
