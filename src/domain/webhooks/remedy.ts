import type { Answer } from "./deliver.ts";

/** What whoever runs a receiver, or this service, can do about an answer that is not a 2xx. */
export function remedyOf(answer: Answer): string {
  return "error" in answer ? remedyOfSilence(answer.error) : remedyOfStatus(answer.statusCode);
}

function remedyOfStatus(statusCode: number): string {
  if (statusCode < 400) return "Redirects are not followed: register the address that it leads to.";
  switch (statusCode) {
    case 401:
    case 403:
      return "The receiver refuses the sender. Compare its secret with the webhook's, and let it check the raw body.";
    case 404:
    case 405:
      return "Nothing takes a POST at this path. Correct the webhook's address, or the receiver's routes.";
    case 410:
      return "The receiver says that it is gone for good: change the webhook's address, or delete it.";
    case 413:
      return "The receiver takes no bodies of this size: raise its limit.";
    case 429:
    case 503:
      return "The receiver is too busy. Real deliveries are tried again, and wait as its Retry-After asks, for up to an hour.";
  }
  return statusCode < 500
    ? "The receiver does not like the request. Its log says why: look for the delivery's id."
    : "The receiver failed. Its log says why: look for the delivery's id.";
}

/** By what the sender says, which names the code of Node, OpenSSL or undici. */
const silences: readonly [RegExp, string][] = [
  [
    /not a public address/,
    "Register a public https address, or allow the range with PASSWRIGHT_WEBHOOK_ALLOW_CIDRS, here and for the workers.",
  ],
  [/names port/, "Register an address at a port that belongs to web servers, such as 443."],
  [
    /CERT_HAS_EXPIRED|CERT_NOT_YET_VALID/,
    "Renew the receiver's certificate; if it is in date, look at this machine's clock.",
  ],
  [/ALTNAME_INVALID/, "The receiver's certificate is for another name: get one for the address's host."],
  [
    /SELF_SIGNED|UNABLE_TO|CERT_/,
    "Let the receiver send its whole chain, from an authority that is trusted; PASSWRIGHT_WEBHOOK_CA_FILE names others, here and for the workers.",
  ],
  [
    /SSL|TLS|EPROTO/,
    "There is no TLS to be had at this address: look at the receiver's port and its TLS versions.",
  ],
  [
    /has no address|ENOTFOUND|ENODATA|ESERVFAIL|EAI_AGAIN/,
    "The name does not resolve: correct it, or its DNS records.",
  ],
  [/ECONNREFUSED/, "Nothing listens there: start the receiver, or correct the port."],
  [
    /no complete answer/,
    "Answer first and work afterwards: a receiver has 30 s, and should need less than one.",
  ],
  [/TIMEOUT|TIMEDOUT|UNREACH/i, "The host cannot be reached: look at firewalls and routes in between."],
  [/ECONNRESET|SOCKET|HPE_/, "The receiver, or something before it, ended the connection: look at its log."],
];

function remedyOfSilence(error: string): string {
  const [, remedy] = silences.find(([sign]) => sign.test(error)) ?? [];
  return remedy ?? "Look whether the receiver can be reached from this machine, for instance with curl.";
}
