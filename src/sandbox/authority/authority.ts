import { createPrivateKey, generateKeyPair, type KeyObject, X509Certificate } from "node:crypto";
import { existsSync, mkdirSync, readFileSync, renameSync, writeFileSync } from "node:fs";
import { isIP } from "node:net";
import { join } from "node:path";
import { promisify } from "node:util";
import {
  basicConstraints,
  type Extension,
  extendedKeyUsage,
  extension,
  issueCertificate,
  keyUsage,
  type Name,
  pem,
  type Signer,
  subjectAlternativeNames,
} from "./certificate.ts";
import { nothing, utf8 } from "./der.ts";

export type KeyType = "rsa" | "ec";

/** A certificate and its private key (PKCS #8), both PEM. */
export type Issued = { certificate: string; key: string };

export type Authority = {
  /** PEM file of the root, to be added to a client's trusted roots. */
  readonly caFile: string;
  readonly rootPem: string;
  /** PEM of the intermediate that stands in for Apple's Worldwide Developer Relations G4. */
  readonly wwdrPem: string;
  /** A Pass Type ID certificate, valid for 396 days, as the developer portal hands it out. */
  issuePassCertificate(wanted: {
    passTypeIdentifier: string;
    teamIdentifier: string;
    keyType: KeyType;
  }): Promise<Issued>;
  /** A TLS server certificate for these names and addresses, signed by the root, so that no chain is needed. */
  issueServerCertificate(hosts: readonly string[]): Promise<Issued>;
};

const day = 86_400_000;
const rootName: Name = [
  ["CN", "Passwright Sandbox Root CA"],
  ["O", "Passwright Sandbox"],
  ["C", "US"],
];
const wwdrName: Name = [
  ["CN", "Passwright Sandbox Worldwide Developer Relations"],
  ["OU", "G4"],
  ["O", "Passwright Sandbox"],
  ["C", "US"],
];
const serverAuth = "1.3.6.1.5.5.7.3.1";
const clientAuth = "1.3.6.1.5.5.7.3.2";
const appleWwdrIntermediate = "1.2.840.113635.100.6.2.1";
const applePassTypeId = "1.2.840.113635.100.6.1.16";
/** No real certificate has it. With it, `openssl cms -verify` accepts a pass without being told a purpose. */
const emailProtection = "1.3.6.1.5.5.7.3.4";
const applePassSigning = "1.2.840.113635.100.4.14";

/** Opens the authority kept in `directory`, making it on first use. Private keys are readable by the owner only. */
export async function openAuthority(directory: string, nowMs: () => number): Promise<Authority> {
  mkdirSync(directory, { recursive: true, mode: 0o700 });
  const path = (name: string) => join(directory, name);
  // The root certificate is written last, so its presence says that all four files are whole.
  if (!existsSync(path("root.pem"))) await makeAuthority(path, nowMs());

  const load = (name: string) => readFileSync(path(name), "utf8");
  const rootPem = load("root.pem");
  const wwdrPem = load("wwdr.pem");
  const root: Signer = { name: rootName, key: createPrivateKey(load("root.key")) };
  const wwdr: Signer = { name: wwdrName, key: createPrivateKey(load("wwdr.key")) };
  if (!new X509Certificate(rootPem).checkPrivateKey(root.key)) {
    throw new Error(`${directory}: root.key does not belong to root.pem; remove the directory to start anew`);
  }

  const issue = async (issuer: Signer, name: Name, keyType: KeyType, extensions: Extension[]) => {
    const { publicKey, privateKey } = await newKey(keyType);
    const now = nowMs();
    const certificate = issueCertificate({
      name,
      publicKey,
      issuer,
      // Clients whose clock is a little behind must accept it at once.
      notBeforeMs: now - 3_600_000,
      notAfterMs: now + 396 * day,
      extensions: [basicConstraints(false), keyUsage(false), ...extensions],
    });
    return { certificate: pem(certificate), key: exportKey(privateKey) };
  };

  return {
    caFile: path("root.pem"),
    rootPem,
    wwdrPem,
    issuePassCertificate: ({ passTypeIdentifier, teamIdentifier, keyType }) =>
      issue(wwdr, passName(passTypeIdentifier, teamIdentifier), keyType, [
        extendedKeyUsage(clientAuth, applePassSigning, emailProtection),
        extension(applePassTypeId, false, utf8(passTypeIdentifier)),
      ]),
    issueServerCertificate: (hosts) =>
      issue(root, [["CN", hosts.find((host) => isIP(host) === 0) ?? hosts[0] ?? "localhost"]], "ec", [
        extendedKeyUsage(serverAuth),
        subjectAlternativeNames(hosts),
      ]),
  };
}

/** Subject of a real Pass Type ID certificate: UID and CN carry the pass type, OU the team. */
function passName(passTypeIdentifier: string, teamIdentifier: string): Name {
  return [
    ["UID", passTypeIdentifier],
    ["CN", `Pass Type ID: ${passTypeIdentifier}`],
    ["OU", teamIdentifier],
    ["O", "Passwright Sandbox"],
    ["C", "US"],
  ];
}

async function makeAuthority(path: (name: string) => string, nowMs: number): Promise<void> {
  const root = await newKey("rsa");
  const wwdr = await newKey("rsa");
  const issuer: Signer = { name: rootName, key: root.privateKey };
  const validity = { notBeforeMs: nowMs - day, notAfterMs: nowMs + 3650 * day };
  const wwdrPem = pem(
    issueCertificate({
      name: wwdrName,
      publicKey: wwdr.publicKey,
      issuer,
      ...validity,
      extensions: [
        basicConstraints(true, 0),
        keyUsage(true),
        extension(appleWwdrIntermediate, false, nothing()),
      ],
    }),
  );
  const rootPem = pem(
    issueCertificate({
      name: rootName,
      publicKey: root.publicKey,
      issuer,
      ...validity,
      extensions: [basicConstraints(true), keyUsage(true)],
    }),
  );
  writeWhole(path("root.key"), exportKey(root.privateKey), 0o600);
  writeWhole(path("wwdr.key"), exportKey(wwdr.privateKey), 0o600);
  writeWhole(path("wwdr.pem"), wwdrPem, 0o644);
  writeWhole(path("root.pem"), rootPem, 0o644);
}

function newKey(type: KeyType): Promise<{ publicKey: KeyObject; privateKey: KeyObject }> {
  const generate = promisify(generateKeyPair);
  return type === "rsa" ? generate("rsa", { modulusLength: 2048 }) : generate("ec", { namedCurve: "P-256" });
}

const exportKey = (key: KeyObject): string => key.export({ type: "pkcs8", format: "pem" }).toString();

function writeWhole(file: string, content: string, mode: number): void {
  writeFileSync(`${file}.new`, content, { mode });
  renameSync(`${file}.new`, file);
}
