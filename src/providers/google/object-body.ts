import { fieldValues } from "../../domain/passes/field-values.ts";
import type { Pass } from "../../domain/passes/pass.ts";
import type { PassKind } from "../../domain/templates/parsing/google/pass-kind.ts";
import type { TemplateContent, TemplateVersion } from "../../domain/templates/template.ts";
import type { Translations } from "../../domain/templates/translations.ts";
import { authorPart, type JsonObject } from "./author-part.ts";
import { expiry, type MerchantLocation, places, soundInterval, type TimeInterval } from "./from-apple.ts";
import { drawings, type Value } from "./object-members.ts";
import { sendable } from "./sendable.ts";
import { type Barcode, barcode } from "./shared-members.ts";
import type { PassImages } from "./template-images.ts";
import { type TextModule, textModules } from "./text-modules.ts";
import type { WalletResource } from "./wallet-api.ts";

/** The members that objects of all kinds have. */
export type CommonObject = {
  textModulesData: TextModule[];
  barcode: Barcode | null;
  validTimeInterval: TimeInterval | null;
  merchantLocations: MerchantLocation[] | null;
};

export type ObjectInput = {
  kind: PassKind;
  issuerId: string;
  classId: string;
  pass: Pass;
  version: TemplateVersion;
  images: PassImages;
  translations: Translations;
  voided: boolean;
};

export function objectId(issuerId: string, passId: string): string {
  return `${issuerId}.${passId}`;
}

/**
 * The object of a pass, as a merge patch: what the pass does not have is null, so that a field emptied by an update
 * goes from the wallet, too. The template's `google.object` is merged in last, its `{{key}}` tokens replaced by the
 * values of the pass; ids and state are ours.
 */
export function objectBody(input: ObjectInput): WalletResource {
  const { kind, issuerId, classId, pass, version, images, translations, voided } = input;
  const { content } = version;
  const values = fieldValues(content, pass);
  const author = authorPart(content, "object");
  const { main, shows, draw } = drawings[kind];
  const ours = !main.some((member) => member in author);
  const primary = ours ? primaryValues(content, values).slice(0, shows) : [];
  const code = content.barcode === null ? undefined : barcode(content.barcode, values);
  // Who says when a pass is valid on Google says all of it.
  const expires = "validTimeInterval" in author ? null : expiry(content, values);
  const common: CommonObject = {
    textModulesData: textModules(content, values, new Set(primary.map(({ key }) => key))),
    barcode: code ?? null,
    validTimeInterval: expires && { start: null, end: expires },
    merchantLocations: places(content, values),
  };
  // Google refuses some of the main members beside each other, so those that go unused are cleared.
  const none: JsonObject = Object.fromEntries(main.map((member) => [member, null]));
  const drawn = { ...none, ...common, ...draw({ pass, content, images, primary, expires }) };
  const sent = sendable({ kind, part: "object", drawn, author, values, translations });
  return {
    ...sent,
    validTimeInterval: soundInterval(sent.validTimeInterval),
    id: objectId(issuerId, pass.id),
    classId,
    // An object cannot be deleted: https://developers.google.com/wallet/generic/use-cases/expired-passes.
    state: voided ? "EXPIRED" : "ACTIVE",
  };
}

function primaryValues({ fields, body }: TemplateContent, values: ReadonlyMap<string, string>): Value[] {
  const labels = new Map(fields.map(({ key, label }) => [key, label]));
  return body.primary.flatMap((key) => {
    const label = labels.get(key);
    const value = values.get(key) ?? "";
    return label === undefined || value === "" ? [] : [{ key, label, value }];
  });
}
