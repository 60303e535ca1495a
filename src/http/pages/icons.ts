import { html, type Markup, trustedMarkup } from "./markup.ts";

// Own drawings: neither wallet's mark, which its owner licenses for badges that its own tools generate.

const line =
  'fill="none" stroke="currentColor" stroke-width="1.75" stroke-linecap="round" stroke-linejoin="round"';

function icon(shapes: string): Markup {
  return trustedMarkup(`<svg class="icon" viewBox="0 0 24 24" aria-hidden="true" ${line}>${shapes}</svg>`);
}

/** Cards in a pocket. */
export const cardsIcon = icon(
  '<path d="M5 8.5V6.8A1.8 1.8 0 0 1 6.8 5h10.4A1.8 1.8 0 0 1 19 6.8v1.7"/><path d="M3.5 11.2A1.8 1.8 0 0 1 5.3 9.4h13.4a1.8 1.8 0 0 1 1.8 1.8v6A1.8 1.8 0 0 1 18.7 19H5.3a1.8 1.8 0 0 1-1.8-1.8z"/><path d="M3.5 12.6h4.7c.7 0 1.1.5 1.4 1.1a2.6 2.6 0 0 0 4.8 0c.3-.6.7-1.1 1.4-1.1h4.7"/>',
);

/** A folded wallet with a clasp. */
export const foldIcon = icon(
  '<path d="M17.5 7.5V5.6a1.6 1.6 0 0 0-2-1.55L5.4 6.3A2.5 2.5 0 0 0 3.5 8.7V17A2.5 2.5 0 0 0 6 19.5h12a2.5 2.5 0 0 0 2.5-2.5v-7A2.5 2.5 0 0 0 18 7.5H5"/><circle cx="16.4" cy="13.5" r="1.1" fill="currentColor" stroke="none"/>',
);

export const arrowIcon = icon('<path d="m9.5 6 6 6-6 6"/>');

/** A pass with a line through it. */
export const voidIcon = icon(
  '<path d="M4 7.5A2.5 2.5 0 0 1 6.5 5H17M20 9v7.5a2.5 2.5 0 0 1-2.5 2.5H7"/><path d="M4 11v4.5"/><path d="m3.5 20.5 17-17"/>',
);

/** A tick in a circle. */
export const doneIcon = icon('<circle cx="12" cy="12" r="8.5"/><path d="m8 12.4 2.8 2.8 5.4-6"/>');

/** A magnifier. */
export const searchIcon = icon('<circle cx="10.5" cy="10.5" r="6"/><path d="m15 15 5 5"/>');

/** Solid shapes that point to the right, for the way between two places. */
const vehicles = {
  air: '<path d="M21.5 12c0-.9-.9-1.5-2-1.5h-5L9.7 3H7.6l2.4 7.5H5.6L4 8.3H2.5l1 3.7-1 3.7H4l1.6-2.2H10L7.6 21h2.1l4.8-7.5h5c1.1 0 2-.6 2-1.5z"/>',
  train:
    '<path d="M4 6h9c4.5 0 8 4.2 8 7.5 0 1.6-1 2.5-2.5 2.5H4zm2 2v3.5h3.5V8zm5.5 0v3.5h5.7A6.5 6.5 0 0 0 13 8zM3 17.8h18v1.5H3z" fill-rule="evenodd"/>',
  bus: '<path d="M4.5 5h13.2A2.3 2.3 0 0 1 20 6.9l1 5.1v4.5h-2.2a2.3 2.3 0 0 1-4.6 0H9.8a2.3 2.3 0 0 1-4.6 0H3v-10A1.5 1.5 0 0 1 4.5 5zM5 7.2v3.6h3.5V7.2zm5.3 0v3.6h3.5V7.2zm5.3 0v3.6h3L18 7.2z" fill-rule="evenodd"/>',
  boat: '<path d="M11 3.5V13h7.5C18.2 8.8 15 5 11 3.5zM9.5 6.5 4.8 13h4.7zM3 14.5h18l-2.2 4a2 2 0 0 1-1.8 1H7a2 2 0 0 1-1.8-1z"/>',
  other: '<path d="M13.5 5.5 20 12l-6.5 6.5-1.4-1.4 4.1-4.1H4v-2h12.2l-4.1-4.1z"/>',
} as const;

export type Vehicle = keyof typeof vehicles;

/** A vehicle, named for those who hear the page. */
export function vehicle(kind: Vehicle, name: string): Markup {
  return html`<svg class="vehicle" viewBox="0 0 24 24" role="img" aria-label="${name}" fill="currentColor">${trustedMarkup(vehicles[kind])}</svg>`;
}
