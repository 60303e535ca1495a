import { type BodyGroup, barcodeFormats, bodyGroups, type TemplateContent } from "../template.ts";
import { suggestion } from "./closest-word.ts";
import { type Findings, memberPath, pointerTo } from "./findings.ts";
import { imageFolder, isImageName } from "./image-slots.ts";
import type { MemberReader } from "./members.ts";
import { checkTokens, warnOfTokens } from "./tokens.ts";

export const headerMembers = [
  "organization_name",
  "description",
  "logo_text",
  "page_text",
  "background_color",
  "foreground_color",
  "label_color",
  "images",
] as const;

export const barcodeMembers = ["format", "message", "alt_text"] as const;

/** `files` are those below `images/`, by name. */
export function readHeader(
  reader: MemberReader,
  value: unknown,
  files: ReadonlySet<string>,
  findings: Findings,
): TemplateContent["header"] {
  const header = reader.object(value, "/header", headerMembers);
  for (const member of ["organization_name", "description", "logo_text", "page_text"]) {
    warnOfTokens(reader, header[member], `/header/${member}`);
  }
  const name = { max: 100, singleLine: true };
  return {
    organization_name: reader.text(header.organization_name, "/header/organization_name", name),
    description: reader.text(header.description, "/header/description", { max: 200 }),
    ...(header.logo_text !== undefined && {
      logo_text: reader.text(header.logo_text, "/header/logo_text", { ...name, min: 0 }),
    }),
    ...(header.page_text !== undefined && {
      page_text: reader.text(header.page_text, "/header/page_text", { max: 500, min: 0 }),
    }),
    background_color: reader.colour(header.background_color, "/header/background_color"),
    foreground_color: reader.colour(header.foreground_color, "/header/foreground_color"),
    label_color: reader.colour(header.label_color, "/header/label_color"),
    images: readImageNames(reader, header.images, files, findings),
  };
}

/** The names that are listed; all images where there is no list. Every image is listed, and all that is listed is there. */
function readImageNames(
  reader: MemberReader,
  value: unknown,
  files: ReadonlySet<string>,
  findings: Findings,
): string[] {
  const images = [...files].filter(isImageName);
  if (value === undefined) return images;
  const pointer = "/header/images";
  const named = reader.list(value, pointer).map((entry, i) => {
    const at = pointerTo(pointer, i);
    const file = reader.text(entry, at, { max: 100 });
    const isMissing = file !== "" && !files.has(file) && !findings.isFaulty(`${imageFolder}/${file}`);
    if (isMissing) {
      const meant = suggestion(file, files);
      const remedy = meant === "" ? ": add the file, or remove the name" : meant;
      reader.fault(at, `names ${imageFolder}/${file}, which is not there${remedy}`);
    }
    return file;
  });
  const repeated = named.findIndex((file, i) => file !== "" && named.indexOf(file) < i);
  if (repeated >= 0)
    reader.warn(pointerTo(pointer, repeated), `names ${named[repeated]} again: once is enough`);
  if (!Array.isArray(value)) return images;
  for (const file of images) {
    if (named.includes(file)) continue;
    findings.fault(
      `${imageFolder}/${file}`,
      `is not named in ${memberPath(pointer)}: name it, or remove the file`,
    );
  }
  return named;
}

export function readBody(
  reader: MemberReader,
  value: unknown,
  keys: ReadonlySet<string>,
): TemplateContent["body"] {
  const body = reader.object(value, "/body", bodyGroups);
  const placeOf = new Map<string, string>();
  const group = (name: BodyGroup): string[] =>
    reader.list(body[name] ?? [], `/body/${name}`).map((entry, i) => {
      const pointer = `/body/${name}/${i}`;
      if (typeof entry !== "string") {
        reader.fault(pointer, "must be the key of a field, as text");
        return "";
      }
      const earlier = placeOf.get(entry);
      if (earlier !== undefined) {
        reader.fault(pointer, `is ${entry} again, which stands at ${earlier} already: a field has one place`);
      } else if (!keys.has(entry)) {
        const meant = suggestion(entry, keys);
        const remedy = meant === "" ? ": add it to /fields, or remove it here" : meant;
        reader.fault(pointer, `names the field ${JSON.stringify(entry)}, which does not exist${remedy}`);
      }
      placeOf.set(entry, earlier ?? pointer);
      return entry;
    });
  return {
    header: group("header"),
    primary: group("primary"),
    secondary: group("secondary"),
    auxiliary: group("auxiliary"),
    back: group("back"),
  };
}

export function readBarcode(
  reader: MemberReader,
  value: unknown,
  keys: ReadonlySet<string>,
): TemplateContent["barcode"] {
  if (value === undefined || value === null) return null;
  const barcode = reader.object(value, "/barcode", barcodeMembers);
  const text = (name: "message" | "alt_text", min: number): string => {
    const pointer = `/barcode/${name}`;
    const read = reader.text(barcode[name], pointer, { max: 4096, min });
    checkTokens(reader, read, { pointer, keys });
    return read;
  };
  const format = reader.oneOf(barcode.format, "/barcode/format", barcodeFormats);
  const message = text("message", 1);
  if (barcode.alt_text === undefined) return { format, message };
  return { format, message, alt_text: text("alt_text", 0) };
}
