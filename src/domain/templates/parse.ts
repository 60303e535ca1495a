import { invalidRequest, type Violation } from "../errors.ts";
import { tokensIn } from "../passes/field-values.ts";
import {
  barcodeFormats,
  bodyGroups,
  computedSources,
  type TemplateContent,
  type TemplateType,
  templateTypes,
  type WalletKey,
  walletKeys,
} from "./template.ts";

/** A template directory, read and found right. */
export type ParsedTemplate = {
  name: string;
  type: TemplateType;
  description: string | null;
  providers: WalletKey[];
  content: TemplateContent;
  images: ReadonlyMap<string, Uint8Array>;
};

const fieldKey = /^[A-Za-z0-9_.-]{1,64}$/;
const colour = /^#[0-9a-f]{6}$/i;

/**
 * Checks what an author wrote: `document` is template.json parsed, `images` the files under `images/` by name.
 * Rejects with every violation found, its path a JSON pointer into template.json or the file's name.
 */
export function parseTemplate(document: unknown, images: ReadonlyMap<string, Uint8Array>): ParsedTemplate {
  const check = new TemplateCheck(images);
  const parsed = check.template(document);
  if (check.violations.length > 0) throw invalidRequest(check.violations);
  return parsed;
}

type Members = Record<string, unknown>;

class TemplateCheck {
  readonly violations: Violation[] = [];
  private readonly images: ReadonlyMap<string, Uint8Array>;

  constructor(images: ReadonlyMap<string, Uint8Array>) {
    this.images = images;
  }

  template(document: unknown): ParsedTemplate {
    const top = this.object(document, "", [
      "name",
      "template_type",
      "description",
      "providers",
      "fields",
      "header",
      "body",
      "barcode",
      "apple",
      "google",
    ]);
    const name = this.text(top.name, "/name", 100);
    const type = this.oneOf(top.template_type, "/template_type", templateTypes);
    const description =
      top.description === undefined ? null : this.text(top.description, "/description", 500);
    const providers =
      top.providers === undefined
        ? [...walletKeys]
        : this.list(top.providers, "/providers").map((value, i) =>
            this.oneOf(value, `/providers/${i}`, walletKeys),
          );
    if (providers.length === 0) this.fault("/providers", "must name at least one of apple, google");
    const fields = this.fields(top.fields);
    const keys = new Set(fields.map((field) => field.key));
    const content: TemplateContent = {
      fields,
      header: this.header(top.header),
      body: this.body(top.body, keys),
      barcode: this.barcode(top.barcode, keys),
      ...this.rawPart(top, "apple", keys),
      ...this.rawPart(top, "google", keys),
    };
    if (providers.includes("apple") && !this.images.has("icon.png")) {
      this.fault("images/icon.png", "is missing: Apple Wallet refuses a pass without an icon");
    }
    return { name, type, description, providers, content, images: this.images };
  }

  private fields(value: unknown): TemplateContent["fields"] {
    const seen = new Set<string>();
    return this.list(value, "/fields").map((entry, i) => {
      const path = `/fields/${i}`;
      const field = this.object(entry, path, [
        "key",
        "label",
        "kind",
        "default",
        "required",
        "max_length",
        "source",
        "change_message",
      ]);
      const key = this.text(field.key, `${path}/key`, 64);
      if (!fieldKey.test(key) || key === "__proto__")
        this.fault(`${path}/key`, "must be 1 to 64 of A-Z a-z 0-9 _ . -");
      if (seen.has(key)) this.fault(`${path}/key`, `stands twice: ${key}`);
      seen.add(key);
      const kind = this.oneOf(field.kind, `${path}/kind`, ["Static", "Placeholder", "Computed"] as const);
      if (kind === "Static" && field.default === undefined) {
        this.fault(`${path}/default`, "is required for a Static field");
      }
      if (kind === "Computed" && field.source === undefined) {
        this.fault(`${path}/source`, `is required for a Computed field: ${computedSources.join(", ")}`);
      }
      if (kind !== "Computed" && field.source !== undefined) {
        this.fault(`${path}/source`, "belongs to Computed fields only");
      }
      const maxLength = field.max_length;
      if (maxLength !== undefined && !(Number.isSafeInteger(maxLength) && Number(maxLength) > 0)) {
        this.fault(`${path}/max_length`, "must be a whole number above 0");
      }
      const tooLong = typeof field.default === "string" && [...field.default].length > Number(maxLength);
      if (tooLong) this.fault(`${path}/default`, `is longer than max_length, ${maxLength} characters`);
      if (field.required !== undefined && typeof field.required !== "boolean") {
        this.fault(`${path}/required`, "must be true or false");
      }
      return {
        key,
        label: this.text(field.label, `${path}/label`, 200, 0),
        kind,
        ...(field.default !== undefined && {
          default: this.text(field.default, `${path}/default`, 4096, 0),
        }),
        ...(field.required !== undefined && { required: field.required === true }),
        ...(maxLength !== undefined && { max_length: Number(maxLength) }),
        ...(field.source !== undefined && {
          source: this.oneOf(field.source, `${path}/source`, computedSources),
        }),
        ...(field.change_message !== undefined && {
          change_message: this.text(field.change_message, `${path}/change_message`, 200),
        }),
      };
    });
  }

  private header(value: unknown): TemplateContent["header"] {
    const header = this.object(value, "/header", [
      "organization_name",
      "description",
      "logo_text",
      "background_color",
      "foreground_color",
      "label_color",
      "images",
    ]);
    const images = this.list(header.images ?? [...this.images.keys()], "/header/images").map((name, i) => {
      const path = `/header/images/${i}`;
      const file = this.text(name, path, 100);
      if (file !== "" && !this.images.has(file)) this.fault(path, `names images/${file}, which is not there`);
      return file;
    });
    for (const file of this.images.keys()) {
      if (!images.includes(file)) this.fault(`images/${file}`, "is not listed in /header/images");
    }
    return {
      organization_name: this.text(header.organization_name, "/header/organization_name", 100),
      description: this.text(header.description, "/header/description", 200),
      ...(header.logo_text !== undefined && {
        logo_text: this.text(header.logo_text, "/header/logo_text", 100, 0),
      }),
      background_color: this.colour(header.background_color, "/header/background_color"),
      foreground_color: this.colour(header.foreground_color, "/header/foreground_color"),
      label_color: this.colour(header.label_color, "/header/label_color"),
      images,
    };
  }

  private body(value: unknown, keys: ReadonlySet<string>): TemplateContent["body"] {
    const body = this.object(value, "/body", bodyGroups);
    const seen = new Set<string>();
    const group = (name: (typeof bodyGroups)[number]): string[] =>
      this.list(body[name] ?? [], `/body/${name}`).map((entry, i) => {
        const path = `/body/${name}/${i}`;
        const key = this.text(entry, path, 64);
        if (!keys.has(key)) this.fault(path, `names the field ${key}, which is not in /fields`);
        if (seen.has(key)) this.fault(path, `${key} stands in the body twice`);
        seen.add(key);
        return key;
      });
    return {
      header: group("header"),
      primary: group("primary"),
      secondary: group("secondary"),
      auxiliary: group("auxiliary"),
      back: group("back"),
    };
  }

  private barcode(value: unknown, keys: ReadonlySet<string>): TemplateContent["barcode"] {
    if (value === undefined || value === null) return null;
    const barcode = this.object(value, "/barcode", ["format", "message", "alt_text"]);
    const message = this.text(barcode.message, "/barcode/message", 4096);
    this.tokens(message, "/barcode/message", keys);
    const format = this.oneOf(barcode.format, "/barcode/format", barcodeFormats);
    if (barcode.alt_text === undefined) return { format, message };
    const altText = this.text(barcode.alt_text, "/barcode/alt_text", 4096, 0);
    this.tokens(altText, "/barcode/alt_text", keys);
    return { format, message, alt_text: altText };
  }

  private rawPart<Name extends "apple" | "google">(top: Members, name: Name, keys: ReadonlySet<string>) {
    const value = top[name];
    if (value === undefined) return {};
    if (!isMembers(value)) {
      this.fault(`/${name}`, "must be an object");
      return {};
    }
    this.tokensWithin(value, `/${name}`, keys);
    return { [name]: value } as { [key in Name]: Members };
  }

  private tokensWithin(value: unknown, path: string, keys: ReadonlySet<string>): void {
    if (typeof value === "string") this.tokens(value, path, keys);
    else if (Array.isArray(value))
      value.forEach((item, i) => {
        this.tokensWithin(item, `${path}/${i}`, keys);
      });
    else if (isMembers(value)) {
      for (const [name, item] of Object.entries(value)) this.tokensWithin(item, `${path}/${name}`, keys);
    }
  }

  private tokens(text: string, path: string, keys: ReadonlySet<string>): void {
    for (const key of tokensIn(text)) {
      if (!keys.has(key)) this.fault(path, `uses {{${key}}}, but there is no field ${key}`);
    }
  }

  private object(value: unknown, path: string, members: readonly string[]): Members {
    if (!isMembers(value)) {
      this.fault(path, "must be an object");
      return {};
    }
    for (const name of Object.keys(value)) {
      if (!members.includes(name)) {
        const pointer = name.replaceAll("~", "~0").replaceAll("/", "~1");
        this.fault(`${path}/${pointer}`, `is not known here; allowed: ${members.join(", ")}`);
      }
    }
    return value;
  }

  private list(value: unknown, path: string): unknown[] {
    if (Array.isArray(value)) return value;
    this.fault(path, "must be an array");
    return [];
  }

  private text(value: unknown, path: string, maxLength: number, minLength = 1): string {
    if (typeof value !== "string") {
      this.fault(path, "must be a string");
      return "";
    }
    const length = [...value].length;
    if (length < minLength || length > maxLength) {
      this.fault(path, `must be ${minLength} to ${maxLength} characters`);
    }
    return value;
  }

  private oneOf<const Value extends string>(value: unknown, path: string, known: readonly Value[]): Value {
    const found = known.find((candidate) => candidate === value);
    if (found !== undefined) return found;
    this.fault(path, `must be one of ${known.join(", ")}`);
    return known[0] as Value;
  }

  private colour(value: unknown, path: string): string {
    if (typeof value === "string" && colour.test(value)) return value.toLowerCase();
    this.fault(path, "must be a colour in the form #rrggbb");
    return "#000000";
  }

  private fault(path: string, message: string): void {
    this.violations.push({ path, message });
  }
}

function isMembers(value: unknown): value is Members {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}
