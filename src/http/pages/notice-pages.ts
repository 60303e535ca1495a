import { doneIcon, searchIcon, voidIcon } from "./icons.ts";
import { html, type Markup } from "./markup.ts";
import { type Page, pageDocument } from "./page-document.ts";
import { neutralColours, paletteOf } from "./palette.ts";
import type { Words } from "./words/words.ts";

/** 410: the pass was revoked. Says nothing about whose it was. */
export function renderGonePage(words: Words): Page {
  return noticePage(410, words, { icon: voidIcon, ...words.gone });
}

/** 404: no pass has this address. */
export function renderNotFoundPage(words: Words): Page {
  return noticePage(404, words, { icon: searchIcon, ...words.missing });
}

/** Where buyers land after a payment whose application named no page of its own. */
export function renderPaidPage(words: Words): Page {
  return noticePage(200, words, { icon: doneIcon, ...words.paid });
}

function noticePage(
  status: number,
  words: Words,
  notice: { icon: Markup; title: string; text: string },
): Page {
  return pageDocument({
    status,
    words,
    title: notice.title,
    palette: paletteOf(neutralColours),
    body: html`<main class="plain">${notice.icon}<h1>${notice.title}</h1><p>${notice.text}</p></main>`,
    share: null,
    iconUrl: null,
    refreshSeconds: null,
  });
}
