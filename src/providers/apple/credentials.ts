import { randomBytes, verify } from "node:crypto";
import type { Clock } from "../../domain/clock.ts";
import { PasswrightError } from "../../domain/errors.ts";
import type { AppleCredentials } from "../../domain/providers/provider.ts";
import { type Certificate, certificatesIn, readCertificate, validityProblem } from "./certificate.ts";
import { readPrivateKey } from "./private-key.ts";
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
};

const productionApns = "https://api.push.apple.com";

/**
 * Checks everything that can be wrong with an Apple configuration without asking Apple, down to a probe
 * signature, and returns it as it is kept: PEM, with the identifiers from the certificate.
 * Throws invalid_configuration with one sentence that says precisely what is wrong.
 */
export async function checkAppleCredentials(
  { clock }: { clock: Clock },
  input: AppleCredentialsInput,
): Promise<AppleCredentials> {
  const nowMs = clock.nowMs();
  const certificate = passTypeCertificate(input.certificate);
  const { passTypeIdentifier, teamIdentifier } = identifiersOf(certificate);
  refuse(validityProblem("The certificate", certificate, nowMs));
  const { key, pem, passphrase } = readPrivateKey(input.key, input.keyPassphrase);
  if (!certificate.x509.checkPrivateKey(key)) refuse("The private key does not belong to the certificate.");
  const wwdr = issuerAmong(input.wwdr, certificate);
  refuse(validityProblem("The WWDR certificate", wwdr, nowMs));
  const apnsUrl = origin(input.apnsUrl ?? productionApns);
  const pushKey = input.pushKey && readPushKey(input.pushKey);
  await probe({ certificate, key, wwdr }, nowMs);
  return {
    certificate: certificate.x509.toString(),
    key: pem,
    ...(passphrase === undefined ? {} : { keyPassphrase: passphrase }),
    wwdr: wwdr.x509.toString(),
    passTypeIdentifier,
    teamIdentifier,
    apnsUrl,
    ...(pushKey === undefined ? {} : { pushKey }),
  };
}

/** Apple's keys for APNs are EC on P-256, and their ids ten characters. */
function readPushKey({ key, keyId }: { key: string | Uint8Array; keyId: string }) {
  const read = readPrivateKey(key);
  if (read.key.asymmetricKeyType !== "ec")
    refuse("The push key is not one for APNs: those are EC keys on P-256.");
  if (!/^[A-Z0-9]{10}$/.test(keyId)) {
    refuse("The push key's id must be ten capital letters and digits, as Apple shows it beside the key.");
  }
  return { key: read.pem, keyId };
}

/** Of several certificates in a file, as exports from a keychain have them, the one that signs passes. */
function passTypeCertificate(source: string | Uint8Array): Certificate {
  const certificates = readCertificates(
    source,
    "The certificate is not a certificate (neither PEM nor DER).",
  );
  const [first] = certificates;
  const found = certificates.find(({ isPassTypeCertificate }) => isPassTypeCertificate) ?? first;
  return found ?? refuse("The certificate file is empty.");
}

function identifiersOf({ subjectUserId, subjectUnit, isPassTypeCertificate }: Certificate) {
  const missing = [
    ...(subjectUserId === null ? ["a UID with the pass type identifier"] : []),
    ...(subjectUnit === null ? ["an OU with the team identifier"] : []),
    ...(isPassTypeCertificate ? [] : ["Apple's extension 1.2.840.113635.100.6.1.16"]),
  ];
  if (subjectUserId === null || subjectUnit === null || missing.length > 0) {
    return refuse(`The certificate is not a Pass Type ID certificate: it lacks ${missing.join(" and ")}.`);
  }
  return { passTypeIdentifier: subjectUserId, teamIdentifier: subjectUnit };
}

/** The issuer by name, as RFC 5280 section 4.1.2.4 has its encoding match byte for byte, and by signature. */
function issuerAmong(source: string | Uint8Array | undefined, certificate: Certificate): Certificate {
  const needed = `the certificate was issued by ${oneLine(certificate.x509.issuer)}`;
  if (source === undefined) {
    return refuse(
      `No WWDR certificate was given; ${needed}. Apple has it at https://www.apple.com/certificateauthority/.`,
    );
  }
  const candidates = readCertificates(
    source,
    "The WWDR certificate is not a certificate (neither PEM nor DER).",
  );
  const namesakes = candidates.filter(({ subject }) => subject.equals(certificate.issuer));
  if (namesakes.length === 0) {
    const given = candidates.map(({ x509 }) => oneLine(x509.subject)).join("; ");
    return refuse(`The WWDR certificate is not the issuer: ${needed}, and what was given is ${given}.`);
  }
  const issuer = namesakes.find(({ x509 }) => certificate.x509.verify(x509.publicKey));
  return (
    issuer ??
    refuse("The WWDR certificate bears the issuer's name, but its key did not sign the certificate.")
  );
}

function readCertificates(source: string | Uint8Array, problem: string): Certificate[] {
  try {
    return certificatesIn(source).map(readCertificate);
  } catch (cause) {
    throw new PasswrightError("invalid_configuration", problem, { cause });
  }
}

function origin(url: string): string {
  const parsed = URL.parse(url);
  const bare = parsed !== null && /^https?:$/.test(parsed.protocol) && parsed.href === `${parsed.origin}/`;
  return bare
    ? parsed.origin
    : refuse("The APNs address must be an origin such as https://api.push.apple.com.");
}

/** Signs as issuing does, and checks with the certificate what the key signed. */
async function probe(identity: SigningIdentity, nowMs: number): Promise<void> {
  const text = randomBytes(32);
  try {
    const signature = await signSha256(text, identity.key);
    if (!verify("sha256", text, identity.certificate.x509.publicKey, signature)) {
      throw new Error("the certificate does not verify the probe signature");
    }
    await createManifestSigner(identity)(text, nowMs);
  } catch (cause) {
    throw new PasswrightError(
      "invalid_configuration",
      "A probe signature with the private key failed: the key is damaged.",
      { cause },
    );
  }
}

/** Node writes one attribute a line. */
function oneLine(name: string): string {
  return `«${name.replaceAll("\n", ", ")}»`;
}

function refuse(problem: string): never;
function refuse(problem: string | null): void;
function refuse(problem: string | null): void {
  if (problem !== null) throw new PasswrightError("invalid_configuration", problem);
}
