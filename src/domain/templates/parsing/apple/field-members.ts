import type { BodyGroup } from "../../template.ts";
import {
  choice,
  filledText,
  formatted,
  list,
  type Member,
  membersOf,
  merged,
  number,
  text,
  truth,
} from "../shapes.ts";
import { currencyCode } from "../text-formats.ts";
import { semantics } from "./semantics.ts";
import { posterStyle } from "./styles.ts";

const dateStyles = [
  "PKDateStyleNone",
  "PKDateStyleShort",
  "PKDateStyleMedium",
  "PKDateStyleLong",
  "PKDateStyleFull",
] as const;

/** https://developer.apple.com/documentation/walletpasses/passfieldcontent. The value may stand in the template's fields. */
export const field = merged({
  key: { shape: filledText, required: true },
  label: { shape: text },
  value: { shape: { is: "text or number" } },
  attributedValue: { shape: { is: "text or number" } },
  changeMessage: { shape: text },
  textAlignment: {
    shape: choice([
      "PKTextAlignmentLeft",
      "PKTextAlignmentCenter",
      "PKTextAlignmentRight",
      "PKTextAlignmentNatural",
    ]),
  },
  dataDetectorTypes: {
    shape: list(
      choice([
        "PKDataDetectorTypePhoneNumber",
        "PKDataDetectorTypeLink",
        "PKDataDetectorTypeAddress",
        "PKDataDetectorTypeCalendarEvent",
      ]),
    ),
  },
  ...membersOf(choice(dateStyles), ["dateStyle", "timeStyle"]),
  ...membersOf(truth, ["ignoresTimeZone", "isRelative"]),
  numberStyle: {
    shape: choice([
      "PKNumberStyleDecimal",
      "PKNumberStylePercent",
      "PKNumberStyleScientific",
      "PKNumberStyleSpellOut",
    ]),
  },
  currencyCode: { shape: formatted(currencyCode) },
  row: { shape: number({ min: 0, max: 1, whole: true }) },
  semantics: { shape: semantics },
});

/** The group of fields in pass.json that a group of the body becomes. */
export const groupMembers: Readonly<Record<BodyGroup, string>> = {
  header: "headerFields",
  primary: "primaryFields",
  secondary: "secondaryFields",
  auxiliary: "auxiliaryFields",
  back: "backFields",
};

/** The groups in the order of a pass, and the styles on which Wallet shows those that not all styles have. */
export const fieldGroups: Readonly<Record<string, { styles?: readonly string[] }>> = {
  ...Object.fromEntries(Object.values(groupMembers).map((name) => [name, {}])),
  additionalInfoFields: { styles: ["eventTicket", "boardingPass"] },
  footerFields: { styles: [posterStyle, "generic"] },
};

export const transitTypes = [
  "PKTransitTypeAir",
  "PKTransitTypeBoat",
  "PKTransitTypeBus",
  "PKTransitTypeTrain",
  "PKTransitTypeGeneric",
] as const;

const style = merged({
  transitType: { shape: choice(transitTypes) },
  ...membersOf(list(field), Object.keys(fieldGroups)),
});

export function styleMembers(names: readonly string[]): Record<string, Member> {
  const entries = names.map((name): [string, Member] => [
    name,
    { shape: style, ...(name === posterStyle && { feature: "posterGeneric" as const }) },
  ]);
  return Object.fromEntries(entries);
}
