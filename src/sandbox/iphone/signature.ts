/** Checks the `signature` of a pass: a detached CMS SignedData (RFC 5652) over manifest.json. */
import { createHash, verify, X509Certificate } from "node:crypto";
import { chainAbove, issuerAndSerial, passIdentity } from "./certificate-chain.ts";
import { type DerValue, derTags, derValues, dotted } from "./der-values.ts";
import { PassRefused } from "./refusal.ts";

/** Who signed, and the certificates above, up to a root where roots were given. */
export type Signature = {
  passType: string | null;
  team: string | null;
  chain: X509Certificate[];
  signedAtIsGiven: boolean;
};

export type Trust = { roots: readonly X509Certificate[]; nowMs: number };

const signedDataType = "1.2.840.113549.1.7.2";
const dataType = "1.2.840.113549.1.7.1";
const contentTypeAttribute = "1.2.840.113549.1.9.3";
const messageDigestAttribute = "1.2.840.113549.1.9.4";
const signingTimeAttribute = "1.2.840.113549.1.9.5";

const digests: Record<string, string> = {
  "1.3.14.3.2.26": "sha1",
  "2.16.840.1.101.3.4.2.1": "sha256",
  "2.16.840.1.101.3.4.2.2": "sha384",
  "2.16.840.1.101.3.4.2.3": "sha512",
};

/** Key types by signature algorithm: rsaEncryption, and RSA and ECDSA with SHA-1 and SHA-2. */
const keyTypes: Record<string, "rsa" | "ec"> = {
  "1.2.840.113549.1.1.1": "rsa",
  "1.2.840.113549.1.1.5": "rsa",
  "1.2.840.113549.1.1.11": "rsa",
  "1.2.840.113549.1.1.12": "rsa",
  "1.2.840.113549.1.1.13": "rsa",
  "1.2.840.10045.4.1": "ec",
  "1.2.840.10045.4.3.2": "ec",
  "1.2.840.10045.4.3.3": "ec",
  "1.2.840.10045.4.3.4": "ec",
};

/** Throws PassRefused where the signature is not the manifest's, or its signer is not to be trusted. */
export function verifiedSignature(signature: Buffer, manifest: Buffer, trust: Trust): Signature {
  try {
    return verified(signature, manifest, trust);
  } catch (error) {
    if (error instanceof PassRefused) throw error;
    throw new PassRefused("The file signature is no CMS signature.");
  }
}

function verified(signature: Buffer, manifest: Buffer, trust: Trust): Signature {
  const { certificates, signer } = partsOf(signature);
  const info = signerInfo(signer);
  const own = certificates.find((certificate) => isNamed(certificate, info.sid));
  if (own === undefined) throw new PassRefused("The signature lacks the certificate of its signer.");

  const digest = digests[info.digest];
  const keyType = keyTypes[info.algorithm];
  if (digest === undefined || keyType === undefined) {
    throw new PassRefused(
      `The signature is made by an algorithm that Wallet does not know: ${info.digest}, ${info.algorithm}.`,
    );
  }
  const attributes = attributesOf(info.attributes);
  const manifestDigest = createHash(digest).update(manifest).digest();
  if (!attributes.get(messageDigestAttribute)?.content.equals(manifestDigest)) {
    throw new PassRefused("The signature is of another manifest.json than the one in the pass.");
  }
  const contentType = attributes.get(contentTypeAttribute);
  if (contentType === undefined || dotted(contentType.content) !== dataType) {
    throw new PassRefused("The signature is of something else than data.");
  }
  // RFC 5652 section 5.4: carried as [0] IMPLICIT, signed as a SET OF. Only the first octet differs.
  const signed = Buffer.concat([Buffer.from([derTags.set]), info.attributes.raw.subarray(1)]);
  const isGenuine =
    own.publicKey.asymmetricKeyType === keyType && verify(digest, signed, own.publicKey, info.signature);
  if (!isGenuine) throw new PassRefused("The signature does not verify with its signer's key.");
  const chain = chainAbove(own, certificates, trust);
  return { ...passIdentity(own), chain, signedAtIsGiven: attributes.has(signingTimeAttribute) };
}

/** RFC 5652 sections 3 and 5.1. */
function partsOf(signature: Buffer): { certificates: X509Certificate[]; signer: DerValue } {
  const [info] = derValues(signature);
  const [type, wrapped] = derValues(info?.content ?? Buffer.alloc(0));
  if (type === undefined || wrapped === undefined || dotted(type.content) !== signedDataType)
    throw new RangeError("no SignedData");
  const [data] = derValues(wrapped.content);
  const members = derValues(data?.content ?? Buffer.alloc(0));
  const [, , content] = members;
  if (derValues(content?.content ?? Buffer.alloc(0)).length > 1) {
    throw new PassRefused("The signature carries the manifest inside; it has to be detached.");
  }
  const bag = members.find(({ tag }) => tag === derTags.context(0));
  const certificates = derValues(bag?.content ?? Buffer.alloc(0)).map(({ raw }) => new X509Certificate(raw));
  const signers = derValues(members.at(-1)?.content ?? Buffer.alloc(0));
  const [signer] = signers;
  if (signer === undefined || signers.length > 1)
    throw new PassRefused(`The signature has ${signers.length} signers; it has to have one.`);
  return { certificates, signer };
}

/** RFC 5652 section 5.3. */
function signerInfo(signer: DerValue) {
  const [, sid, digest, attributes, algorithm, signature] = derValues(signer.content);
  if (attributes?.tag !== derTags.context(0))
    throw new PassRefused("The signature has no signed attributes.");
  if (
    sid === undefined ||
    digest === undefined ||
    algorithm === undefined ||
    signature?.tag !== derTags.octetString
  ) {
    throw new RangeError("no SignerInfo");
  }
  const nameOf = ({ content }: DerValue): string => dotted(derValues(content)[0]?.content ?? Buffer.alloc(0));
  return {
    sid,
    digest: nameOf(digest),
    attributes,
    algorithm: nameOf(algorithm),
    signature: signature.content,
  };
}

/** The first value of each attribute. */
function attributesOf(set: DerValue): Map<string, DerValue> {
  const found = new Map<string, DerValue>();
  for (const attribute of derValues(set.content)) {
    const [type, values] = derValues(attribute.content);
    const [value] = derValues(values?.content ?? Buffer.alloc(0));
    if (type !== undefined && value !== undefined) found.set(dotted(type.content), value);
  }
  return found;
}

/** By issuer and serial number, or by the subject's key identifier, of which the certificate holds the octets. */
function isNamed(certificate: X509Certificate, sid: DerValue): boolean {
  if (sid.tag === derTags.sequence) return issuerAndSerial(certificate).equals(sid.content);
  return sid.tag === derTags.implicit(0) && sid.content.length >= 16 && certificate.raw.includes(sid.content);
}
