import { hash } from "node:crypto";
import { LRUCache } from "lru-cache";
import { PasswrightError } from "../../domain/errors.ts";
import type { AppleCredentials } from "../../domain/providers/provider.ts";
import { readCertificate, validityProblem } from "./certificate.ts";
import { readPrivateKey } from "./private-key.ts";
import { createManifestSigner, type ManifestSigner } from "./sign-manifest.ts";

/** Credentials ready to sign: parsed once, the static part of every signature encoded. */
export type OpenedIdentity = {
  sign: ManifestSigner;
  /** From when on its certificates are valid, ms. */
  notBeforeMs: number;
  /** Throws provider_credentials_invalid when a certificate is not valid at this instant. */
  assertValidAt(nowMs: number): void;
};

export type SigningIdentities = {
  /** Of credentials that nobody alters: others are another object. */
  get(credentials: AppleCredentials): OpenedIdentity;
  clear(): void;
};

/** Opened credentials by what they contain, so that new ones are seen at once; the longest unused go beyond `maxEntries`. */
export function createSigningIdentities({ maxEntries }: { maxEntries: number }): SigningIdentities {
  const opened = new LRUCache<string, OpenedIdentity>({ max: maxEntries });
  // Stores hand out the same object for a while, and to read all of it for each pass would be a tenth of the work.
  let recognized = new WeakMap<AppleCredentials, OpenedIdentity>();

  function byContent(credentials: AppleCredentials): OpenedIdentity {
    const fingerprint = hash("sha256", JSON.stringify(credentials));
    const known = opened.get(fingerprint);
    if (known !== undefined) return known;
    const identity = open(credentials);
    opened.set(fingerprint, identity);
    return identity;
  }

  return {
    get(credentials) {
      const identity = recognized.get(credentials) ?? byContent(credentials);
      recognized.set(credentials, identity);
      return identity;
    },
    clear() {
      opened.clear();
      recognized = new WeakMap();
    },
  };
}

/** The checks of checkAppleCredentials that a changed or foreign record could fail, without the probe. */
function open(credentials: AppleCredentials): OpenedIdentity {
  const { certificate, wwdr, key } = parse(credentials);
  const { subjectUserId, subjectUnit } = certificate;
  if (subjectUserId !== credentials.passTypeIdentifier || subjectUnit !== credentials.teamIdentifier) {
    throw invalid("The Apple certificate is for another pass type identifier or team than configured.");
  }
  if (!certificate.x509.checkPrivateKey(key)) {
    throw invalid("The private key does not belong to the Apple certificate.");
  }
  return {
    sign: createManifestSigner({ certificate, key, wwdr }),
    notBeforeMs: Math.max(certificate.notBeforeMs, wwdr.notBeforeMs),
    assertValidAt(nowMs) {
      const problem =
        validityProblem("The Apple certificate", certificate, nowMs) ??
        validityProblem("The WWDR certificate", wwdr, nowMs);
      if (problem !== null) throw invalid(problem);
    },
  };
}

function parse({ certificate, key, keyPassphrase, wwdr }: AppleCredentials) {
  try {
    return {
      certificate: readCertificate(certificate),
      wwdr: readCertificate(wwdr),
      key: readPrivateKey(key, keyPassphrase).key,
    };
  } catch (cause) {
    const detail = cause instanceof PasswrightError ? cause.detail : "A certificate cannot be read.";
    throw invalid(`The Apple credentials cannot be used. ${detail}`, cause);
  }
}

const remedy = "A valid certificate has to be set: `passwright providers set apple`.";

function invalid(found: string, cause?: unknown): PasswrightError {
  const detail = `${found} ${remedy}`;
  return new PasswrightError("provider_credentials_invalid", detail, cause === undefined ? {} : { cause });
}
