import type { TemplateContent } from "../template.ts";
import { suggestion } from "./closest-word.ts";
import { pointerTo } from "./findings.ts";
import { isMembers, type MemberReader, type Members } from "./members.ts";
import { checkTokensWithin } from "./tokens.ts";

export const googleParts = ["class", "object"] as const;

/** `apple` and `google` go to the wallets with members that we do not know included: here only tokens are checked. */
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
