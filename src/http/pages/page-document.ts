import { createHash } from "node:crypto";
import { html, type Markup, markupText, plainLine, trustedMarkup } from "./markup.ts";
import { pageCss } from "./page-css.ts";
import type { Palette } from "./palette.ts";
import { previewSize } from "./preview/pass-preview.ts";
import { directionOf } from "./visitor-language.ts";
import type { Words } from "./words/words.ts";

/** An HTML response. The status is the page's own: 200, 404 or 410. */
export type Page = { status: number; html: string; headers: PageHeaders };

type PageHeaders = { "Content-Type": string } & Record<string, string>;

export type PageParts = {
  status: number;
  words: Words;
  title: string;
  palette: Palette;
  body: Markup;
  /** What those who get the link sent see of it, if anything. */
  share: { title: string; siteName: string; url: string; imageUrl: string } | null;
  /** The small picture of the browser's tab, if there is one. */
  iconUrl: string | null;
  /** Whole seconds until the browser asks again; null: the page is settled. */
  refreshSeconds: number | null;
};

/** How long a browser may show a settled page again without asking: short, since a revocation must arrive. */
const settledSeconds = 30;

/** A whole document with one inline style and no script, and the headers that hold it to that. */
export function pageDocument(parts: PageParts): Page {
  const style = styleOf(parts.palette);
  const { palette, refreshSeconds, iconUrl } = parts;
  const refresh =
    refreshSeconds === null ? null : html`<meta http-equiv="refresh" content="${refreshSeconds}">`;
  const icon = iconUrl === null ? null : html`<link rel="icon" href="${iconUrl}">`;
  const { language } = parts.words;
  const document = html`<!doctype html>
<html lang="${language}" dir="${directionOf(language)}"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width, initial-scale=1, viewport-fit=cover"><title>${plainLine(
    parts.title,
  )}</title><meta name="robots" content="noindex, nofollow"><meta name="format-detection" content="telephone=no"><meta name="theme-color" content="${palette.glowLight}" media="(prefers-color-scheme: light)"><meta name="theme-color" content="${palette.glowDark}" media="(prefers-color-scheme: dark)">${refresh}${icon}${shareMembers(parts.share)}<style>${trustedMarkup(
    style,
  )}</style></head><body>${parts.body}</body></html>
`;
  return {
    status: parts.status,
    html: markupText(document),
    headers: pageHeaders(style, refreshSeconds === null ? settledSeconds : 0),
  };
}

/** The Open Graph protocol (https://ogp.me). Nothing of a pass's data: services that draw previews keep what they read. */
function shareMembers(share: PageParts["share"]): Markup | null {
  if (share === null) return null;
  const members = [
    ["type", "website"],
    ["title", share.title],
    ["site_name", share.siteName],
    ["url", share.url],
    ["image", share.imageUrl],
    ["image:type", "image/png"],
    ["image:width", String(previewSize.width)],
    ["image:height", String(previewSize.height)],
  ] as const;
  return html`${members.map(
    ([name, value]) => html`<meta property="og:${name}" content="${shortened(plainLine(value))}">`,
  )}<meta name="twitter:card" content="summary_large_image">`;
}

/** No preview has room for more. */
const longestShared = 300;

function shortened(text: string): string {
  return text.length <= longestShared ? text : `${text.slice(0, longestShared).toWellFormed()}…`;
}

/** A palette holds checked `#rrggbb` only, so nothing of a template can leave its property. */
function styleOf(palette: Palette): string {
  const { background, foreground, label, pageLight, glowLight, pageDark, glowDark } = palette;
  const properties = [
    `--bg:${background}`,
    `--bg-veil:${background}d9`,
    `--bg-thin:${background}66`,
    `--bg-none:${background}00`,
    `--fg:${foreground}`,
    `--label:${label}`,
    `--page-light:${pageLight}`,
    `--glow-light:${glowLight}`,
    `--page-dark:${pageDark}`,
    `--glow-dark:${glowDark}`,
  ];
  return `:root{${properties.join(";")}}${pageCss}`;
}

function pageHeaders(style: string, maxAgeSeconds: number): PageHeaders {
  const styleHash = createHash("sha256").update(style).digest("base64");
  const policy = [
    "default-src 'none'",
    "img-src 'self'",
    `style-src 'sha256-${styleHash}'`,
    "form-action 'none'",
    "base-uri 'none'",
    "frame-ancestors 'none'",
  ];
  return {
    "Content-Type": "text/html; charset=utf-8",
    "Content-Security-Policy": policy.join("; "),
    // The address is the key to the pass: it must not travel to a wallet's site, nor into a search index.
    "Referrer-Policy": "no-referrer",
    "X-Robots-Tag": "noindex, nofollow",
    "X-Content-Type-Options": "nosniff",
    "Cross-Origin-Opener-Policy": "same-origin",
    "Cross-Origin-Resource-Policy": "same-origin",
    "Cache-Control": maxAgeSeconds === 0 ? "private, no-cache" : `private, max-age=${maxAgeSeconds}`,
    // The order of the wallets follows the device.
    Vary: "User-Agent, Accept-Language",
  };
}
