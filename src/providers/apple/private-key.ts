import { createPrivateKey, type KeyObject, type PrivateKeyInput } from "node:crypto";
import { PasswrightError } from "../../domain/errors.ts";
import { readDer, tags } from "./der.ts";

/** A private key in use, and as it is kept: PEM, with its passphrase where the PEM is encrypted. */
export type PrivateKey = { key: KeyObject; pem: string; passphrase?: string };

/**
 * Reads a private key, PEM (other blocks around it allowed) or DER (PKCS #8, PKCS #1, SEC 1), and checks that it
 * is of a kind that signs passes: RSA of at least 2048 bits, or EC on P-256. A PEM stays as it was given; DER
 * becomes unencrypted PKCS #8 PEM. Throws invalid_configuration, saying what is wrong; its detail's path says with which of
 * the two, `key` or `passphrase`.
 */
export function readPrivateKey(source: string | Uint8Array, passphrase?: string): PrivateKey {
  const bytes = Buffer.from(source);
  const privateKey = bytes.includes("-----BEGIN ")
    ? readPem(bytes.toString("latin1"), passphrase)
    : readDerKey(bytes, passphrase);
  checkKind(privateKey.key);
  return privateKey;
}

function readPem(pem: string, passphrase: string | undefined): PrivateKey {
  // The first is PKCS #8's, the second that of the traditional formats (RFC 1421 section 4.6.1.1).
  const encrypted = /-BEGIN ENCRYPTED PRIVATE KEY-|^Proc-Type: 4,ENCRYPTED/m.test(pem);
  return encrypted
    ? { key: decrypt({ key: pem }, passphrase), pem, ...(passphrase === undefined ? {} : { passphrase }) }
    : { key: parse({ key: pem }), pem };
}

function readDerKey(bytes: Buffer, passphrase: string | undefined): PrivateKey {
  const form = formOf(bytes);
  const key =
    form === "encrypted"
      ? decrypt({ key: bytes, format: "der", type: "pkcs8" }, passphrase)
      : parse({ key: bytes, format: "der", type: form });
  return { key, pem: key.export({ format: "pem", type: "pkcs8" }).toString() };
}

/** Told apart by the first two members: RFC 5958 sections 2 and 3, RFC 8017 appendix A.1.2, RFC 5915 section 3. */
function formOf(bytes: Buffer): "encrypted" | "pkcs1" | "sec1" | "pkcs8" {
  try {
    const [first, second] = readDer(readDer(bytes)[0]?.content ?? Buffer.alloc(0));
    if (first?.tag === tags.sequence) return "encrypted";
    if (second?.tag === tags.integer) return "pkcs1";
    if (second?.tag === tags.octetString) return "sec1";
    return "pkcs8";
  } catch (cause) {
    throw invalid("key", "The key is not a private key (neither PEM nor DER).", cause);
  }
}

function parse(input: PrivateKeyInput): KeyObject {
  try {
    return createPrivateKey(input);
  } catch (cause) {
    throw invalid("key", "The key is not a private key (neither PEM nor DER).", cause);
  }
}

function decrypt(input: PrivateKeyInput, passphrase: string | undefined): KeyObject {
  if (passphrase === undefined) {
    throw invalid("passphrase", "The private key is encrypted, and no passphrase was given.");
  }
  try {
    return createPrivateKey({ ...input, passphrase });
  } catch (cause) {
    if (cause instanceof Error && "code" in cause && cause.code === "ERR_OSSL_EVP_UNSUPPORTED") {
      throw invalid(
        "key",
        "The private key is encrypted with a cipher that OpenSSL 3 no longer supports; encrypt it anew with `openssl pkcs8 -topk8`.",
        cause,
      );
    }
    // With a wrong passphrase the padding is right once in a few hundred times; then the decoding fails instead.
    throw invalid("passphrase", "The passphrase does not open the private key.", cause);
  }
}

function checkKind({ asymmetricKeyType, asymmetricKeyDetails }: KeyObject): void {
  const bits = asymmetricKeyDetails?.modulusLength ?? 0;
  const curve = asymmetricKeyDetails?.namedCurve;
  if (asymmetricKeyType === "rsa" && bits < 2048) {
    throw invalid("key", `The RSA key has ${bits} bits; passes need at least 2048.`);
  }
  if (asymmetricKeyType === "ec" && curve !== "prime256v1") {
    throw invalid("key", `The EC key is on the curve ${curve}; passes need P-256.`);
  }
  if (asymmetricKeyType !== "rsa" && asymmetricKeyType !== "ec") {
    throw invalid("key", `The key is of the kind ${asymmetricKeyType}; passes need RSA, or EC on P-256.`);
  }
}

function invalid(path: "key" | "passphrase", detail: string, cause?: unknown): PasswrightError {
  const details = [{ path, message: detail }];
  return new PasswrightError("invalid_configuration", detail, {
    details,
    ...(cause !== undefined && { cause }),
  });
}
