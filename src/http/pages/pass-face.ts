import type { Pass } from "../../domain/passes/pass.ts";
import type { TemplateContent, TemplateType } from "../../domain/templates/template.ts";
import { type Vehicle, vehicle } from "./icons.ts";
import { html, isolated, type Markup, plainLine } from "./markup.ts";
import { barcodePanel } from "./pass-barcode.ts";
import { fieldList, fieldRows, placesInRow, type ShownFields } from "./pass-fields.ts";
import { languageAttributes, type PassLanguage } from "./pass-language.ts";

export type FaceInput = {
  pass: Pass;
  type: TemplateType;
  content: TemplateContent;
  fields: ShownFields;
  language: PassLanguage;
  imageUrl(name: string): string | null;
};

/** The outline and order of a front. Both wallets draw a gift card as a store card. */
const layouts = {
  LoyaltyCard: "store",
  GiftCard: "store",
  MembershipCard: "card",
  Coupon: "coupon",
  EventTicket: "event",
  BoardingPass: "boarding",
  Generic: "card",
} as const satisfies Record<TemplateType, string>;

/** The front of a pass as a wallet draws it: an article in the template's colours, which the page's style provides. */
export async function passFace(input: FaceInput): Promise<Markup> {
  const layout = layouts[input.type];
  const { translate, words } = input.language;
  const name = plainLine(translate(input.content.header.description));
  const code = await barcodePanel(input);
  const front = layout === "boarding" ? journeyFront(input, code) : cardFront(input, code);
  return html`<article class="pass ${layout}"${languageAttributes(input.language)} aria-label="${words.front}: ${name}"><div class="sheet">${front}</div></article>`;
}

/** Which images a front has room for, as Apple's pass styles do (Wallet Passes, «Creating a pass»). */
const artOf: Record<(typeof layouts)[TemplateType], readonly string[]> = {
  store: ["strip"],
  coupon: ["strip"],
  event: ["background", "strip", "thumbnail"],
  card: ["thumbnail"],
  boarding: ["footer"],
};

/** Logo, strip or thumbnail with the primary fields, the other rows, the code: every type but the boarding pass. */
function cardFront(input: FaceInput, code: Markup | null): Markup {
  const { fields } = input;
  const art = artOf[layouts[input.type]];
  const drawn = (name: string) => (art.includes(name) ? picture(input, name) : null);
  const background = drawn("background");
  const strip = background === null ? drawn("strip") : null;
  const thumbnail = strip === null ? drawn("thumbnail") : null;
  const primary = fieldList(fields.primary, "primary");
  const stage =
    strip === null
      ? html`<div class="stage">${primary}${image(thumbnail, "thumbnail", "")}</div>`
      : html`<div class="strip">${image(strip, "art", "")}${primary}</div>`;
  return html`${background === null ? null : html`<div class="backdrop">${image(background, "art", "")}</div>`}${top(
    input,
  )}${stage}<div class="rows">${rowsBelow(input)}</div>${code}`;
}

/** Two stubs: origin, vehicle and destination on the first, everything else on the second. */
function journeyFront(input: FaceInput, code: Markup | null): Markup {
  const [origin, destination, ...others] = input.fields.primary;
  const way =
    origin === undefined || destination === undefined
      ? fieldList(input.fields.primary, "primary")
      : html`<div class="way">${fieldList([origin], "from")}${vehicle(vehicleOf(input.content), input.language.words.towards)}${fieldList([destination], "to")}</div>${fieldList(others, "primary")}`;
  const footer = image(picture(input, "footer"), "footer", "");
  return html`<div class="stub">${top(input)}${way}</div><div class="stub"><div class="rows">${rowsBelow(input)}</div>${footer}${code}</div>`;
}

function top(input: FaceInput): Markup {
  const { header } = input.content;
  const { translate } = input.language;
  const organization = translate(header.organization_name);
  const text = translate(header.logo_text ?? "").trim();
  const logo = picture(input, "logo");
  // The logo says the organisation's name unless the text beside it does.
  const label = text === "" ? plainLine(organization) : "";
  const words = text === "" && logo === null ? organization : text;
  return html`<header class="top">${image(logo, "logo", label)}${
    words === "" ? null : html`<p class="logo-text" dir="auto">${isolated(words)}</p>`
  }${fieldList(input.fields.header, "heads")}</header>`;
}

/** As in Apple's styles: a boarding pass has its auxiliary fields first, store cards and the like share one row. */
function rowsBelow(input: FaceInput): Markup[] {
  const { secondary, auxiliary } = input.fields;
  const layout = layouts[input.type];
  if (layout === "boarding") return [...fieldRows(auxiliary, "row"), ...fieldRows(secondary, "row")];
  const share = layout !== "event" && secondary.length + auxiliary.length <= placesInRow;
  return share
    ? fieldRows([...secondary, ...auxiliary], "row")
    : [...fieldRows(secondary, "row"), ...fieldRows(auxiliary, "row")];
}

type Picture = { src: string; srcset: string };

/** An image in the reader's language, else the one for all. */
function picture({ language, imageUrl }: FaceInput, name: string): Picture | null {
  const own = language.tag === null ? null : pictureAt(imageUrl, `${language.tag}.lproj/${name}`);
  return own ?? pictureAt(imageUrl, name);
}

/** An image in every scale that the template has, the smallest as the fallback. */
function pictureAt(imageUrl: FaceInput["imageUrl"], path: string): Picture | null {
  const scales = [
    { url: imageUrl(`${path}.png`), density: "1x" },
    { url: imageUrl(`${path}@2x.png`), density: "2x" },
    { url: imageUrl(`${path}@3x.png`), density: "3x" },
  ].filter((scale) => scale.url !== null);
  const src = scales[0]?.url;
  if (src === undefined || src === null) return null;
  return { src, srcset: scales.map(({ url, density }) => `${url} ${density}`).join(", ") };
}

function image(found: Picture | null, kind: string, alt: string): Markup | null {
  if (found === null) return null;
  return html`<img class="${kind}" src="${found.src}" srcset="${found.srcset}" alt="${alt}" decoding="async">`;
}

/** The member that PassKit requires of boarding passes, wherever the template's raw members hold it. */
function vehicleOf(content: TemplateContent): Vehicle {
  const raw = content.apple ?? {};
  const style = raw.boardingPass;
  const inStyle =
    typeof style === "object" && style !== null && "transitType" in style ? style.transitType : null;
  switch (inStyle ?? raw.transitType) {
    case "PKTransitTypeTrain":
      return "train";
    case "PKTransitTypeBus":
      return "bus";
    case "PKTransitTypeBoat":
      return "boat";
    case "PKTransitTypeGeneric":
      return "other";
    default:
      return "air";
  }
}
