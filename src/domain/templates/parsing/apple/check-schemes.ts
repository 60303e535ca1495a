import type { ShapeCheck } from "../check-value.ts";
import { suggestion } from "../closest-word.ts";
import { imageFolder } from "../image-slots.ts";
import { isMembers, type MemberReader, type Members, withArticle } from "../members.ts";
import { type AppleFeature, appleFeatures, type FeatureName } from "./features.ts";

/** Semantic tags without which Wallet falls back to the ordinary style: github.com/apple/pass-builder, Validators. */
export const requiredTags: Readonly<Record<string, readonly string[]>> = {
  posterEventTicket: ["eventName", "venueName"],
  semanticBoardingPass: [
    "airlineCode",
    "flightNumber",
    "originalDepartureDate",
    "originalBoardingDate",
    "originalArrivalDate",
    "departureAirportCode",
    "departureLocationTimeZone",
    "destinationAirportCode",
    "passengerName",
  ],
};

/** What two kinds of events need besides. */
const requiredTagsOfEvents: Readonly<Record<string, readonly string[]>> = {
  PKEventTypeSports: ["homeTeamAbbreviation", "awayTeamAbbreviation"],
  PKEventTypeLivePerformance: ["performerNames"],
};

/** Tags that Apple's own builder knows under another name. */
const otherNames: Readonly<Record<string, string>> = {
  departureLocationTimeZone: "departureAirportTimeZone",
};

/** Whether the `apple` part asks for a scheme. */
export function asksFor(apple: Members | undefined, scheme: string): boolean {
  const schemes = apple?.preferredStyleSchemes;
  return Array.isArray(schemes) && schemes.includes(scheme);
}

const schemes = Object.values(appleFeatures).flatMap((feature: AppleFeature) => feature.scheme ?? []);
const fallbackOf: Readonly<Record<string, string>> = {
  posterEventTicket: "eventTicket",
  semanticBoardingPass: "boardingPass",
};

/** Checks `preferredStyleSchemes`, and that the pass has what Wallet demands of a pass of such a scheme. */
export function checkSchemes(check: ShapeCheck, apple: Members, images: ReadonlySet<string>): void {
  const { reader, type, uses } = check;
  const asked: unknown[] = Array.isArray(apple.preferredStyleSchemes) ? apple.preferredStyleSchemes : [];
  for (const [i, name] of asked.entries()) {
    const pointer = `/apple/preferredStyleSchemes/${i}`;
    if (typeof name !== "string" || Object.values(fallbackOf).includes(name)) continue;
    const scheme = schemes.find((known) => known.name === name);
    if (scheme === undefined) {
      const known = Object.entries(fallbackOf).flat();
      reader.warn(
        pointer,
        `is ${JSON.stringify(name)}, not known to this release and kept as it is${suggestion(name, known)}`,
      );
    } else if (scheme.type !== type) {
      reader.fault(
        pointer,
        `is ${name}, the scheme of ${withArticle(scheme.type)}, and the template is ${withArticle(type)}: remove it`,
      );
    } else checkScheme(check, { name, pointer, apple, images });
  }
  for (const [feature, pointer] of uses) tellOfFeature(reader, { feature, pointer, apple });
}

function checkScheme(
  { reader, uses }: ShapeCheck,
  {
    name,
    pointer,
    apple,
    images,
  }: { name: string; pointer: string; apple: Members; images: ReadonlySet<string> },
): void {
  const fallback = fallbackOf[name] ?? "";
  uses.set(name as FeatureName, pointer);
  const orElse = `without it Wallet shows the ordinary ${fallback}`;
  if (!asksFor(apple, fallback)) {
    reader.warn("/apple/preferredStyleSchemes", `has no ${fallback} to fall back to: put it behind ${name}`);
  }
  const tags = isMembers(apple.semantics) ? apple.semantics : {};
  const isThere = (tag: string): boolean =>
    Object.hasOwn(tags, tag) || Object.hasOwn(tags, otherNames[tag] ?? tag);
  const wanted = [...(requiredTags[name] ?? []), ...(requiredTagsOfEvents[String(tags.eventType)] ?? [])];
  for (const tag of wanted.filter((tag) => !isThere(tag))) {
    reader.warn(`/apple/semantics/${tag}`, `is missing for ${name}: ${orElse}`);
  }
  if (name !== "posterEventTicket") return;
  const nfc = isMembers(apple.nfc) ? apple.nfc : {};
  for (const member of ["message", "encryptionPublicKey", "requiresAuthentication"]) {
    if (!Object.hasOwn(nfc, member)) reader.warn(`/apple/nfc/${member}`, `is missing for ${name}: ${orElse}`);
  }
  if (!images.has("artwork.png") && !images.has("background.png")) {
    reader.warn(
      "/apple/preferredStyleSchemes",
      `asks for a poster: add ${imageFolder}/artwork.png, ${orElse}`,
    );
  }
}

function tellOfFeature(
  reader: MemberReader,
  { feature, pointer, apple }: { feature: FeatureName; pointer: string; apple: Members },
): void {
  const { name, iOS, older, scheme } = appleFeatures[feature];
  if (scheme !== undefined && !asksFor(apple, scheme.name)) {
    reader.warn(
      pointer,
      `is for ${name} only: write ["${scheme.name}", "${fallbackOf[scheme.name]}"] into /apple/preferredStyleSchemes, or remove it`,
    );
  } else reader.note(pointer, `is for ${name}, which need iOS ${iOS}: older iPhones ${older}`);
}
