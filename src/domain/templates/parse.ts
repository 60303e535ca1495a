import { invalidRequest } from "../errors.ts";
import { checkApple } from "./parsing/apple/check-apple.ts";
import { readFields } from "./parsing/fields.ts";
import { createFindings, type Findings, memberPath } from "./parsing/findings.ts";
import { checkGoogle } from "./parsing/google/check-google.ts";
import { checkFiles, checkImageSet, type TemplateFiles } from "./parsing/images.ts";
import { readBarcode, readBody, readHeader } from "./parsing/look.ts";
import { createMemberReader, type MemberReader, type Members } from "./parsing/members.ts";
import { checkTranslations, filesForPasses } from "./parsing/translations.ts";
import { readWalletMembers } from "./parsing/wallet-members.ts";
import {
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
  images: TemplateFiles;
};

export const templateMembers = [
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
] as const;

/**
 * Checks what an author wrote: `document` is template.json parsed, `images` the files under `images/` by name. Rejects
 * with every error that there is; warnings and notes are left to those who give `findings` of their own.
 */
export function parseTemplate(
  document: unknown,
  images: TemplateFiles,
  findings: Findings = createFindings(),
): ParsedTemplate {
  const parsed = readTemplate(document, images, findings);
  if (findings.errors.length > 0) throw invalidRequest(findings.errors);
  return parsed;
}

function readTemplate(document: unknown, images: TemplateFiles, findings: Findings): ParsedTemplate {
  const reader = createMemberReader(findings);
  const top = reader.object(document, "", templateMembers);
  const name = reader.text(top.name, "/name", { max: 100, singleLine: true });
  const type = reader.oneOf(top.template_type, "/template_type", templateTypes);
  const description =
    top.description === undefined ? null : reader.text(top.description, "/description", { max: 500 });
  const providers = readProviders(reader, top);
  const content = readContent(reader, top, { images, findings });
  const { apple, ...parts } = content;
  // Of what type a pass shall be is the first thing to know: all else would be told of a wrong one.
  const isTyped = !findings.isFaulty(memberPath("/template_type"));
  const isApple = providers.includes("apple") && isTyped;
  if (isApple) checkApple(reader, apple ?? {}, { type, parts, images: new Set(images.keys()) });
  if (providers.includes("google") && isTyped) checkGoogle(reader, content.google ?? {}, type);
  checkFiles(images, findings);
  checkImageSet({ type, providers, apple }, images, findings);
  if (isApple) checkTranslations(content, images, findings);
  return { name, type, description, providers, content, images: filesForPasses(images) };
}

function readProviders(reader: MemberReader, top: Members): WalletKey[] {
  if (top.providers === undefined) return [...walletKeys];
  const providers = reader
    .list(top.providers, "/providers")
    .map((value, i) => reader.oneOf(value, `/providers/${i}`, walletKeys));
  if (Array.isArray(top.providers) && providers.length === 0) {
    reader.fault("/providers", `must name at least one of ${walletKeys.join(", ")}`);
  }
  return [...new Set(providers)];
}

function readContent(
  reader: MemberReader,
  top: Members,
  { images, findings }: { images: TemplateFiles; findings: Findings },
): TemplateContent {
  const fields = readFields(reader, top.fields);
  const keys = new Set(fields.map((field) => field.key).filter((key) => key !== ""));
  return {
    fields,
    header: readHeader(reader, top.header, new Set(images.keys()), findings),
    body: readBody(reader, top.body, keys),
    barcode: readBarcode(reader, top.barcode, keys),
    ...readWalletMembers(reader, top, keys),
  };
}
