import { createHash } from "node:crypto";
import { html, type Markup, markupText, trustedMarkup } from "../pages/markup.ts";
import { guidePath, guidesPath, handbookGroups, problemPath, problemsPath } from "./addresses.ts";

/** Codes of errors as the navigation names them, group by group. */
export type ErrorIndex = readonly { title: string; codes: readonly string[] }[];

/** A whole document around a text, with the way to all others. `path` is its own, which the navigation marks. */
export function handbookDocument(
  { title, path, body }: { title: string; path: string; body: Markup },
  { css, errors }: { css: string; errors: ErrorIndex },
): string {
  return markupText(html`<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>${title} · Passwright</title>
<meta name="theme-color" content="#f7f7f9" media="(prefers-color-scheme: light)">
<meta name="theme-color" content="#0f0f12" media="(prefers-color-scheme: dark)">
<link rel="icon" href="data:,">
<style>${trustedMarkup(css)}</style>
</head>
<body>
<a class="skip" href="#text">Skip to the text</a>
<header><a class="name" href="${guidesPath}">Passwright</a><nav aria-label="Documentation"><a href="#contents">Contents</a><a href="/docs">API reference</a></nav></header>
<div class="sides">
<main id="text">
${body}</main>
<nav id="contents" aria-label="Contents">
${handbookGroups
  .map((group) => group.pages.map((page) => ({ to: guidePath(page.name), words: html`${page.title}` })))
  .map((links, index) => navigationGroup(handbookGroups[index]?.title ?? "", links, path))}
${errorNavigation(errors, path)}</nav>
</div>
</body>
</html>
`);
}

function navigationGroup(title: string, links: { to: string; words: Markup }[], path: string): Markup {
  const items = links.map(({ to, words }) => {
    const current = to === path ? html` aria-current="page"` : null;
    return html`<li><a href="${to}"${current}>${words}</a></li>\n`;
  });
  return html`<h2>${title}</h2>\n<ul>\n${items}</ul>\n`;
}

/** Every code would hide the guides: the codes stand where one of them is read. */
function errorNavigation(errors: ErrorIndex, path: string): Markup {
  const overview = { to: problemsPath, words: html`All error codes` };
  const codes = path.startsWith(problemsPath)
    ? errors.flatMap((group) =>
        group.codes.map((code) => ({ to: problemPath(code), words: html`<code>${code}</code>` })),
      )
    : [];
  return navigationGroup("Errors", [overview, ...codes], path);
}

/** Nothing is loaded, run, sent or framed: the one style within the page is allowed by its hash. */
export function handbookHeaders(css: string): Record<string, string> {
  const policy = [
    "default-src 'none'",
    "img-src data:",
    `style-src 'sha256-${createHash("sha256").update(css).digest("base64")}'`,
    "form-action 'none'",
    "base-uri 'none'",
    "frame-ancestors 'none'",
  ];
  return {
    "Content-Security-Policy": policy.join("; "),
    "Referrer-Policy": "no-referrer",
    "X-Content-Type-Options": "nosniff",
    "Cross-Origin-Opener-Policy": "same-origin",
    "Cross-Origin-Resource-Policy": "same-origin",
  };
}
