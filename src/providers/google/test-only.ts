import type { PassKind } from "../../domain/templates/parsing/google/pass-kind.ts";
import type { LocalizedString } from "./shared-members.ts";
import type { WalletResource } from "./wallet-api.ts";

/**
 * What Google puts before the titles of passes that an issuer in demo mode makes:
 * https://developers.google.com/wallet/generic/test-and-go-live/request-publishing-access
 */
const mark = "[TEST ONLY] ";

/** The issuer's name of a class bears the mark. A generic class has none. */
export function markTestClass(body: WalletResource): WalletResource {
  const marked: WalletResource = { ...body };
  if (typeof body.issuerName === "string") marked.issuerName = withMark(body.issuerName);
  if (isLocalized(body.localizedIssuerName)) marked.localizedIssuerName = markAll(body.localizedIssuerName);
  return marked;
}

/** The title of a generic object bears the mark; the others show the issuer's name of their class. */
export function markTestObject(kind: PassKind, body: WalletResource): WalletResource {
  if (kind !== "generic" || !isLocalized(body.cardTitle)) return body;
  return { ...body, cardTitle: markAll(body.cardTitle) };
}

type Text = LocalizedString & { translatedValues?: unknown };

function markAll({ defaultValue, translatedValues, ...others }: Text) {
  return {
    ...others,
    defaultValue: markOne(defaultValue),
    ...(Array.isArray(translatedValues) && { translatedValues: translatedValues.map(markOne) }),
  };
}

function markOne<Translation extends { value?: unknown }>(one: Translation): Translation {
  return typeof one?.value === "string" ? { ...one, value: withMark(one.value) } : one;
}

function withMark(text: string): string {
  return text.startsWith(mark) ? text : `${mark}${text}`;
}

function isLocalized(value: unknown): value is Text {
  const text = value as { defaultValue?: { value?: unknown } | null } | null | undefined;
  return typeof text?.defaultValue?.value === "string";
}
