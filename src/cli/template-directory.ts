import { join } from "node:path";
import { invalidRequest, type Violation } from "../domain/errors.ts";
import { type ParsedTemplate, parseTemplate } from "../domain/templates/parse.ts";
import { createFindings, type Findings, memberPath } from "../domain/templates/parsing/findings.ts";
import { imageFolder, largestFileBytes } from "../domain/templates/parsing/image-slots.ts";
import { checkFiles } from "../domain/templates/parsing/images.ts";
import { lineAndColumn, readJson } from "../domain/templates/parsing/json-text.ts";
import { kindOf, problemOfLink, readInside, visibleNames } from "./inside-directory.ts";

const documentName = "template.json";
const largestDocumentBytes = 1024 * 1024;

/**
 * Reads `template.json` and everything under `images/` of a directory, and checks it whole. Rejects with every error that
 * there is; `warn` and `note` are told of the warnings and notes in either case.
 */
export function readTemplateDirectory(
  directory: string,
  warn: (warning: Violation) => void = () => {},
  note: (note: Violation) => void = () => {},
): ParsedTemplate {
  const findings = createFindings();
  const images = readImages(directory, findings);
  const document = readDocument(directory, findings);
  try {
    if (document !== null) return parseTemplate(document.value, images, findings);
    checkFiles(images, findings);
    throw invalidRequest(findings.errors);
  } finally {
    findings.warnings.forEach(warn);
    findings.notes.forEach(note);
  }
}

/** null where there is nothing to go on with. */
function readDocument(directory: string, findings: Findings): { value: unknown } | null {
  const path = join(directory, documentName);
  const bytes = readInside(directory, documentName, largestDocumentBytes);
  if ("problem" in bytes) {
    findings.fault(path, bytes.problem);
    return null;
  }
  if (bytes.content.length > largestDocumentBytes) {
    findings.fault(path, "is larger than 1 MiB: a template is far smaller");
    return null;
  }
  const text = decoded(bytes.content);
  if (text === null) {
    findings.fault(documentName, "is not UTF-8: save it as UTF-8");
    return null;
  }
  const json = readJson(text);
  if ("mistake" in json) {
    const { line, column } = lineAndColumn(text, json.mistake.offset);
    findings.fault(`${documentName}:${line}:${column}`, `is not JSON: ${json.mistake.message}`);
    return null;
  }
  for (const { pointer, offset } of json.repeated) {
    const { line } = lineAndColumn(text, offset);
    findings.fault(memberPath(pointer), `stands twice in its object, again in line ${line}: remove one`);
  }
  return json;
}

/** Names below `images/` with their bytes. Names that begin with a dot are the operating system's, and passed over. */
function readImages(directory: string, findings: Findings): Map<string, Uint8Array> {
  const images = new Map<string, Uint8Array>();
  warnOfMisplaced(directory, findings);
  const kind = kindOf(join(directory, imageFolder));
  if (kind !== "folder") {
    if (kind !== "nothing") findings.fault(imageFolder, "must be a folder");
    return images;
  }
  collectFiles({ directory, folder: imageFolder, images }, findings);
  return images;
}

/** `folder` is `images`, or that of a language in it. */
function collectFiles(
  { directory, folder, images }: { directory: string; folder: string; images: Map<string, Uint8Array> },
  findings: Findings,
): void {
  const listing = visibleNames(join(directory, folder));
  const problem = "problem" in listing ? listing.problem : problemOfLink(directory, folder);
  if (problem !== null) findings.fault(folder, problem);
  for (const name of problem === null && "names" in listing ? listing.names : []) {
    const path = `${folder}/${name}`;
    if (kindOf(join(directory, path)) !== "folder") {
      const file = readInside(directory, path, largestFileBytes);
      if ("problem" in file) findings.fault(path, file.problem);
      else images.set(path.slice(imageFolder.length + 1), file.content);
    } else if (folder === imageFolder) collectFiles({ directory, folder: path, images }, findings);
    else findings.fault(path, "is a folder within a language's folder: move its files up");
  }
}

/** Pictures beside template.json would silently be left out. */
function warnOfMisplaced(directory: string, findings: Findings): void {
  const listing = visibleNames(directory);
  for (const name of "names" in listing ? listing.names : []) {
    if (!/\.(png|lproj)$/i.test(name)) continue;
    findings.warn(name, `stands beside ${documentName}, and is left out: move it into ${imageFolder}/`);
  }
}

function decoded(bytes: Uint8Array): string | null {
  try {
    return new TextDecoder("utf-8", { fatal: true }).decode(bytes);
  } catch {
    return null;
  }
}
