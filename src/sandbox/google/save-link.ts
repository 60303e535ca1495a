import { type Answer, Refused } from "../exchange.ts";
import type { Journal } from "../journal.ts";
import type { Issuers } from "./issuers.ts";
import { decodeJwt, isSignedBy, type Jwt } from "./jwt.ts";
import { isObject } from "./proto-json.ts";
import { type ResourceType, resourceTypes } from "./resource-shapes.ts";
import { isUserOf, type ServiceAccount, standingOf } from "./service-accounts.ts";
import type { StoredResource, WalletStore } from "./wallet-store.ts";

export type SaveLinkParts = {
  accounts: Journal<ServiceAccount>;
  issuers: Issuers;
  wallet: WalletStore;
  nowMs: () => number;
};

/** What a good link offers. */
export type Offer = { objects: StoredResource[]; isTest: boolean; warnings: string[] };

/** A page that says what is wrong with a link. */
export type Refusal = (status: number, title: string, why: string) => Answer;

/** https://developers.google.com/wallet/generic/web: «The length of an encoded JWT should not exceed 1800 characters.» */
const longestJwt = 1800;
const skewSeconds = 60;

/** Checks the JWT of a save link as Google does (https://developers.google.com/wallet/reference/rest/v1/Jwt), or throws the refusal. */
export function readSaveLink(parts: SaveLinkParts, text: string, refusal: Refusal): Offer {
  const refuse = (status: number, title: string, why: string) => new Refused(refusal(status, title, why));
  const jwt = decodeJwt(text);
  if (jwt === undefined) {
    throw refuse(400, "This link is damaged", "What follows /save/ is not a JWT. Was it cut, or wrapped?");
  }
  const iss = String(jwt.claims.iss ?? "");
  const account = parts.accounts.get(iss);
  if (account === undefined || standingOf(account).account !== "enabled") {
    throw refuse(
      400,
      "Unknown service account",
      `No service account that may be used is called «${iss}» (iss).`,
    );
  }
  if (!isSignedBy(account, jwt)) {
    throw refuse(400, "The signature is wrong", `It is not one of RS256 by the key of ${iss}.`);
  }
  const complaint = claimsComplaint(jwt, parts.nowMs());
  if (complaint !== undefined) throw refuse(400, "The link is not valid", complaint);

  const objects = named(jwt).map(({ type, id }) => {
    const issuerId = id.slice(0, Math.max(0, id.indexOf(".")));
    if (!isUserOf(account, issuerId)) {
      throw refuse(403, "Not allowed", `${iss} may not act for the issuer of ${id}.`);
    }
    const stored = parts.wallet.find(type, id);
    if (stored?.type === type) return stored;
    throw refuse(
      404,
      "There is no such pass",
      `No ${type} is called ${id}. Insert it before the link is used.`,
    );
  });
  if (objects.length === 0) throw refuse(400, "The link is not valid", "payload names no objects.");
  const isTest = objects.some(({ resource }) => {
    const [issuerId = ""] = String(resource.id).split(".");
    return parts.issuers.find(issuerId)?.isDemo === true;
  });
  return { objects, isTest, warnings: lengthWarning(text) };
}

function claimsComplaint({ claims }: Jwt, nowMs: number): string | undefined {
  const { aud, typ, iat, origins, payload } = claims;
  if (aud !== "google") return `aud must be «google», and is ${JSON.stringify(aud ?? null)}.`;
  if (typ !== "savetowallet") return `typ must be «savetowallet», and is ${JSON.stringify(typ ?? null)}.`;
  if (!Number.isInteger(iat)) return "iat must be a time in whole seconds.";
  if (Number(iat) > nowMs / 1000 + skewSeconds) return "iat is in the future.";
  const isOrigins = origins === undefined || (Array.isArray(origins) && origins.every(isOrigin));
  if (!isOrigins) return "origins must be a list of origins, such as https://example.com.";
  if (!isObject(payload)) return "payload must be an object.";
  const unknown = Object.keys(payload).find((name) => typeOf(name) === undefined);
  return unknown === undefined ? undefined : `payload has a member that is not known: ${unknown}.`;
}

const isOrigin = (value: unknown): boolean => typeof value === "string" && URL.canParse(value);

/** The objects in the payload, in its order. */
function named({ claims }: Jwt): { type: ResourceType; id: string }[] {
  return Object.entries(claims.payload as Record<string, unknown>).flatMap(([name, list]) => {
    const type = typeOf(name);
    if (type === undefined || !type.endsWith("Object") || !Array.isArray(list)) return [];
    return list.map((item: unknown) => ({ type, id: isObject(item) ? String(item.id ?? "") : "" }));
  });
}

/** `genericObjects` -> `genericObject`, `genericClasses` -> `genericClass`. */
const typeOf = (member: string): ResourceType | undefined =>
  resourceTypes.find((type) => member === `${type}s` || member === `${type}es`);

function lengthWarning(text: string): string[] {
  if (text.length <= longestJwt) return [];
  return [
    `The JWT of this link has ${text.length} characters. Above ${longestJwt}, links do not work reliably: some browsers ` +
      "cut them. Insert the class and the object first, and name only the object’s id in the JWT.",
  ];
}
