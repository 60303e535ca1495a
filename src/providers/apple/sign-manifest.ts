/**
 * The `signature` of a pass: a detached CMS SignedData (RFC 5652) over manifest.json with SHA-256,
 * one signer, and the certificates of the signer and of Apple's WWDR intermediate.
 */
import { hash, type KeyObject, sign } from "node:crypto";
import type { Certificate } from "./certificate.ts";
import { der, derOid, derSetOf, derTime, tags } from "./der.ts";

/** What signs: the signer's certificate with its key, and the certificate that issued it. */
export type SigningIdentity = { certificate: Certificate; key: KeyObject; wwdr: Certificate };

/**
 * Signs the exact bytes of a manifest. `signingTimeMs` is written into the signature to the second; with an
 * RSA key the same manifest and time give the same bytes.
 */
export type ManifestSigner = (manifest: Buffer, signingTimeMs: number) => Promise<Buffer>;

const signedData = derOid("1.2.840.113549.1.7.2");
const data = derOid("1.2.840.113549.1.7.1");
const version1 = Buffer.from([tags.integer, 1, 1]);
/** RFC 5754 section 2: generated without parameters. */
const sha256 = der(tags.sequence, derOid("2.16.840.1.101.3.4.2.1"));
/**
 * RFC 5754 section 3.2: every CMS implementation must know rsaEncryption for a signer's algorithm, the
 * combined sha256WithRSAEncryption only should be known. Section 3.3: ECDSA names its digest, without parameters.
 */
const rsaEncryption = der(tags.sequence, derOid("1.2.840.113549.1.1.1"), der(tags.null));
const ecdsaWithSha256 = der(tags.sequence, derOid("1.2.840.10045.4.3.2"));

const contentTypeAttribute = der(tags.sequence, derOid("1.2.840.113549.1.9.3"), der(tags.set, data));
const signingTime = derOid("1.2.840.113549.1.9.5");
const messageDigest = derOid("1.2.840.113549.1.9.4");

/** A signer for one identity, everything that does not depend on the manifest encoded beforehand. */
export function createManifestSigner({ certificate, key, wwdr }: SigningIdentity): ManifestSigner {
  const certificates = derSetOf([certificate.x509.raw, wwdr.x509.raw], tags.context(0));
  const beforeSigners = Buffer.concat([
    version1,
    der(tags.set, sha256),
    der(tags.sequence, data),
    certificates,
  ]);
  // RFC 5652 section 5.3: version 1 goes with issuerAndSerialNumber.
  const issuerAndSerialNumber = der(tags.sequence, certificate.issuer, certificate.serialNumber);
  const beforeAttributes = Buffer.concat([version1, issuerAndSerialNumber, sha256]);
  const signatureAlgorithm = key.asymmetricKeyType === "ec" ? ecdsaWithSha256 : rsaEncryption;

  return async (manifest, signingTimeMs) => {
    const attributes = signedAttributes(manifest, signingTimeMs);
    // RFC 5652 section 5.4: signed as a SET OF, then carried as [0] IMPLICIT. Only the first octet differs.
    const signature = await signSha256(der(tags.set, attributes), key);
    const signer = der(
      tags.sequence,
      beforeAttributes,
      der(tags.context(0), attributes),
      signatureAlgorithm,
      der(tags.octetString, signature),
    );
    const content = der(tags.sequence, beforeSigners, der(tags.set, signer));
    return der(tags.sequence, signedData, der(tags.context(0), content));
  };
}

/** Contents of the SET of signed attributes. Their encodings differ in the second octet, so this order is DER's. */
function signedAttributes(manifest: Buffer, signingTimeMs: number): Buffer {
  const digest = hash("sha256", manifest, "buffer");
  return Buffer.concat([
    contentTypeAttribute,
    der(tags.sequence, signingTime, der(tags.set, derTime(signingTimeMs))),
    der(tags.sequence, messageDigest, der(tags.set, der(tags.octetString, digest))),
  ]);
}

/** PKCS #1 v1.5 or ECDSA (DER) over SHA-256, computed in the thread pool. */
export function signSha256(bytes: Buffer, key: KeyObject): Promise<Buffer> {
  return new Promise((resolve, reject) => {
    sign("sha256", bytes, key, (error, signature) => (error ? reject(error) : resolve(signature)));
  });
}
