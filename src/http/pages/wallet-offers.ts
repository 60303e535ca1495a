import { isRevoked, type Pass } from "../../domain/passes/pass.ts";
import type { WalletKey } from "../../domain/templates/template.ts";
import type { Device } from "./device.ts";
import { arrowIcon, cardsIcon, foldIcon } from "./icons.ts";
import { html, type Markup, safeHref } from "./markup.ts";
import type { Words } from "./words/words.ts";

/** What a page can offer for one wallet at this moment. */
export type WalletOffer = { wallet: WalletKey } & (
  | { state: "ready"; href: string; testOnly: boolean }
  | { state: "preparing" | "failed" | "withdrawn" | "absent" }
);

/** Both wallets in the order in which this device's owner looks for them. */
export function walletOffers(
  pass: Pass,
  urls: Record<WalletKey, string | null>,
  device: Device,
): WalletOffer[] {
  const order: WalletKey[] = device === "android" ? ["google", "apple"] : ["apple", "google"];
  return order.map((wallet) => offer(wallet, pass, safeHref(urls[wallet])));
}

function offer(wallet: WalletKey, pass: Pass, href: string | null): WalletOffer {
  const entry = pass.providers[wallet];
  const testOnly = entry?.testOnly === true;
  if (entry === undefined) return { wallet, state: "absent" };
  if (isRevoked(pass)) return { wallet, state: "withdrawn" };
  switch (entry.status) {
    case "completed":
      return href === null ? { wallet, state: "preparing" } : { wallet, state: "ready", href, testOnly };
    case "queued":
    case "processing": {
      // Between two versions the wallet still holds the earlier one, under the same link.
      const issuedBefore = pass.status === "updating" && entry.saveLink !== null;
      return issuedBefore && href !== null
        ? { wallet, state: "ready", href, testOnly }
        : { wallet, state: "preparing" };
    }
    case "failed":
      return { wallet, state: "failed" };
    case "revoked":
      return { wallet, state: "withdrawn" };
  }
}

const names: Record<WalletKey, string> = { apple: "Apple Wallet", google: "Google Wallet" };
const icons: Record<WalletKey, Markup> = { apple: cardsIcon, google: foldIcon };

/** The list of buttons. Only a wallet that has the pass is a link; the first one that has it stands out. */
export function walletList(offers: readonly WalletOffer[], device: Device, words: Words): Markup {
  // On a desktop neither wallet is nearer than the other.
  const first = device === "desktop" ? undefined : offers.find((candidate) => candidate.state === "ready");
  return html`<ul class="wallets">${offers.map(
    (one) => html`<li>${button(one, words, device === "desktop" || one === first)}</li>`,
  )}</ul>`;
}

function button(one: WalletOffer, words: Words, prominent: boolean): Markup {
  const name = names[one.wallet];
  const icon = icons[one.wallet];
  if (one.state !== "ready") {
    const ring = one.state === "preparing" ? html`<i class="ring" aria-hidden="true"></i>` : null;
    return html`<p class="add idle">${icon}<span>${name} <small>${words.idle[one.state]}</small></span>${ring}</p>`;
  }
  const limits = one.testOnly ? html` <small>${words.testOnly}</small>` : null;
  const type = one.wallet === "apple" ? html` type="application/vnd.apple.pkpass"` : null;
  return html`<a class="add${prominent ? " first" : ""}" href="${one.href}" rel="nofollow noreferrer"${type}>${icon}<span>${words.add(name)}${limits}</span>${arrowIcon}</a>`;
}
