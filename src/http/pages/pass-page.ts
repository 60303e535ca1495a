import { isoInstant } from "../../domain/clock.ts";
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
import { type WalletOffer, walletList, walletOffers } from "./wallet-offers.ts";

export type PassPageInput = {
  pass: Pass;
  template: RenderableTemplate;
  /** The public address of this page, absolute. */
  pageUrl: string;
  /** Where each wallet takes the pass from, absolute or a path of this origin; null while there is nothing. */
  pkpassUrl: string | null;
  googleSaveUrl: string | null;
  device: Device;
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
  const { pass, template, device, imageUrl } = input;
  if (pass.status === "revoked") return renderGonePage();
  const { content } = template.version;
  const { header } = content;
  const fields = shownFields(content, pass);
  const offers = walletOffers(pass, { apple: input.pkpassUrl, google: input.googleSaveUrl }, device);
  const unsettled = pass.status === "updating" || offers.some((offer) => offer.state === "preparing");
  const face = await passFace({ pass, type: template.template.type, content, fields, imageUrl });
  const hand = device === "desktop" ? await handOver(input.pageUrl, offers) : null;
  const body = html`<main><header class="intro"><p>${isolated(header.organization_name)}</p><h1>${isolated(
    header.description,
  )}</h1></header><div class="front">${face}</div><section class="actions" aria-label="Add to a wallet">${renderStatusNote(
    pass,
    offers,
  )}${hand}${walletList(offers, device)}</section>${backOf(fieldList(fields.back, "back"))}</main><footer><p>Issued by ${isolated(header.organization_name)}</p><p>Last changed ${readableInstant(isoInstant(pass.updatedAtMs))}</p></footer>`;
  return pageDocument({
    status: 200,
    title: `${header.description} – ${header.organization_name}`,
    palette: paletteOf(header),
    body,
    iconUrl: imageUrl("icon@2x.png") ?? imageUrl("icon.png"),
    refreshSeconds: unsettled ? refreshSeconds : null,
  });
}

/** What there is to say about the state of a pass beyond its buttons; null if nothing. */
export function renderStatusNote(pass: Pass, offers: readonly WalletOffer[]): Markup | null {
  const words = statusWords(pass, offers);
  return words === null ? null : html`<p class="notice" role="status">${words}</p>`;
}

function statusWords(pass: Pass, offers: readonly WalletOffer[]): string | null {
  const ready = offers.some((offer) => offer.state === "ready");
  const preparing = offers.some((offer) => offer.state === "preparing");
  switch (pass.status) {
    case "pending":
    case "partial":
      if (!preparing || ready) return null;
      return "Your pass is being prepared. This page refreshes itself until it is ready.";
    case "updating":
      return "New details are on their way. A pass that is in your wallet already changes by itself.";
    case "failed":
      return "This pass could not be put into a wallet. Please ask its issuer for help.";
    case "revoking":
      return "This pass is being withdrawn and can no longer be added.";
    case "active":
    case "revoked":
      return null;
  }
}

/** The way from a large screen to the phone: a code that opens this page there. */
async function handOver(pageUrl: string, offers: readonly WalletOffer[]): Promise<Markup | null> {
  if (offers.every((offer) => offer.state !== "ready" && offer.state !== "preparing")) return null;
  const name = { id: "page-code", title: "QR code with the address of this page" };
  const code = await barcodeSvg("qr", pageUrl, name);
  if (code === null) return null;
  return html`<div class="hand">${code}<div><h2>Continue on your phone</h2><p>Point its camera at this code, then add the pass to your wallet.</p></div></div>`;
}

function backOf(list: Markup | null): Markup | null {
  if (list === null) return null;
  return html`<details class="more"><summary>More about this pass${arrowIcon}</summary>${list}</details>`;
}
