/** What a phone shows of a pass.json (https://developer.apple.com/documentation/walletpasses/pass). */

export type ShownField = { key: string; label: string; value: string; changeMessage: string | null };

export type Face = {
  style: string;
  organizationName: string;
  description: string;
  logoText: string;
  front: ShownField[];
  back: ShownField[];
  barcode: { format: string; message: string; altText: string } | null;
  voided: boolean;
  expiresAt: string | null;
};

/** A field that an update changed. `text`: what stands on the lock screen, where it is one that says so. */
export type FieldChange = {
  key: string;
  label: string;
  from: string | null;
  to: string | null;
  text: string | null;
};

type Members = Record<string, unknown>;

export const styles = ["boardingPass", "coupon", "eventTicket", "generic", "storeCard"] as const;
const frontGroups = [
  "headerFields",
  "primaryFields",
  "secondaryFields",
  "auxiliaryFields",
  "additionalInfoFields",
];

/** `style` is the member of pass.json that holds the fields. */
export function faceOf(passJson: Members, style: string): Face {
  const groups = asMembers(passJson[style]);
  const fieldsOf = (group: string): ShownField[] =>
    asList(groups[group]).map((field) => shownField(asMembers(field)));
  const [first = passJson.barcode] = asList(passJson.barcodes);
  const barcode = asMembers(first);
  return {
    style,
    organizationName: text(passJson.organizationName),
    description: text(passJson.description),
    logoText: text(passJson.logoText),
    front: frontGroups.flatMap(fieldsOf),
    back: fieldsOf("backFields"),
    barcode:
      typeof barcode.message === "string"
        ? {
            format: text(barcode.format).replace("PKBarcodeFormat", ""),
            message: barcode.message,
            altText: text(barcode.altText),
          }
        : null,
    voided: passJson.voided === true,
    expiresAt: typeof passJson.expirationDate === "string" ? passJson.expirationDate : null,
  };
}

function shownField(field: Members): ShownField {
  const { changeMessage } = field;
  return {
    key: text(field.key),
    label: text(field.label),
    value: shownValue(field),
    changeMessage: typeof changeMessage === "string" && changeMessage !== "" ? changeMessage : null,
  };
}

/** Numbers and instants as the field's style has them, in English. */
function shownValue(field: Members): string {
  const { value, currencyCode, numberStyle, dateStyle, timeStyle } = field;
  try {
    if (typeof value === "number" && typeof currencyCode === "string") {
      return new Intl.NumberFormat("en", { style: "currency", currency: currencyCode }).format(value);
    }
    if (typeof value === "number" && numberStyle === "PKNumberStylePercent") {
      return new Intl.NumberFormat("en", { style: "percent", maximumFractionDigits: 2 }).format(value);
    }
    if (typeof value === "string" && (dateStyle !== undefined || timeStyle !== undefined)) {
      return new Date(value)
        .toISOString()
        .replace("T", " ")
        .replace(/:\d\d\.\d+Z$/, " UTC");
    }
  } catch {
    // A currency or an instant that is none is shown as it stands.
  }
  return text(value);
}

/** What differs between two states of a pass, field by field. */
export function changesBetween(before: Face, after: Face): FieldChange[] {
  const [old, now] = [before, after].map(
    (face) => new Map([...face.front, ...face.back].map((field) => [field.key, field])),
  );
  const changes: FieldChange[] = [];
  for (const key of new Set([...(old?.keys() ?? []), ...(now?.keys() ?? [])])) {
    const [from, to] = [old?.get(key), now?.get(key)];
    if (from?.value === to?.value) continue;
    changes.push({
      key,
      label: to?.label ?? from?.label ?? "",
      from: from?.value ?? null,
      to: to?.value ?? null,
      text: to === undefined ? null : lockScreenText(after, to),
    });
  }
  return changes;
}

/** Without `%@` Wallet tells in general words that something has changed. */
function lockScreenText({ organizationName }: Face, { changeMessage, value }: ShownField): string | null {
  if (changeMessage === null) return null;
  if (!changeMessage.includes("%@")) return `${organizationName}: the pass has changed.`;
  return changeMessage.replace(/%@|%%/g, (token) => (token === "%@" ? value : "%"));
}

function asMembers(value: unknown): Members {
  return typeof value === "object" && value !== null && !Array.isArray(value) ? (value as Members) : {};
}

function asList(value: unknown): unknown[] {
  return Array.isArray(value) ? value.slice(0, 200) : [];
}

function text(value: unknown): string {
  return typeof value === "string" ? value : typeof value === "number" ? String(value) : "";
}
