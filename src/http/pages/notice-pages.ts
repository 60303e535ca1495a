import { doneIcon, searchIcon, voidIcon } from "./icons.ts";
import { html, type Markup } from "./markup.ts";
import { type Page, pageDocument } from "./page-document.ts";
import { neutralColours, paletteOf } from "./palette.ts";

/** 410: the pass was revoked. Says nothing about whose it was. */
export function renderGonePage(): Page {
  return noticePage(410, {
    icon: voidIcon,
    title: "This pass is no longer valid",
    text: "Its issuer has withdrawn it. If you think that this is a mistake, please ask whoever gave it to you.",
  });
}

/** 404: no pass has this address. */
export function renderNotFoundPage(): Page {
  return noticePage(404, {
    icon: searchIcon,
    title: "There is no pass here",
    text: "Please check the link. It may have been cut off when it was copied or forwarded.",
  });
}

/** Where buyers land after a payment whose application named no page of its own. */
export function renderPaidPage(): Page {
  return noticePage(200, {
    icon: doneIcon,
    title: "Thank you",
    text: "The payment is on its way to us. What you bought is there as soon as it has arrived. You can close this page.",
  });
}

function noticePage(status: number, notice: { icon: Markup; title: string; text: string }): Page {
  return pageDocument({
    status,
    title: notice.title,
    palette: paletteOf(neutralColours),
    body: html`<main class="plain">${notice.icon}<h1>${notice.title}</h1><p>${notice.text}</p></main>`,
    iconUrl: null,
    refreshSeconds: null,
  });
}
