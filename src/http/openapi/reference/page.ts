import { guidesPath } from "../../handbook/addresses.ts";
import { html, markupText } from "../../pages/markup.ts";
import type { ReferenceAssets } from "./assets.ts";

/**
 * RapiDoc writes its styles into the document, which only 'unsafe-inline' lets it do; scripts come from files of this
 * origin alone, and nothing is asked of any other.
 */
const policy = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self' 'unsafe-inline'",
  "img-src 'self' data:",
  "connect-src 'self'",
  "form-action 'none'",
  "base-uri 'none'",
  "frame-ancestors 'none'",
].join("; ");

export const referenceHeaders = {
  "Content-Security-Policy": policy,
  "Referrer-Policy": "no-referrer",
  "Cross-Origin-Opener-Policy": "same-origin",
  "Cross-Origin-Resource-Policy": "same-origin",
};

/** The page that shows the OpenAPI document: RapiDoc, and around it what works without scripts. */
export function referencePage({ style, start, rapidoc, licence }: ReferenceAssets["names"]): string {
  return markupText(html`<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>Passwright API reference</title>
<meta name="theme-color" content="#f7f7f9" media="(prefers-color-scheme: light)">
<meta name="theme-color" content="#0f0f12" media="(prefers-color-scheme: dark)">
<link rel="icon" href="data:,">
<link rel="stylesheet" href="/docs/${style}">
<link rel="license" href="/docs/${licence}">
<script type="module" src="/docs/${start}"></script>
<script type="module" src="/docs/${rapidoc}"></script>
</head>
<body>
<header><a class="name" href="/docs">Passwright</a><span>API reference</span><nav aria-label="Documentation"><a href="${guidesPath}">Guides</a><a class="file" href="/openapi.json">openapi.json</a></nav></header>
<noscript><p>This page needs scripts to show the reference. The same is in <a href="/openapi.json">openapi.json</a>, an OpenAPI 3.1 document that any viewer can open.</p></noscript>
<rapi-doc spec-url="/openapi.json" css-file="${style}" show-header="false" show-info="true" load-fonts="false"
  regular-font="var(--sans)" mono-font="var(--mono)" font-size="large"
  allow-spec-url-load="false" allow-spec-file-load="false" allow-spec-file-download="false"
  allow-server-selection="false" allow-advanced-search="false" show-components="true"
  use-path-in-nav-bar="false" show-method-in-nav-bar="as-colored-text" nav-item-spacing="relaxed"
  schema-description-expanded="true" default-schema-tab="schema" response-area-height="480px"
  persist-auth="false" info-description-headings-in-navbar="true"></rapi-doc>
</body>
</html>
`);
}
