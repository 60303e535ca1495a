import type { TemplateType, WalletKey } from "../template.ts";
import { asksFor } from "./apple/check-schemes.ts";
import { suggestion } from "./closest-word.ts";
import type { Findings } from "./findings.ts";
import {
  advisedTotalBytes,
  hero,
  imageFolder,
  imageName,
  imageScales,
  imageSlots,
  isImageName,
  knownImageNames,
  largestFileBytes,
  longestSidePixels,
  placeOf,
  stringsFile,
} from "./image-slots.ts";
import { languageProblem } from "./languages.ts";
import { type Members, withArticle } from "./members.ts";
import { readPassStrings } from "./pass-strings.ts";
import { readPng } from "./png.ts";

export type TemplateFiles = ReadonlyMap<string, Uint8Array>;

/** Checks every file below `images/` for itself: its folder, its name, its kind and its size. */
export function checkFiles(files: TemplateFiles, findings: Findings): void {
  const badFolders = new Set<string>();
  for (const [path, bytes] of files) {
    const at = `${imageFolder}/${path}`;
    const [folder, name] = splitPath(path);
    const problem = folder === null ? null : folderProblem(folder);
    if (problem !== null && !badFolders.has(problem)) findings.fault(`${imageFolder}/${folder}`, problem);
    if (problem !== null) badFolders.add(problem);
    if (bytes.length > largestFileBytes) {
      findings.fault(at, `is larger than 2 MiB (${largestFileBytes} bytes): make it smaller`);
    } else if (folder !== null && name === stringsFile) {
      const reading = readPassStrings(bytes);
      if ("problem" in reading) findings.fault(at, reading.problem);
    } else if (placeOf(name) !== null || name === hero.name) checkPicture(at, name, bytes, findings);
    else findings.fault(at, `has a name that no image has${nameRemedy(name, folder !== null)}`);
  }
  const total = [...files.values()].reduce((sum, { length }) => sum + length, 0);
  if (total > advisedTotalBytes) {
    findings.warn(
      imageFolder,
      `has ${total} bytes, which travel in every pass: keep all images below ${advisedTotalBytes} bytes`,
    );
  }
}

export type ImagesFor = {
  type: TemplateType;
  providers: readonly WalletKey[];
  /** The template's own members of pass.json: they may ask for a poster. */
  apple: Members | undefined;
};

/** Checks that the files make a whole for a type of pass and its wallets. */
export function checkImageSet(
  { type, providers, apple }: ImagesFor,
  files: TemplateFiles,
  findings: Findings,
): void {
  if (!providers.includes("apple")) return;
  const missing = (name: string): boolean => !files.has(name) && !findings.isFaulty(`${imageFolder}/${name}`);
  if (missing("icon.png")) {
    findings.fault(
      `${imageFolder}/icon.png`,
      "is missing: Apple Wallet refuses a pass without an icon; add one of 38 x 38 pixels",
    );
  }
  for (const [folder, slots] of slotsByFolder(files)) {
    for (const slot of slots) {
      const scales = imageScales.map((scale) => `${folder}${imageName(slot, scale)}`);
      for (const name of scales.filter((scale) => scale !== "icon.png" && missing(scale))) {
        findings.warn(
          `${imageFolder}/${name}`,
          `is missing: without it some devices show ${slot} blurred or not at all`,
        );
      }
      warnOfSlot(slot, { folder, type, providers, apple, files }, findings);
    }
  }
}

function checkPicture(at: string, name: string, bytes: Uint8Array, findings: Findings): void {
  const reading = readPng(bytes);
  if ("problem" in reading) {
    findings.fault(at, reading.problem);
    return;
  }
  const { width, height } = reading;
  const size = `is ${width} x ${height} pixels`;
  const place = placeOf(name);
  if (Math.max(width, height) > longestSidePixels) {
    findings.fault(at, `${size}: make it smaller, ${longestSidePixels} a side are the most`);
  } else if (place !== null) {
    const { rules, scale } = place;
    const [fullWidth, fullHeight] = [rules.width * scale, rules.height * scale];
    const isRight =
      rules.size === "exactly"
        ? width === fullWidth && height === fullHeight
        : width <= fullWidth && height <= fullHeight;
    if (!isRight) {
      findings.warn(at, `${size}, and must be ${rules.size} ${fullWidth} x ${fullHeight}: draw it anew`);
    }
  } else if (width !== hero.width || height !== hero.height) {
    findings.warn(at, `${size}, and Google Wallet's banner is ${hero.width} x ${hero.height}: draw it anew`);
  }
}

function warnOfSlot(
  slot: string,
  set: ImagesFor & { folder: string; files: TemplateFiles },
  findings: Findings,
): void {
  const first = imageScales
    .map((scale) => `${set.folder}${imageName(slot, scale)}`)
    .find((name) => set.files.has(name));
  const at = `${imageFolder}/${first}`;
  const { shownOn = null, posters = [] } = imageSlots[slot] ?? {};
  const isOnPoster = posters.some((poster) => asksForPoster(set.apple, poster));
  // Google Wallet shows the strip where there is no banner.
  const isBanner = slot === "strip" && set.providers.includes("google") && !set.files.has(hero.name);
  const places = [...(shownOn ?? []), ...posters];
  if (places.length > 0 && !shownOn?.includes(set.type) && !isOnPoster && !isBanner) {
    const remedy = posters.length > 0 ? "ask for a poster in /apple, or remove it" : "remove it";
    findings.warn(at, `is not shown on ${withArticle(set.type)}, only on ${places.join(", ")}: ${remedy}`);
  }
  if (slot === "strip" && set.type === "EventTicket") {
    const rivals = ["background", "thumbnail"].filter((rival) => set.files.has(`${set.folder}${rival}.png`));
    if (rivals.length > 0) {
      findings.warn(at, `hides ${rivals.join(" and ")} on an event ticket: remove it, or them`);
    }
  }
}

/** Poster styles are asked for by a scheme, or by the style itself. */
function asksForPoster(apple: Members | undefined, poster: string): boolean {
  return asksFor(apple, poster) || (apple !== undefined && Object.hasOwn(apple, poster));
}

/** `fr.lproj/`, or «» for the images of all languages, and the slots that are filled there. */
function slotsByFolder(files: TemplateFiles): Map<string, Set<string>> {
  const slots = new Map<string, Set<string>>();
  for (const path of [...files.keys()].filter(isImageName)) {
    const [folder, name] = splitPath(path);
    const place = placeOf(name);
    if (place === null) continue;
    const prefix = folder === null ? "" : `${folder}/`;
    slots.set(prefix, (slots.get(prefix) ?? new Set()).add(place.slot));
  }
  return slots;
}

function splitPath(path: string): [folder: string | null, name: string] {
  const slash = path.lastIndexOf("/");
  return slash < 0 ? [null, path] : [path.slice(0, slash), path.slice(slash + 1)];
}

function folderProblem(folder: string): string | null {
  const [, language] = /^([^/]+)\.lproj$/.exec(folder) ?? [];
  if (language !== undefined) return languageProblem(language);
  return "is no folder of a language: move its files, or call it like fr.lproj";
}

function nameRemedy(name: string, inLanguage: boolean): string {
  const known = knownImageNames();
  const unscaled = name.replace(/@\d+x\.png$/, ".png");
  if (known.includes(unscaled)) return `: did you mean ${unscaled}?`;
  const meant = suggestion(name, inLanguage ? [...known, stringsFile] : known);
  if (meant !== "") return meant;
  const slots = Object.keys(imageSlots).map((slot) => `${slot}.png`);
  return `: rename or remove it; there are ${[...slots, hero.name].join(", ")}, @2x and @3x`;
}
