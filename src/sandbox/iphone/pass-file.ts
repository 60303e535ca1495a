import { createHash } from "node:crypto";
import { isLoopbackUrl } from "../loopback.ts";
import { filesIn } from "./archive.ts";
import { oneLine } from "./certificate-chain.ts";
import { type Face, faceOf, styles } from "./face.ts";
import { PassRefused } from "./refusal.ts";
import { type Trust, verifiedSignature } from "./signature.ts";

/** A pass as it was found to be sound. */
export type OpenedPass = {
  passTypeIdentifier: string;
  teamIdentifier: string;
  serialNumber: string;
  /** Where the phone registers; null: the pass never changes. */
  service: { url: string; token: string } | null;
  /** Subjects of the certificates from the signer up. */
  signedBy: string[];
  face: Face;
};

/** More than any pass has. */
export const mostPassBytes = 25_000_000;

/** Opens a .pkpass as Wallet does before it shows it. Throws PassRefused with the first thing that is wrong. */
export function openPassFile(archive: Buffer, trust: Trust): OpenedPass {
  if (archive.length > mostPassBytes) throw new PassRefused(`The pass has more than ${mostPassBytes} bytes.`);
  const files = filesIn(archive);
  const [manifest, signature] = [fileOf(files, "manifest.json"), fileOf(files, "signature")];
  requireHashes(files, manifest);
  const { passType, team, chain, signedAtIsGiven } = verifiedSignature(signature, manifest, trust);
  if (!signedAtIsGiven)
    throw new PassRefused("The signature does not say when it was made, which Wallet wants.");
  const passJson = jsonOf(fileOf(files, "pass.json"), "pass.json");

  const passTypeIdentifier = requiredText(passJson, "passTypeIdentifier");
  const teamIdentifier = requiredText(passJson, "teamIdentifier");
  requireSame("passTypeIdentifier", passTypeIdentifier, passType);
  requireSame("teamIdentifier", teamIdentifier, team);
  if (passJson.formatVersion !== 1) throw new PassRefused("pass.json: formatVersion must be 1.");
  if (![...files.keys()].some((path) => /^icon(@[23]x)?\.png$/.test(path))) {
    throw new PassRefused("The pass has no icon.png, which Wallet wants.");
  }
  for (const member of ["organizationName", "description"]) requiredText(passJson, member);
  const own = styles.filter((style) => style in passJson);
  const [style] = own;
  if (style === undefined || own.length > 1) {
    throw new PassRefused(`pass.json must have exactly one of ${styles.join(", ")}, and has ${own.length}.`);
  }
  return {
    passTypeIdentifier,
    teamIdentifier,
    serialNumber: requiredText(passJson, "serialNumber"),
    service: serviceOf(passJson),
    signedBy: chain.map(({ subject }) => oneLine(subject)),
    face: faceOf(passJson, style),
  };
}

function fileOf(files: ReadonlyMap<string, Buffer>, path: string): Buffer {
  const content = files.get(path);
  if (content === undefined) throw new PassRefused(`The pass has no ${path}.`);
  return content;
}

/** The manifest names every file but itself and the signature, each with its SHA-1. */
function requireHashes(files: ReadonlyMap<string, Buffer>, manifest: Buffer): void {
  const named = new Map(Object.entries(jsonOf(manifest, "manifest.json")));
  for (const path of named.keys())
    if (!files.has(path)) throw new PassRefused(`manifest.json names ${path}, which is not there.`);
  for (const [path, content] of files) {
    if (path === "manifest.json" || path === "signature") continue;
    const hash = named.get(path);
    if (hash === undefined) throw new PassRefused(`manifest.json does not name ${path}.`);
    if (hash !== createHash("sha1").update(content).digest("hex")) {
      throw new PassRefused(`${path} is not what manifest.json says: the SHA-1 is another.`);
    }
  }
}

function jsonOf(bytes: Buffer, path: string): Record<string, unknown> {
  let value: unknown;
  try {
    value = JSON.parse(new TextDecoder("utf-8", { fatal: true }).decode(bytes));
  } catch {
    throw new PassRefused(`${path} is no JSON.`);
  }
  if (typeof value !== "object" || value === null || Array.isArray(value))
    throw new PassRefused(`${path} is no JSON object.`);
  return value as Record<string, unknown>;
}

function requiredText(passJson: Record<string, unknown>, member: string): string {
  const value = passJson[member];
  if (typeof value === "string" && value !== "") return value;
  throw new PassRefused(`pass.json: ${member} must be a text.`);
}

function requireSame(member: string, given: string, certified: string | null): void {
  if (given === certified) return;
  const whose =
    certified === null ? "the signer's certificate has none" : `the certificate is of ${certified}`;
  throw new PassRefused(`pass.json: ${member} is ${given}, and ${whose}.`);
}

/** Both members, or neither; https, and plain http on this machine, which a real phone would refuse. */
function serviceOf(passJson: Record<string, unknown>): OpenedPass["service"] {
  const { webServiceURL: url, authenticationToken: token } = passJson;
  if (url === undefined && token === undefined) return null;
  if (typeof url !== "string" || !URL.canParse(url))
    throw new PassRefused("pass.json: webServiceURL must be an address.");
  if (typeof token !== "string" || token.length < 16) {
    throw new PassRefused("pass.json: authenticationToken must have 16 characters or more.");
  }
  const { protocol } = new URL(url);
  if (protocol !== "https:" && !isPlainLoopback(url)) {
    throw new PassRefused(`pass.json: webServiceURL must be https, not ${url}.`);
  }
  return { url: url.replace(/\/$/, ""), token };
}

/** An address without TLS, on this machine. */
export function isPlainLoopback(url: string): boolean {
  return new URL(url).protocol === "http:" && isLoopbackUrl(url);
}
