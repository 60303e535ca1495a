import { isoInstant } from "../../domain/clock.ts";
import { expirationDate } from "../../domain/passes/expiry.ts";
import { fieldValues } from "../../domain/passes/field-values.ts";
import type { Pass } from "../../domain/passes/pass.ts";
import type { RenderableTemplate } from "../../domain/templates/template.ts";
import { barcodeSvg } from "./barcode-svg.ts";
import type { Device } from "./device.ts";
import { arrowIcon } from "./icons.ts";
import { html, isolated, type Markup } from "./markup.ts";
import { renderGonePage } from "./notice-pages.ts";
import { type Page, pageDocument } from "./page-document.ts";
import { paletteOf } from "./palette.ts";
import { passFace } from "./pass-face.ts";
import { fieldList, readableInstant, shownFields } from "./pass-fields.ts";
import { languageAttributes, type PassLanguage } from "./pass-language.ts";
import { expiredNote, messageNote, statusNote } from "./pass-notes.ts";
import { type WalletOffer, walletList, walletOffers } from "./wallet-offers.ts";
import type { Words } from "./words/words.ts";

export type PassPageInput = {
  pass: Pass;
  template: RenderableTemplate;
  /** The public address of this page, absolute. */
  pageUrl: string;
  /** Where each wallet takes the pass from, absolute or a path of this origin; null while there is nothing. */
  pkpassUrl: string | null;
  googleSaveUrl: string | null;
  device: Device;
  language: PassLanguage;
  nowMs: number;
  /** The address, on this origin, of an image of the template; null if it has none of this name. */
  imageUrl(name: string): string | null;
};

/** How soon a page with an unfinished wallet asks again. */
const refreshSeconds = 5;

/**
 * The public page of a pass: its front as a wallet draws it, its back folded away, and both wallets in this device's
 * order. It depends on nothing but its input, needs no script, and asks no other origin for anything. While a wallet
 * is at work the page refreshes itself. A revoked pass gets the 410 page.
 */
export async function renderPassPage(input: PassPageInput): Promise<Page> {
  const { pass, template, device, imageUrl, language } = input;
  const { words, translate } = language;
  if (pass.status === "revoked") return renderGonePage(words);
  const { content } = template.version;
  const organization = translate(content.header.organization_name);
  const description = translate(content.header.description);
  const pageText = translate(content.header.page_text ?? "").trim();
  const fields = shownFields(template, pass, language);
  const offers = walletOffers(pass, { apple: input.pkpassUrl, google: input.googleSaveUrl }, device);
  const unsettled = pass.status === "updating" || offers.some((offer) => offer.state === "preparing");
  const { type } = template.template;
  const face = await passFace({ pass, type, content, fields, language, imageUrl });
  const hand = device === "desktop" ? await handOver(input.pageUrl, offers, words) : null;
  const spoken = languageAttributes(language);
  const notes = [
    statusNote(pass, offers, words),
    expiredNote(expiredAtMs(input), words),
    messageNote(pass.message, words),
  ].filter((note) => note !== null);
  const body = html`<main><header class="intro"${spoken}><p>${isolated(organization)}</p><h1>${isolated(
    description,
  )}</h1>${pageText === "" ? null : html`<p class="said">${isolated(pageText)}</p>`}</header><div class="front">${face}</div><section class="actions" aria-label="${words.actions}">${notes}${hand}${walletList(
    offers,
    device,
    words,
  )}</section>${backOf(fieldList(fields.back, "back"), language)}</main><footer><p>${words.issuedBy} <span${spoken}>${isolated(organization)}</span></p><p>${words.lastChanged} ${readableInstant(isoInstant(pass.updatedAtMs), words.locale)}</p></footer>`;
  return pageDocument({
    status: 200,
    words,
    title: `${description} – ${organization}`,
    palette: paletteOf(content.header),
    body,
    share: {
      title: description,
      siteName: organization,
      url: input.pageUrl,
      imageUrl: `${input.pageUrl}/preview.png`,
    },
    iconUrl: imageUrl("icon@2x.png") ?? imageUrl("icon.png"),
    refreshSeconds: unsettled ? refreshSeconds : null,
  });
}

/** When a pass expired, in Unix milliseconds; null: it has not. */
export function expiredAtMs({
  pass,
  template,
  nowMs,
}: Pick<PassPageInput, "pass" | "template" | "nowMs">): number | null {
  const { content } = template.version;
  const date = expirationDate(content, fieldValues(content, pass));
  const atMs = date === null ? Number.NaN : Date.parse(date);
  return atMs <= nowMs ? atMs : null;
}

/** The way from a large screen to the phone: a code that opens this page there. */
async function handOver(
  pageUrl: string,
  offers: readonly WalletOffer[],
  words: Words,
): Promise<Markup | null> {
  if (offers.every((offer) => offer.state !== "ready" && offer.state !== "preparing")) return null;
  const code = await barcodeSvg("qr", pageUrl, { id: "page-code", title: words.pageCode });
  if (code === null) return null;
  const { title, text } = words.handOver;
  return html`<div class="hand">${code}<div><h2>${title}</h2><p>${text}</p></div></div>`;
}

function backOf(list: Markup | null, language: PassLanguage): Markup | null {
  if (list === null) return null;
  return html`<details class="more"><summary>${language.words.more}${arrowIcon}</summary><div${languageAttributes(language)}>${list}</div></details>`;
}
