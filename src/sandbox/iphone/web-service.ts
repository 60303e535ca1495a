import { boundedFetch } from "./bounded-fetch.ts";
import { mostPassBytes, type OpenedPass } from "./pass-file.ts";
import { NotReached } from "./refusal.ts";

/** The service that a pass names, as one phone asks it. Every call throws NotReached where the answer is none of the protocol's. */
export type WebService = {
  /** 201: registered; 200: it was before. */
  register(pushToken: string, signal: AbortSignal): Promise<200 | 201>;
  unregister(signal: AbortSignal): Promise<void>;
  /** What has changed behind a tag, and the tag of that; null: nothing. */
  list(since: string | null, signal: AbortSignal): Promise<{ serialNumbers: string[]; tag: string } | null>;
  /** The pass as it is now; null: it is the one that is known. */
  fetch(since: string | null, signal: AbortSignal): Promise<{ file: Buffer; modified: string | null } | null>;
};

const mostListBytes = 5_000_000;

/**
 * Apple's protocol between phones and the services of passes:
 * https://developer.apple.com/documentation/walletpasses/adding-a-web-service-to-update-passes
 */
export function createWebService(
  { passTypeIdentifier, serialNumber }: Pick<OpenedPass, "passTypeIdentifier" | "serialNumber">,
  { url, token }: NonNullable<OpenedPass["service"]>,
  deviceId: string,
): WebService {
  const part = encodeURIComponent;
  const registrations = `${url}/v1/devices/${part(deviceId)}/registrations/${part(passTypeIdentifier)}`;
  const registration = `${registrations}/${part(serialNumber)}`;
  const pass = `${url}/v1/passes/${part(passTypeIdentifier)}/${part(serialNumber)}`;
  const authorization = `ApplePass ${token}`;

  async function ask(
    address: string,
    init: RequestInit & { signal: AbortSignal },
    mostBytes = mostListBytes,
  ) {
    const headers = { "User-Agent": `passwright-sandbox-iphone/${deviceId}`, ...(init.headers as object) };
    return boundedFetch(address, { ...init, headers, redirect: "error", mostBytes });
  }

  return {
    async register(pushToken, signal) {
      const { status } = await ask(registration, {
        method: "POST",
        headers: { authorization, "content-type": "application/json" },
        body: JSON.stringify({ pushToken }),
        signal,
      });
      if (status === 200 || status === 201) return status;
      throw unexpected("the registration", status);
    },

    async unregister(signal) {
      const { status } = await ask(registration, { method: "DELETE", headers: { authorization }, signal });
      if (status !== 200) throw unexpected("the end of the registration", status);
    },

    async list(since, signal) {
      const query = since === null ? "" : `?passesUpdatedSince=${part(since)}`;
      const { status, body } = await ask(`${registrations}${query}`, { signal });
      if (status === 204) return null;
      if (status !== 200) throw unexpected("the question what is new", status);
      return listed(body);
    },

    async fetch(since, signal) {
      const headers = { authorization, ...(since !== null && { "if-modified-since": since }) };
      const { status, body, headers: given } = await ask(pass, { headers, signal }, mostPassBytes);
      if (status === 304) return null;
      if (status !== 200) throw unexpected("the fetch of the pass", status);
      return { file: body, modified: given.get("last-modified") };
    },
  };
}

function listed(body: Buffer): { serialNumbers: string[]; tag: string } {
  let answer: { serialNumbers?: unknown; lastUpdated?: unknown } | null = null;
  try {
    answer = JSON.parse(body.toString("utf8"));
  } catch {
    // Told below, as whatever else it is not.
  }
  const { serialNumbers, lastUpdated } = answer ?? {};
  if (!Array.isArray(serialNumbers) || typeof lastUpdated !== "string") {
    throw new NotReached("The service's list of what is new has no serialNumbers or no lastUpdated.");
  }
  return { serialNumbers: serialNumbers.filter((serial) => typeof serial === "string"), tag: lastUpdated };
}

function unexpected(what: string, status: number): NotReached {
  const why = status === 401 ? ": the service does not know the pass with this token" : "";
  return new NotReached(`The service answers ${status} to ${what}${why}.`);
}
