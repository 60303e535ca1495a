import type { TemplateType } from "../../template.ts";
import { checkMembers, type ShapeCheck } from "../check-value.ts";
import { pointerTo } from "../findings.ts";
import { isMembers, type MemberReader, type Members } from "../members.ts";
import { passKind } from "./pass-kind.ts";
import { type GooglePart, resourceShape } from "./resource-shapes.ts";

const messages = "messages are sent with POST /api/v1/messages";

/** Members that the service alone writes, and why. */
export const reservedGoogleMembers: Readonly<Record<GooglePart, Readonly<Record<string, string>>>> = {
  class: {
    id: "it is that of the template",
    reviewStatus: "every class is sent for review, which is what makes passes possible",
    messages,
  },
  object: {
    id: "it is that of the pass",
    classId: "it is that of the template",
    state: "it follows from the pass: active, or expired once it is revoked",
    messages,
  },
};

/** Checks the author's members of Google's class and object by Google's description of its API. */
export function checkGoogle(reader: MemberReader, google: Members, type: TemplateType): void {
  const kind = passKind(type, { google });
  const unknown = "not known to this release, and not sent to Google";
  const check: ShapeCheck = { reader, type, uses: new Map(), unknown };
  for (const part of ["class", "object"] as const) {
    const members = google[part];
    if (!isMembers(members)) continue;
    const pointer = pointerTo("/google", part);
    const reserved = reservedGoogleMembers[part];
    const own = Object.entries(members).filter(([name]) => !Object.hasOwn(reserved, name));
    for (const [name, reason] of Object.entries(reserved)) {
      if (!Object.hasOwn(members, name)) continue;
      reader.warn(
        pointerTo(pointer, name),
        `is set by the service, since ${reason}, and has no effect here: remove it`,
      );
    }
    checkMembers(check, Object.fromEntries(own), { shape: resourceShape(kind, part, "part"), pointer });
  }
}
