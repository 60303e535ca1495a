/** pass.json (https://developer.apple.com/documentation/walletpasses/pass) out of a template and a pass. */
import { isoInstant } from "../../domain/clock.ts";
import { fieldValues, renderTokens } from "../../domain/passes/field-values.ts";
import type { PassMessage } from "../../domain/passes/pass.ts";
import type { AppleCredentials, PassToIssue } from "../../domain/providers/provider.ts";
import { isLatin1 } from "../../domain/templates/parsing/apple/check-barcodes.ts";
import { groupMembers } from "../../domain/templates/parsing/apple/field-members.ts";
import { appleStyles, posterStyle } from "../../domain/templates/parsing/apple/styles.ts";
import type {
  BarcodeFormat,
  BodyGroup,
  TemplateBarcode,
  TemplateContent,
  TemplateField,
} from "../../domain/templates/template.ts";
import { isObject, type JsonObject, mergeObjects, renderedMembers } from "./apple-members.ts";
import { completeMembers } from "./complete-members.ts";

/**
 * The pass.json of a pass in its newest version: what we generate, with the template's `apple` part laid over it.
 */
export function passJson(
  { pass, template, baseUrl, voided }: PassToIssue,
  { passTypeIdentifier, teamIdentifier }: Pick<AppleCredentials, "passTypeIdentifier" | "teamIdentifier">,
): JsonObject {
  const { content } = template.version;
  const { header } = content;
  const values = fieldValues(content, pass);
  const style = appleStyles[template.template.type];
  const generated: JsonObject = {
    formatVersion: 1,
    passTypeIdentifier,
    teamIdentifier,
    serialNumber: pass.id,
    authenticationToken: pass.authenticationToken,
    webServiceURL: `${baseUrl}/apple/${pass.tenantId}`,
    organizationName: header.organization_name,
    description: header.description,
    ...(header.logo_text === undefined ? {} : { logoText: header.logo_text }),
    backgroundColor: rgb(header.background_color),
    foregroundColor: rgb(header.foreground_color),
    labelColor: rgb(header.label_color),
    ...barcodeMembers(content.barcode, values),
    [style]: {
      ...(style === "boardingPass" ? { transitType: "PKTransitTypeAir" } : {}),
      ...fieldGroups(content, values),
    },
  };
  if (pass.message !== null) addMessage(generated[style], pass.message);
  const authored = renderedMembers(content.apple ?? {}, values);
  const members = completeMembers(mergeObjects(generated, authored), authored);
  if (pass.message !== null) addMessage(members[posterStyle], pass.message);
  if (voided) members.voided = true;
  return members;
}

/**
 * A message is a back field that changes: Wallet shows `changeMessage` with the new value for `%@` on the lock screen, and
 * says nothing about a field that stays the same, so the instant is part of the value.
 */
function addMessage(style: unknown, message: PassMessage): void {
  if (!isObject(style)) return;
  const backFields = Array.isArray(style.backFields) ? style.backFields : [];
  const field = {
    key: "passwright-message",
    label: message.header,
    value: `${message.body}\n${isoInstant(message.at)}`,
    changeMessage: `${message.header.replaceAll("%", "%%")}: %@`,
  };
  style.backFields = [field, ...backFields];
}

/**
 * The file's bytes. Lone surrogates become U+FFFD: JSON can escape them, and JavaScript does, but Apple's
 * parser then refuses the whole file.
 */
export function passJsonBytes(members: JsonObject): Buffer {
  const text = JSON.stringify(members);
  const repaired = loneSurrogate.test(text) ? JSON.stringify(members, wellFormed) : text;
  return Buffer.from(repaired, "utf8");
}

/** How JSON.stringify writes one; written-out backslashes match too, at no harm. */
const loneSurrogate = /\\ud[89a-f]/;

function wellFormed(_member: string, value: unknown): unknown {
  return typeof value === "string" ? value.toWellFormed() : value;
}

function fieldGroups({ fields, body }: TemplateContent, values: ReadonlyMap<string, string>): JsonObject {
  const byKey = new Map(fields.map((field) => [field.key, field]));
  const members: JsonObject = {};
  for (const [group, member] of Object.entries(groupMembers)) {
    const shown = body[group as BodyGroup].flatMap((key) => byKey.get(key) ?? []);
    if (shown.length > 0) members[member] = shown.map((field) => fieldMember(field, values));
  }
  return members;
}

function fieldMember(field: TemplateField, values: ReadonlyMap<string, string>): JsonObject {
  return {
    key: field.key,
    label: field.label,
    value: values.get(field.key) ?? "",
    ...(field.change_message === undefined ? {} : { changeMessage: field.change_message }),
  };
}

/** `#rrggbb` as pass.json writes colours. */
function rgb(hex: string): string {
  const [red, green, blue] = [1, 3, 5].map((at) => Number.parseInt(hex.slice(at, at + 2), 16));
  return `rgb(${red}, ${green}, ${blue})`;
}

const formats: Record<BarcodeFormat, string> = {
  qr: "PKBarcodeFormatQR",
  pdf417: "PKBarcodeFormatPDF417",
  aztec: "PKBarcodeFormatAztec",
  code128: "PKBarcodeFormatCode128",
};

/**
 * `barcodes`, and for iOS 8 and older the deprecated `barcode`, which knows no Code 128. None for an empty
 * message: there is nothing to draw.
 */
function barcodeMembers(barcode: TemplateBarcode | null, values: ReadonlyMap<string, string>): JsonObject {
  const message = barcode === null ? "" : renderTokens(barcode.message, values);
  if (barcode === null || message === "") return {};
  const altText = renderTokens(barcode.alt_text ?? "", values);
  const drawn = {
    format: formats[barcode.format],
    message,
    messageEncoding: isLatin1(message) ? "iso-8859-1" : "utf-8",
    ...(altText === "" ? {} : { altText }),
  };
  return barcode.format === "code128" ? { barcodes: [drawn] } : { barcodes: [drawn], barcode: drawn };
}
