import { randomBytes, verify } from "node:crypto";
import type { Clock } from "../../domain/clock.ts";
import { PasswrightError } from "../../domain/errors.ts";
import type { AppleCredentials } from "../../domain/providers/provider.ts";
import { type Certificate, certificatesIn, readCertificate, validityProblem } from "./certificate.ts";
import { type CredentialPart, credentialFault, type PartNames } from "./credential-fault.ts";
import { type ExpectedIds, type PassTypeIds, passTypeIdsOf, unexpectedId } from "./pass-type.ts";
import { type PrivateKey, readPrivateKey } from "./private-key.ts";
import { createManifestSigner, type SigningIdentity, signSha256 } from "./sign-manifest.ts";

/** What an operator sets. Certificates and key are PEM or DER; `wwdr` may hold several, the issuer is picked. */
export type AppleCredentialsInput = {
  certificate: string | Uint8Array;
  key: string | Uint8Array;
  keyPassphrase?: string;
  wwdr?: string | Uint8Array;
  /** Origin of APNs; Apple's production when absent, the only one that serves passes. */
  apnsUrl?: string;
  /** A key of the team for APNs, PEM or DER, and its id: pushes are authenticated by it instead of by the certificate. */
  pushKey?: { key: string | Uint8Array; keyId: string };
  /** What the certificate must be for. */
  expected?: ExpectedIds;
  /** What the parts are called where they are given: refusals name them so. */
  names?: PartNames;
};

const productionApns = "https://api.push.apple.com";
const renewal = "Renew it at developer.apple.com, and give the new one.";
const authorityPage = "https://www.apple.com/certificateauthority/";

type Refusing = { fault(part: CredentialPart, found: string, remedy: string, cause?: unknown): never };

/**
 * Checks everything that can be wrong with an Apple configuration without asking Apple, down to a probe
 * signature, and returns it as it is kept: PEM, with the identifiers from the certificate.
 * Throws invalid_configuration: which part is wrong, what was found, and what to do.
 */
export async function checkAppleCredentials(
  { clock }: { clock: Clock },
  input: AppleCredentialsInput,
): Promise<AppleCredentials> {
  const { names = {}, expected = {} } = input;
  const refusing: Refusing = {
    fault(part, found, remedy, cause) {
      throw credentialFault(names, part, { found, remedy, ...(cause !== undefined && { cause }) });
    },
  };
  const nowMs = clock.nowMs();
  const certificate = passTypeCertificate(refusing, input.certificate);
  const ids = identifiersOf(refusing, certificate, expected);
  const untimely = validityProblem("The certificate", certificate, nowMs);
  if (untimely !== null) refusing.fault("certificate", untimely, remedyForTime(certificate, nowMs));
  const { key, pem, passphrase } = readKey(refusing, input.key, input.keyPassphrase);
  if (!certificate.x509.checkPrivateKey(key)) {
    const remedy = "Give the key that the certificate's signing request was made with.";
    refusing.fault("key", "The private key does not belong to the certificate.", remedy);
  }
  const wwdr = issuerAmong(refusing, input.wwdr, certificate);
  const late = validityProblem("The WWDR certificate", wwdr, nowMs);
  if (late !== null) refusing.fault("wwdr", late, `Give the present one, from ${authorityPage}.`);
  const apnsUrl = origin(refusing, input.apnsUrl ?? productionApns);
  const pushKey = input.pushKey && readPushKey(refusing, input.pushKey);
  await probe(refusing, { certificate, key, wwdr }, nowMs);
  return {
    certificate: certificate.x509.toString(),
    key: pem,
    ...(passphrase === undefined ? {} : { keyPassphrase: passphrase }),
    wwdr: wwdr.x509.toString(),
    ...ids,
    apnsUrl,
    ...(pushKey === undefined ? {} : { pushKey }),
  };
}

function remedyForTime({ notBeforeMs }: Certificate, nowMs: number): string {
  return nowMs < notBeforeMs ? "Set it then; or set this machine's clock, if that is wrong." : renewal;
}

/** Of several certificates in a file, as exports from a keychain have them, the one that signs passes. */
function passTypeCertificate(refusing: Refusing, source: string | Uint8Array): Certificate {
  const certificates = readCertificates(refusing, source, {
    part: "certificate",
    found: "The certificate is not a certificate (neither PEM nor DER).",
    remedy: "Give the .cer file that developer.apple.com lets you download.",
  });
  const [first] = certificates;
  const found = certificates.find(({ isPassTypeCertificate }) => isPassTypeCertificate) ?? first;
  return found ?? refusing.fault("certificate", "The certificate file is empty.", renewal);
}

function identifiersOf(refusing: Refusing, certificate: Certificate, expected: ExpectedIds): PassTypeIds {
  const ids = passTypeIdsOf(certificate);
  if ("found" in ids) return refusing.fault("certificate", ids.found, ids.remedy);
  const problem = unexpectedId(ids, expected);
  if (problem !== null) refusing.fault("certificate", problem.found, problem.remedy);
  return ids;
}

function readKey(
  refusing: Refusing,
  source: string | Uint8Array,
  passphrase: string | undefined,
): PrivateKey {
  try {
    return readPrivateKey(source, passphrase);
  } catch (error) {
    if (!(error instanceof PasswrightError)) throw error;
    const remedies = {
      key: "Give the key that the certificate's signing request was made with.",
      keyPassphrase: "Give the file that holds its passphrase, or a key without one.",
    };
    const part = error.details?.[0]?.path === "passphrase" ? "keyPassphrase" : "key";
    return refusing.fault(part, error.detail, remedies[part], error.cause);
  }
}

/** Apple's keys for APNs are EC on P-256, and their ids ten characters. */
function readPushKey(refusing: Refusing, { key, keyId }: { key: string | Uint8Array; keyId: string }) {
  const download = "Give the .p8 file as developer.apple.com (Keys) has let you download it.";
  const fault = (found: string, cause?: unknown): never => refusing.fault("pushKey", found, download, cause);
  let read: PrivateKey;
  try {
    read = readPrivateKey(key);
  } catch (error) {
    if (!(error instanceof PasswrightError)) throw error;
    return fault(error.detail, error.cause);
  }
  if (read.key.asymmetricKeyType !== "ec") {
    return fault("The push key is not one for APNs: those are EC keys on P-256.");
  }
  if (!/^[A-Z0-9]{10}$/.test(keyId)) {
    const found = "The push key's id must be ten capital letters and digits.";
    return refusing.fault("pushKeyId", found, "Give it as Apple shows it beside the key.");
  }
  return { key: read.pem, keyId };
}

/** The issuer by name, as RFC 5280 section 4.1.2.4 has its encoding match byte for byte, and by signature. */
function issuerAmong(
  refusing: Refusing,
  source: string | Uint8Array | undefined,
  certificate: Certificate,
): Certificate {
  const needed = `the certificate was issued by ${oneLine(certificate.x509.issuer)}`;
  const remedy = `Give that one, from ${authorityPage}.`;
  if (source === undefined) {
    return refusing.fault("wwdr", `No WWDR certificate was given; ${needed}.`, remedy);
  }
  const candidates = readCertificates(refusing, source, {
    part: "wwdr",
    found: "The WWDR certificate is not a certificate (neither PEM nor DER).",
    remedy: `Give Apple's intermediate, from ${authorityPage}.`,
  });
  const namesakes = candidates.filter(({ subject }) => subject.equals(certificate.issuer));
  if (namesakes.length === 0) {
    const given = candidates.map(({ x509 }) => oneLine(x509.subject)).join("; ");
    const found = `The WWDR certificate is not the issuer: ${needed}, and what was given is ${given}.`;
    return refusing.fault("wwdr", found, remedy);
  }
  const issuer = namesakes.find(({ x509 }) => certificate.x509.verify(x509.publicKey));
  const found = "The WWDR certificate bears the issuer's name, but its key did not sign the certificate.";
  return issuer ?? refusing.fault("wwdr", found, remedy);
}

function readCertificates(
  refusing: Refusing,
  source: string | Uint8Array,
  otherwise: { part: CredentialPart; found: string; remedy: string },
): Certificate[] {
  try {
    return certificatesIn(source).map(readCertificate);
  } catch (cause) {
    return refusing.fault(otherwise.part, otherwise.found, otherwise.remedy, cause);
  }
}

function origin(refusing: Refusing, url: string): string {
  const parsed = URL.parse(url);
  const bare = parsed !== null && /^https?:$/.test(parsed.protocol) && parsed.href === `${parsed.origin}/`;
  if (bare) return parsed.origin;
  const remedy = "Give one such as https://api.push.apple.com, or none: that is Apple's.";
  return refusing.fault("apnsUrl", "The APNs address must be an origin.", remedy);
}

/** Signs as issuing does, and checks with the certificate what the key signed. */
async function probe(refusing: Refusing, identity: SigningIdentity, nowMs: number): Promise<void> {
  const text = randomBytes(32);
  try {
    const signature = await signSha256(text, identity.key);
    if (!verify("sha256", text, identity.certificate.x509.publicKey, signature)) {
      throw new Error("the certificate does not verify the probe signature");
    }
    await createManifestSigner(identity)(text, nowMs);
  } catch (cause) {
    const found = "A probe signature with the private key failed: the key is damaged.";
    refusing.fault("key", found, "Give it from a copy that is whole.", cause);
  }
}

/** Node writes one attribute a line. */
function oneLine(name: string): string {
  return `«${name.replaceAll("\n", ", ")}»`;
}
