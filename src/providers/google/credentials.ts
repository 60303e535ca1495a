import { createPrivateKey, type KeyObject } from "node:crypto";
import { PasswrightError, type Violation } from "../../domain/errors.ts";
import { isLoopback } from "../../domain/loopback.ts";
import type { GoogleCredentials } from "../../domain/providers/provider.ts";

export const googleTokenUrl = "https://oauth2.googleapis.com/token";
export const googleApiUrl = "https://walletobjects.googleapis.com";

/** The longest address that mail takes (RFC 5321 section 4.5.3.1.3); Google's are of 100 characters at most. */
export const longestEmail = 254;

export type GoogleCredentialsInput = {
  /** The text of the key file that Google Cloud hands out for a service account. */
  serviceAccount: string;
  /** The issuer's number in the Google Pay & Wallet Console. */
  issuerId: string;
  /** With or without `/walletobjects/v1`; absent means Google's own. */
  apiUrl?: string;
};

/**
 * Checks a service-account file and an issuer id. Nothing is sent to Google.
 * Throws `invalid_configuration` with every mistake named; a private key never appears in it.
 */
export function readGoogleCredentials(input: GoogleCredentialsInput): GoogleCredentials {
  const problems: Violation[] = [];
  const account = readAccount(input.serviceAccount);
  const clientEmail = member(account, "client_email", problems);
  const privateKey = member(account, "private_key", problems);
  if (privateKey !== "") checkKey(privateKey, problems);
  if (clientEmail !== "" && !/^[^@\s]+@[^@\s]+$/.test(clientEmail)) {
    problems.push({ path: "client_email", message: "is not an e-mail address" });
  } else if (Buffer.byteLength(clientEmail) > longestEmail) {
    const message = `must have ${longestEmail} bytes at most: it stands in every save link, which gets too long`;
    problems.push({ path: "client_email", message });
  }
  const tokenUrl = url(account.token_uri ?? googleTokenUrl, "token_uri", problems);
  const apiUrl = url(input.apiUrl ?? googleApiUrl, "api_url", problems).replace(/\/walletobjects\/v1$/, "");
  const issuerId = input.issuerId.trim();
  if (!/^\d{1,20}$/.test(issuerId)) {
    problems.push({ path: "issuer_id", message: "must be the issuer's number: digits only" });
  }
  if (problems.length > 0) throw invalid(problems);
  const keyId = account.private_key_id;
  return {
    issuerId,
    clientEmail,
    privateKey,
    ...(typeof keyId === "string" && keyId !== "" && { privateKeyId: keyId }),
    tokenUrl,
    apiUrl,
  };
}

function readAccount(text: string): Record<string, unknown> {
  let account: unknown;
  try {
    // Editors of one platform still put a byte order mark in front.
    account = JSON.parse(text.replace(/^\uFEFF/, ""));
  } catch {
    // The parser's message quotes the text, which may be a key: it is dropped, not passed on as cause.
    throw invalid([{ path: "", message: "the service-account file is not JSON" }]);
  }
  if (typeof account !== "object" || account === null || Array.isArray(account)) {
    throw invalid([{ path: "", message: "the service-account file is not a JSON object" }]);
  }
  const type = (account as Record<string, unknown>).type;
  if (type !== "service_account") {
    const found = typeof type === "string" ? `"${type.slice(0, 40)}"` : "missing";
    const message = `must be "service_account", but is ${found}: take a key file of a service account`;
    throw invalid([{ path: "type", message }]);
  }
  return account as Record<string, unknown>;
}

function member(account: Record<string, unknown>, name: string, problems: Violation[]): string {
  const value = account[name];
  if (typeof value === "string" && value.trim() !== "") return value;
  problems.push({ path: name, message: value === undefined ? "is missing" : "must be a non-empty string" });
  return "";
}

/** RS256 needs an RSA key of 2,048 bits or more (RFC 7518 section 3.3); beyond 4,096 a save link gets too long. */
function checkKey(pem: string, problems: Violation[]): void {
  let key: KeyObject;
  try {
    key = createPrivateKey(pem);
  } catch {
    problems.push({ path: "private_key", message: "is not a private key in PEM" });
    return;
  }
  const bits = key.asymmetricKeyDetails?.modulusLength ?? 0;
  if (key.asymmetricKeyType !== "rsa") {
    problems.push({ path: "private_key", message: `must be an RSA key, but is ${key.asymmetricKeyType}` });
  } else if (bits < 2048 || bits > 4096) {
    problems.push({ path: "private_key", message: `must have 2048 to 4096 bits, but has ${bits}` });
  }
}

/** Assertions and bearer tokens travel under TLS only (RFC 6749 section 1.6, RFC 6750 section 5.3), loopback aside. */
function url(value: unknown, path: string, problems: Violation[]): string {
  const parsed = typeof value === "string" ? URL.parse(value) : null;
  if (parsed === null || !/^https?:$/.test(parsed.protocol)) {
    problems.push({ path, message: "is not an http or https URL" });
    return "";
  }
  if (parsed.username !== "" || parsed.search !== "" || parsed.hash !== "") {
    problems.push({ path, message: "must have no user, query or fragment" });
  }
  if (parsed.protocol === "http:" && !isLoopback(parsed)) {
    problems.push({ path, message: "must be https: it carries credentials" });
  }
  return `${parsed.origin}${parsed.pathname}`.replace(/\/+$/, "");
}

function invalid(problems: readonly Violation[]): PasswrightError {
  const sentences = problems.map(({ path, message }) => (path === "" ? message : `${path} ${message}`));
  return new PasswrightError("invalid_configuration", `Google credentials: ${sentences.join("; ")}`, {
    details: problems,
  });
}
