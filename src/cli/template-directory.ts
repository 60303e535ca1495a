import { readdirSync, readFileSync, statSync } from "node:fs";
import { join, relative, sep } from "node:path";
import { invalidRequest } from "../domain/errors.ts";
import { type ParsedTemplate, parseTemplate } from "../domain/templates/parse.ts";

const largestImageBytes = 2 * 1024 * 1024;

/** Reads `template.json` and everything under `images/` of a directory, and checks it whole. */
export function readTemplateDirectory(directory: string): ParsedTemplate {
  return parseTemplate(readDocument(directory), readImages(directory));
}

function readDocument(directory: string): unknown {
  let text: string;
  try {
    text = readFileSync(join(directory, "template.json"), "utf8");
  } catch {
    throw invalidRequest([{ path: join(directory, "template.json"), message: "cannot be read" }]);
  }
  try {
    return JSON.parse(text);
  } catch (error) {
    const message = error instanceof Error ? error.message : "";
    throw invalidRequest([{ path: join(directory, "template.json"), message: `is not JSON: ${message}` }]);
  }
}

function readImages(directory: string): Map<string, Uint8Array> {
  const folder = join(directory, "images");
  const images = new Map<string, Uint8Array>();
  if (!statSync(folder, { throwIfNoEntry: false })?.isDirectory()) return images;
  const entries = readdirSync(folder, { recursive: true, withFileTypes: true });
  for (const entry of entries.filter((candidate) => candidate.isFile())) {
    const path = join(entry.parentPath, entry.name);
    const name = relative(folder, path).split(sep).join("/");
    const bytes = readFileSync(path);
    if (bytes.length > largestImageBytes) {
      throw invalidRequest([{ path: `images/${name}`, message: "is larger than 2 MiB" }]);
    }
    images.set(name, bytes);
  }
  return images;
}
