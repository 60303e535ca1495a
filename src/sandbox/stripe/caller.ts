import type { Received } from "../exchange.ts";
import { stripeError } from "./api-error.ts";

/**
 * The test key of a request, from `Authorization: Bearer KEY` or Basic with the key as user name
 * (https://docs.stripe.com/api/authentication), or 401 in Stripe's words. Every well-formed test key is an account.
 */
export function authenticate(request: Received): string {
  const key = keyOf(request.headers.authorization ?? "");
  if (key === undefined) {
    throw unauthorized(
      "You did not provide an API key. You need to provide your API key in the Authorization header, using Bearer " +
        "auth (e.g. 'Authorization: Bearer YOUR_SECRET_KEY'). See https://stripe.com/docs/api#authentication for details.",
    );
  }
  if (/^pk_/.test(key)) {
    throw unauthorized(
      "This API call cannot be made with a publishable API key. Please use a secret API key. " +
        "You can find a list of your API keys at https://dashboard.stripe.com/account/apikeys.",
      "secret_key_required",
    );
  }
  if (!/^sk_test_\w{8,}$/.test(key)) throw unauthorized(`Invalid API Key provided: ${masked(key)}`);
  return key;
}

function keyOf(authorization: string): string | undefined {
  const [, scheme = "", credentials = ""] = /^(Bearer|Basic) +(\S+) *$/i.exec(authorization) ?? [];
  if (scheme.toLowerCase() !== "basic") return credentials || undefined;
  const [user] = Buffer.from(credentials, "base64").toString("utf8").split(":");
  return user || undefined;
}

/** Stripe shows how a key begins and ends. */
function masked(key: string): string {
  if (key.length < 12) return "*".repeat(key.length);
  return `${key.slice(0, 7)}${"*".repeat(key.length - 11)}${key.slice(-4)}`;
}

function unauthorized(message: string, code?: string) {
  const challenge = { "www-authenticate": 'Basic realm="Stripe"' };
  return stripeError(401, { message, ...(code !== undefined && { code }) }, challenge);
}
