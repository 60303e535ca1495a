import { createPublicKey } from "node:crypto";
import type { TemplateType } from "../../template.ts";
import { checkMembers, type ShapeCheck } from "../check-value.ts";
import { pointerTo } from "../findings.ts";
import { isMembers, type MemberReader, type Members, withArticle } from "../members.ts";
import { base64 } from "../text-formats.ts";
import { checkBarcodes } from "./check-barcodes.ts";
import { checkFields } from "./check-fields.ts";
import { checkSchemes } from "./check-schemes.ts";
import { passMembers } from "./pass-members.ts";
import type { TemplateParts } from "./placed-fields.ts";
import { appleStyles, posterStyle, styleNames, stylesOf } from "./styles.ts";

/** Members of pass.json by which Wallet finds and updates a pass, and where they come from. */
export const reservedAppleMembers: Readonly<Record<string, string>> = {
  formatVersion: "there is one format",
  passTypeIdentifier: "it is that of the tenant's Apple certificate",
  teamIdentifier: "it is that of the tenant's Apple certificate",
  serialNumber: "it is the pass's id, by which iPhones tell passes apart",
  authenticationToken: "it is the pass's secret, and stays the same for life",
  webServiceURL: "iPhones fetch updates there",
};

export type AuthoredPass = { type: TemplateType; parts: TemplateParts; images: ReadonlySet<string> };

/**
 * Checks what Apple Wallet would be given: the author's members of pass.json by Apple's rules, and the fields of the body
 * with them. Members that are not known are warned of.
 */
export function checkApple(reader: MemberReader, apple: Members, pass: AuthoredPass): void {
  const { type, parts, images } = pass;
  const check: ShapeCheck = {
    reader,
    type,
    uses: new Map(),
    unknown: "not known to this release and kept as it is",
  };
  const [own = "", ...besides] = stylesOf(type);
  checkReserved(reader, apple);
  checkStyles(reader, apple, { type, own });
  checkRemovals(reader, apple, own);
  const strangers = [...Object.keys(reservedAppleMembers), ...foreignStyles(type)];
  const checked = Object.fromEntries(Object.entries(apple).filter(([name]) => !strangers.includes(name)));
  checkMembers(check, checked, { shape: passMembers, pointer: "/apple" });
  for (const style of [own, ...besides]) checkFields(reader, { style, apple, parts });
  checkBarcodes(check, apple, parts.barcode);
  checkSchemes(check, apple, images);
  checkPeriods(reader, apple);
  checkNfcKey(reader, apple);
}

function checkReserved(reader: MemberReader, apple: Members): void {
  for (const [name, reason] of Object.entries(reservedAppleMembers)) {
    if (Object.hasOwn(apple, name))
      reader.fault(`/apple/${name}`, `is set by the service, since ${reason}: remove it`);
  }
}

function foreignStyles(type: TemplateType): string[] {
  const allowed = stylesOf(type);
  return styleNames.filter((style) => !allowed.includes(style));
}

function checkStyles(
  reader: MemberReader,
  apple: Members,
  { type, own }: { type: TemplateType; own: string },
): void {
  for (const style of foreignStyles(type).filter((name) => Object.hasOwn(apple, name))) {
    const types = Object.entries(appleStyles).filter(
      ([, name]) => name === (style === posterStyle ? "generic" : style),
    );
    const owners = types.map(([name]) => name).join(" or ");
    reader.fault(
      `/apple/${style}`,
      `is the style of ${withArticle(owners)}, and ${withArticle(type)} has the style ${own}: move its members to /apple/${own}, or change template_type`,
    );
  }
}

function checkRemovals(reader: MemberReader, apple: Members, own: string): void {
  for (const name of ["organizationName", "description", own]) {
    if (apple[name] === null)
      reader.fault(
        `/apple/${name}`,
        "cannot be taken away, since Wallet refuses a pass without it: remove the null",
      );
  }
}

/** Of dates that are there as such, the end must not come before the start. */
function checkPeriods(reader: MemberReader, apple: Members): void {
  const check = (members: unknown, [start, end]: [string, string], pointer: string): void => {
    if (!isMembers(members)) return;
    const [from, to] = [members[start], members[end]].map((date) => Date.parse(String(date)));
    if (from === undefined || to === undefined || !(from > to)) return;
    reader.warn(`${pointer}/${end}`, `is before ${start}: exchange them`);
  };
  const periods = Array.isArray(apple.relevantDates) ? apple.relevantDates : [];
  for (const [i, period] of periods.entries()) {
    check(period, ["startDate", "endDate"], pointerTo("/apple/relevantDates", i));
  }
  check(apple.semantics, ["eventStartDate", "eventEndDate"], "/apple/semantics");
}

/** Readers speak ECDH over P-256; a key of any other kind is found out here, not at the door. */
function checkNfcKey(reader: MemberReader, apple: Members): void {
  const key = isMembers(apple.nfc) ? apple.nfc.encryptionPublicKey : undefined;
  if (typeof key !== "string" || !base64.fits(key) || isP256(key)) return;
  reader.fault(
    "/apple/nfc/encryptionPublicKey",
    "is no public key on the curve P-256 (an X.509 SubjectPublicKeyInfo in Base64): give the body of its PEM file",
  );
}

function isP256(encoded: string): boolean {
  try {
    const key = createPublicKey({ key: Buffer.from(encoded, "base64"), format: "der", type: "spki" });
    return key.asymmetricKeyDetails?.namedCurve === "prime256v1";
  } catch {
    return false;
  }
}
