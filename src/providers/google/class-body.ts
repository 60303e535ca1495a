import { PasswrightError } from "../../domain/errors.ts";
import type { PassKind } from "../../domain/templates/parsing/google/pass-kind.ts";
import type { Template, TemplateContent, TemplateVersion } from "../../domain/templates/template.ts";
import type { Translations } from "../../domain/templates/translations.ts";
import { authorPart } from "./author-part.ts";
import { drawClass } from "./class-members.ts";
import { sendable } from "./sendable.ts";
import type { PassImages } from "./template-images.ts";
import type { WalletResource } from "./wallet-api.ts";

/** `https://developers.google.com/wallet/reference/rest/v1/<kind>class`, the members marked «Required». */
const required: Record<PassKind, readonly string[]> = {
  loyalty: ["issuerName", "programName", "programLogo"],
  offer: ["issuerName", "title", "provider", "redemptionChannel"],
  eventTicket: ["issuerName", "eventName"],
  flight: [
    "issuerName",
    "flightHeader.carrier",
    "flightHeader.flightNumber",
    "origin.airportIataCode",
    "destination.airportIataCode",
    "localScheduledDepartureDateTime",
  ],
  transit: ["issuerName", "logo", "transitType"],
  giftCard: ["issuerName"],
  generic: [],
};

export type ClassInput = {
  id: string;
  kind: PassKind;
  version: TemplateVersion;
  images: PassImages;
  translations: Translations;
  /** Where Google reports saves and deletions. */
  callbackUrl?: string;
};

/**
 * One class per template: a later version of the template patches it. A system template has one for each tenant, since a
 * message to a class reaches all of its passes, and several tenants may go by the same issuer.
 */
export function classId(
  issuerId: string,
  template: Pick<Template, "id" | "tenantId">,
  tenantId: string,
): string {
  const own = `${issuerId}.${template.id}`;
  return template.tenantId === null ? `${own}.${tenantId}` : own;
}

/**
 * The class of a template version, as a merge patch. The template's `google.class` is merged in last, its `{{key}}`
 * tokens replaced by the fields' defaults, since a class knows no pass; id and review status are ours. Members that Google
 * does not know, or whose values it would refuse, are left out.
 * Throws `provider_rejected` when something that Google requires is nowhere in the template.
 */
export function classBody(input: ClassInput): WalletResource {
  const { id, kind, images, translations, callbackUrl } = input;
  const { content } = input.version;
  const drawn = {
    ...drawClass[kind]({ content, images }),
    ...(callbackUrl !== undefined && { callbackOptions: { url: callbackUrl } }),
  };
  const author = authorPart(content, "class");
  const merged = sendable({
    kind,
    part: "class",
    drawn,
    author,
    values: defaults(content),
    translations,
  });
  const missing = required[kind].filter((path) => !has(merged, path));
  if (missing.length > 0) {
    const detail = `a ${kind} class needs ${missing.join(", ")}: add to the template's images or google.class`;
    throw new PasswrightError("provider_rejected", detail);
  }
  return {
    ...merged,
    id,
    // Google turns it into approved by itself; an approved class is updated under the same word.
    ...(kind !== "generic" && { reviewStatus: "UNDER_REVIEW" }),
  };
}

function defaults({ fields }: TemplateContent): Map<string, string> {
  return new Map(fields.map((field) => [field.key, field.default ?? ""]));
}

function has(value: unknown, path: string): boolean {
  let at: unknown = value;
  for (const name of path.split(".")) at = (at as Record<string, unknown> | null | undefined)?.[name];
  return at !== undefined && at !== null && at !== "";
}
