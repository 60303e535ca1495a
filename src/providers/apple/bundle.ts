import { PasswrightError } from "../../domain/errors.ts";
import { newTurn, sha1, type Turn } from "./in-slices.ts";
import type { ManifestSigner } from "./sign-manifest.ts";
import { type ZipOpening, zip, zipOpening } from "./zip-store.ts";

/** The files that all passes of a template version share, hashed and laid out for the archive. */
export type TemplateParts = {
  opening: ZipOpening;
  /** Members of the manifest, path to SHA-1, without the braces. */
  manifestMembers: string;
};

/** Google's image; Apple has no slot of that name. */
const googleOnly = /(^|\/)hero(@[23]x)?\.png$/;
/** Files that we write ourselves. */
const ownFiles = new Set(["pass.json", "manifest.json", "signature"]);
const icon = /^icon(@[23]x)?\.(png|pdf)$/;

/**
 * Prepares a template version's images and `.lproj` files (path to bytes). Rejects with provider_rejected for a path
 * that has no place in a pass, and when there is no icon: Wallet refuses a pass without one.
 */
export async function prepareTemplateParts(images: ReadonlyMap<string, Uint8Array>): Promise<TemplateParts> {
  const files = [...images]
    .filter(([path]) => !googleOnly.test(path))
    .map(([path, content]) => ({ path: checkedPath(path), content }));
  if (!files.some(({ path }) => icon.test(path))) {
    throw new PasswrightError(
      "provider_rejected",
      "The template has no icon.png: Apple Wallet refuses a pass without an icon.",
    );
  }
  const turn = newTurn();
  const members: string[] = [];
  for (const file of files) members.push(await manifestMember(file, turn));
  return { opening: await zipOpening(files), manifestMembers: members.join(",") };
}

/** A complete .pkpass in pieces: pass.json beside the template's files, the manifest of all, and its signature. */
export async function buildBundle(
  parts: TemplateParts,
  passJson: Buffer,
  { sign, signingTimeMs }: { sign: ManifestSigner; signingTimeMs: number },
): Promise<Uint8Array[]> {
  const pass = { path: "pass.json", content: passJson };
  const manifest = Buffer.from(`{${parts.manifestMembers},${await manifestMember(pass, newTurn())}}`);
  const signature = await sign(manifest, signingTimeMs);
  return zip(parts.opening, [
    pass,
    { path: "manifest.json", content: manifest },
    { path: "signature", content: signature },
  ]);
}

/** SHA-1 because the format says so; what protects the manifest is the SHA-256 in the signature over it. */
async function manifestMember(
  { path, content }: { path: string; content: Uint8Array },
  turn: Turn,
): Promise<string> {
  return `${JSON.stringify(path)}:"${await sha1(content, turn)}"`;
}

/** A relative path with `/`, no step up and no empty step: nobody who unpacks a pass writes outside of his folder. */
function checkedPath(path: string): string {
  const odd = /[\\\p{Cc}\p{Cs}:]/u.test(path) || path.split("/").some((step) => /^\.{0,2}$/.test(step));
  if (odd || ownFiles.has(path)) {
    throw new PasswrightError(
      "provider_rejected",
      `The template's file ${JSON.stringify(path)} cannot stand in an Apple pass.`,
    );
  }
  return path;
}
