import { isoInstant } from "../../domain/clock.ts";
import type { Pass, PassMessage } from "../../domain/passes/pass.ts";
import { html, isolated, type Markup } from "./markup.ts";
import { readableInstant } from "./pass-fields.ts";
import type { WalletOffer } from "./wallet-offers.ts";
import type { Words } from "./words/words.ts";

/** What there is to say about the state of a pass beyond its buttons; null if nothing. */
export function statusNote(pass: Pass, offers: readonly WalletOffer[], words: Words): Markup | null {
  const said = statusWords(pass, offers, words.status);
  return said === null ? null : html`<p class="notice" role="status">${said}</p>`;
}

function statusWords(pass: Pass, offers: readonly WalletOffer[], status: Words["status"]): string | null {
  const ready = offers.some((offer) => offer.state === "ready");
  const preparing = offers.some((offer) => offer.state === "preparing");
  switch (pass.status) {
    case "pending":
    case "partial":
      return !preparing || ready ? null : status.preparing;
    case "updating":
      return status.updating;
    case "failed":
      return status.failed;
    case "revoking":
      return status.revoking;
    case "active":
    case "revoked":
      return null;
  }
}

/** Since when a pass is expired; null: it is not. */
export function expiredNote(expiredAtMs: number | null, words: Words): Markup | null {
  if (expiredAtMs === null) return null;
  return html`<p class="notice" role="status">${words.expired} ${readableInstant(isoInstant(expiredAtMs), words.locale)}</p>`;
}

/** The latest message to a pass, in its sender's own words. */
export function messageNote(message: PassMessage | null, words: Words): Markup | null {
  if (message === null) return null;
  return html`<div class="notice"><h2>${words.message}</h2><p class="head" lang="">${isolated(message.header)}</p><p class="said" lang="">${isolated(message.body)}</p><p class="when">${readableInstant(isoInstant(message.at), words.locale)}</p></div>`;
}
