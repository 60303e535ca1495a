import { hash } from "node:crypto";
import { PasswrightError } from "../../domain/errors.ts";
import { isRevoked, type Pass } from "../../domain/passes/pass.ts";
import type { AppleCredentials } from "../../domain/providers/provider.ts";
import { templateOfPass } from "../../domain/templates/find.ts";
import { BodyPieces } from "../body-pieces.ts";
import { isKnown, type Validators } from "../conditional.ts";
import type { HttpRequest } from "../exchange.ts";
import { notModified } from "../openapi/answers.ts";
import type { Answer, Reply } from "../route.ts";
import type { ServingDeps } from "../serving.ts";

/** Headers of every answer that conditionalFile gives with a body. */
export const fileHeaders = ["Cache-Control", "Content-Disposition", "ETag", "Last-Modified"] as const;
export const unchanged: Answer = {
  ...notModified,
  headers: ["Cache-Control", "ETag", "Last-Modified"],
};

/** The pass whose page it is. Rejects with not_found where there is none, and with gone. */
export async function passOfPage(deps: Pick<ServingDeps, "passes">, pageToken: string): Promise<Pass> {
  const pass = await deps.passes.findByPageToken(pageToken);
  if (pass === null) throw new PasswrightError("not_found", "There is no pass at this address.");
  if (isRevoked(pass)) throw new PasswrightError("gone", "This pass has been revoked.");
  return pass;
}

/** The pass whose file stands below a page. Rejects with gone, and with not_found where there is none, or no file of it. */
export async function passWithFile(deps: Pick<ServingDeps, "passes">, pageToken: string): Promise<Pass> {
  const pass = await passOfPage(deps, pageToken);
  if (!pass.providers.apple?.saveLink) {
    throw new PasswrightError("not_found", "This pass is not made for Apple Wallet, or not yet.");
  }
  return pass;
}

/** The file of a pass as it is now, to be made when it is wanted. */
export type PassFile = Required<Validators> & {
  /** The signed .pkpass in pieces, void once the pass is revoked. Rejects with unavailable when it cannot be made. */
  build(): Promise<readonly Uint8Array[]>;
};

/** Rejects with unavailable where nobody can sign it. */
export async function passFile(deps: ServingDeps, pass: Pass): Promise<PassFile> {
  const credentials = await credentialsFor(deps, pass);
  return {
    etag: etagOf([
      pass.id,
      pass.change,
      pass.modifiedAtMs,
      credentials.certificate,
      deps.baseUrl,
      deps.version,
    ]),
    modifiedAtMs: pass.modifiedAtMs,
    async build() {
      try {
        const template = await templateOfPass(deps, pass);
        const voided = isRevoked(pass);
        return await deps.passFile.build({ pass, template, baseUrl: deps.baseUrl, voided }, credentials);
      } catch (cause) {
        throw unbuildable(cause);
      }
    },
  };
}

/**
 * Weak (RFC 9110 section 8.8.1): what is signed with an EC key has other bytes each time, and means the same. The
 * facts are those that a file is made of: a renewed certificate or another release of ours makes another one.
 */
export function etagOf(facts: readonly unknown[]): string {
  return `W/"${hash("sha256", JSON.stringify(facts), "base64url")}"`;
}

/**
 * The file, or 304 to who has it already. It may be kept, but must be asked for again before each use, and no shared
 * cache may keep it: a pass can be revoked at any time, and its address is its key.
 */
export async function conditionalFile(
  http: Pick<HttpRequest, "header">,
  { etag, modifiedAtMs, build }: PassFile,
  { mediaType, name }: { mediaType: string; name: string },
): Promise<Reply> {
  const headers = {
    "Cache-Control": "private, no-cache",
    ETag: etag,
    "Last-Modified": new Date(modifiedAtMs).toUTCString(),
  };
  if (isKnown(http, { etag, modifiedAtMs })) return { status: 304, headers };
  return {
    status: 200,
    body: new BodyPieces(await build()),
    headers: {
      ...headers,
      "Content-Type": mediaType,
      "Content-Disposition": `attachment; filename="${name}"`,
    },
  };
}

export const pkpass = { mediaType: "application/vnd.apple.pkpass", name: "pass.pkpass" };

async function credentialsFor(
  deps: ServingDeps,
  { tenantId }: Pick<Pass, "tenantId">,
): Promise<AppleCredentials> {
  const credentials = await deps.providerConfigurations.credentials(tenantId, "apple").catch((cause) => {
    throw unbuildable(cause);
  });
  if (credentials === null) throw unbuildable();
  return credentials;
}

/** Whoever opens a pass can do nothing about its issuer's certificate. */
function unbuildable(cause?: unknown): PasswrightError {
  return new PasswrightError("unavailable", "The pass cannot be made at the moment. Try again later.", {
    retryAfterSeconds: 60,
    ...(cause !== undefined && { cause }),
  });
}
