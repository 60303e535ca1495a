import type { PassKind } from "../../domain/templates/parsing/google/pass-kind.ts";
import { type GooglePart, resourceShape } from "../../domain/templates/parsing/google/resource-shapes.ts";
import { keepValidMembers } from "../../domain/templates/parsing/keep-valid.ts";
import type { ObjectShape } from "../../domain/templates/parsing/shapes.ts";
import type { Translations } from "../../domain/templates/translations.ts";
import { composePatches, isObject, type JsonObject, renderAll } from "./author-part.ts";
import { translated } from "./translate.ts";

type Drawing = {
  kind: PassKind;
  part: GooglePart;
  drawn: JsonObject;
  author: JsonObject;
  values: ReadonlyMap<string, string>;
  translations: Translations;
};

/**
 * What the service has drawn with the author's members merged in, their tokens replaced: a merge patch of nothing but what
 * Google's description of its API knows, since it refuses a whole resource for one member. What the values of a pass have
 * made invalid in the author's members leaves in its place what the service has drawn, and where that is nothing, null:
 * an earlier version of the pass may have set it, as it may have set what this one does not speak of. Texts get the template's translations.
 */
export function sendable({ kind, part, drawn, author, values, translations }: Drawing): JsonObject {
  const rendered = renderAll(author, values) as JsonObject;
  const asPart = resourceShape(kind, part, "part");
  const valid = keepValidMembers(rendered, asPart);
  const under = composePatches(nullsFor(rendered, valid, asPart), drawn);
  const whole = resourceShape(kind, part);
  const merged = translated(composePatches(under, valid) as JsonObject, {
    shape: whole,
    translations,
    within: "object",
  });
  const kept = keepValidMembers(merged, whole);
  return composePatches({ ...unsaid(whole), ...nullsFor(merged, kept, whole) }, kept) as JsonObject;
}

/**
 * What Google, its partners or the issuer write into a class or object, or others of our own calls; a template that does not
 * speak of it leaves it as it is.
 */
const ofOthers: ReadonlySet<string> = new Set([
  ...["id", "classId", "kind", "version", "state", "reviewStatus", "review", "classReference", "messages"],
  ...["hasUsers", "hasLinkedDevice", "linkedObjectIds", "linkedOfferIds", "notifyPreference"],
  ...["callbackOptions", "enableSmartTap", "redemptionIssuers", "smartTapRedemptionValue"],
  ...["activationStatus", "deviceContext", "saveRestrictions"],
]);

/** Nulls for everything that a template can say: a version before may have said it, and this one does not any more. */
function unsaid({ members }: ObjectShape): JsonObject {
  const names = Object.keys(members).filter((name) => !ofOthers.has(name));
  return Object.fromEntries(names.map((name) => [name, null]));
}

/** A null for every known member that has got lost between the two. */
function nullsFor(before: JsonObject, after: JsonObject, shape: ObjectShape): JsonObject {
  const nulls: [string, unknown][] = [];
  for (const [name, was] of Object.entries(before)) {
    const member = Object.hasOwn(shape.members, name) ? shape.members[name] : undefined;
    if (member === undefined) continue;
    const is = after[name];
    if (is === undefined) nulls.push([name, null]);
    else if (isObject(was) && isObject(is) && member.shape.is === "object") {
      const within = nullsFor(was, is, member.shape);
      if (Object.keys(within).length > 0) nulls.push([name, within]);
    }
  }
  return Object.fromEntries(nulls);
}
