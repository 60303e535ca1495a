import { execFileSync } from "node:child_process";
import { createHash } from "node:crypto";
import { mkdirSync, readdirSync, readFileSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import type { Test } from "tap";
import { ask } from "./requests.ts";

/** What an iPhone reads in a pass file. */
export type PassFile = { folder: string; passJson: ReturnType<typeof JSON.parse> };

/**
 * Downloads a .pkpass and checks it with what is not ours: Info-ZIP for the archive, OpenSSL for the signature up to
 * the given root, and the hashes of the manifest one by one.
 */
export async function checkedPassFile(t: Test, url: string, rootCertificate: string): Promise<PassFile> {
  const reply = await ask(url);
  t.equal(reply.status, 200);
  t.equal(reply.headers["content-type"], "application/vnd.apple.pkpass");
  const folder = t.testdir();
  const archive = join(folder, "pass.pkpass");
  writeFileSync(archive, reply.bytes);
  t.match(run("unzip", "-t", archive), /No errors detected/);
  const contents = join(folder, "contents");
  mkdirSync(contents);
  run("unzip", "-q", archive, "-d", contents);

  const manifest: Record<string, string> = JSON.parse(readFileSync(join(contents, "manifest.json"), "utf8"));
  const files = readdirSync(contents, { recursive: true, encoding: "utf8" }).filter(
    (name) => statSync(join(contents, name)).isFile() && !["manifest.json", "signature"].includes(name),
  );
  const hashes = files.map((name) => [name, sha1(readFileSync(join(contents, name)))]);
  t.strictSame(manifest, Object.fromEntries(hashes), "the manifest names every file with its SHA-1");
  for (const needed of ["pass.json", "icon.png"]) t.ok(needed in manifest, `${needed} is there`);

  const signature = join(contents, "signature");
  const signed = join(contents, "manifest.json");
  t.doesNotThrow(() => verifySignature(signature, signed, rootCertificate));
  const other = join(folder, "other.json");
  writeFileSync(other, `${readFileSync(signed, "utf8")} `);
  t.throws(() => verifySignature(signature, other, rootCertificate), "one byte more breaks the signature");
  return { folder: contents, passJson: JSON.parse(readFileSync(join(contents, "pass.json"), "utf8")) };
}

/** Subjects of the certificates that travel in the signature. */
export function signers({ folder }: PassFile): string {
  const args = ["-inform", "DER", "-in", join(folder, "signature"), "-print_certs", "-noout"];
  return run("openssl", "pkcs7", ...args);
}

function verifySignature(signature: string, content: string, rootCertificate: string): void {
  // -binary: without it OpenSSL turns line ends into CRLF before it hashes.
  const how = ["-binary", "-inform", "DER", "-purpose", "any", "-CAfile", rootCertificate];
  run("openssl", "cms", "-verify", ...how, "-in", signature, "-content", content, "-out", "/dev/null");
}

function run(command: string, ...args: string[]): string {
  return execFileSync(command, args, { encoding: "utf8", stdio: ["ignore", "pipe", "pipe"] });
}

function sha1(bytes: Buffer): string {
  return createHash("sha1").update(bytes).digest("hex");
}
