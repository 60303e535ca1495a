import type { Pass } from "../../domain/passes/pass.ts";
import type { GoogleCredentials } from "../../domain/providers/provider.ts";
import type { PassKind } from "../../domain/templates/parsing/google/pass-kind.ts";
import { objectId } from "./object-body.ts";
import { signJwt } from "./sign-jwt.ts";

export const saveUrl = "https://pay.google.com/gp/v/save/";

/**
 * The «Add to Google Wallet» link of a pass: https://developers.google.com/wallet/reference/rest/v1/Jwt.
 * The object exists already, so the JWT names only its id, and stays below the 1,800 characters beyond which Google
 * warns of browsers that cut links. Always the same for the same pass, key and origin.
 */
export function saveLink(
  { kind, pass, baseUrl }: { kind: PassKind; pass: Pass; baseUrl: string },
  { issuerId, clientEmail, privateKey }: GoogleCredentials,
): string {
  const claims = {
    iss: clientEmail,
    aud: "google",
    typ: "savetowallet",
    iat: Math.floor(pass.createdAtMs / 1000),
    origins: [new URL(baseUrl).origin],
    payload: { [`${kind}Objects`]: [{ id: objectId(issuerId, pass.id) }] },
  };
  return `${saveUrl}${signJwt(claims, { privateKey })}`;
}
