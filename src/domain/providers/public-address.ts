/** Names that no server outside of a network of its own can find (RFC 6761, RFC 6762, RFC 8375, RFC 9476). */
const privateName = /(^|\.)(localhost|local|internal|alt|test|example|invalid|home\.arpa)$/;

/** Loopback, private, link-local and carrier-grade addresses, and those that are none. */
const privateAddress =
  /^(0|10|127|169\.254|192\.168|172\.(1[6-9]|2\d|3[01])|100\.(6[4-9]|[7-9]\d|1[01]\d|12[0-7]))\.|^\[(::|f[cd]|fe[89ab])/;

/**
 * Why Google cannot fetch from this address, as the end of a sentence about it, or null where nothing speaks against it. Google
 * fetches the pictures of passes, once, from https alone.
 */
export function whyNotPublic(baseUrl: string): string | null {
  if (baseUrl === "") return "is not set, so it is an address of this machine";
  const { protocol, hostname } = new URL(baseUrl);
  const isNamed = hostname.includes(".") || hostname.startsWith("[");
  if (!isNamed || privateName.test(hostname) || privateAddress.test(hostname)) {
    return `is ${baseUrl}, which only this network can reach`;
  }
  return protocol === "https:" ? null : `is ${baseUrl}, and Google fetches by https only`;
}

/** Whether these credentials are for Google itself, and not for a stand-in. */
export function isGooglesOwn({ apiUrl }: { apiUrl: string }): boolean {
  return /(^|\.)googleapis\.com$/.test(new URL(apiUrl).hostname);
}
