import type { TemplateContent } from "../template.ts";
import { suggestion } from "./closest-word.ts";
import { pointerTo } from "./findings.ts";
import { isMembers, type MemberReader, type Members } from "./members.ts";
import { checkTokensWithin } from "./tokens.ts";

/** Members of pass.json by which Wallet finds and updates a pass: they are ours, and a template's are ignored. */
export const reservedAppleMembers = [
  "formatVersion",
  "passTypeIdentifier",
  "teamIdentifier",
  "serialNumber",
  "authenticationToken",
  "webServiceURL",
] as const;

export const googleParts = ["class", "object"] as const;

/** `apple` and `google` go to the wallets as they are, members that we do not know included: only tokens are checked. */
export function readWalletMembers(
  reader: MemberReader,
  top: Members,
  keys: ReadonlySet<string>,
): Pick<TemplateContent, "apple" | "google"> {
  const read = (name: "apple" | "google"): Members | undefined => {
    const value = top[name];
    if (value === undefined) return undefined;
    checkTokensWithin(reader, value, { pointer: `/${name}`, keys });
    return reader.object(value, `/${name}`, isMembers(value) ? Object.keys(value) : []);
  };
  const apple = read("apple");
  const google = read("google");
  for (const member of reservedAppleMembers) {
    if (apple !== undefined && Object.hasOwn(apple, member)) {
      reader.warn(`/apple/${member}`, "is set by the service, and ignored here: remove it");
    }
  }
  for (const [name, part] of Object.entries(google ?? {})) {
    const pointer = pointerTo("/google", name);
    if (!googleParts.some((known) => known === name)) {
      const meant = suggestion(name, googleParts);
      const remedy = meant === "" ? ": put it into /google/class or /google/object" : meant;
      reader.warn(pointer, `is neither class nor object, and ignored${remedy}`);
    } else if (!isMembers(part)) reader.object(part, pointer, []);
  }
  return { ...(apple !== undefined && { apple }), ...(google !== undefined && { google }) };
}
