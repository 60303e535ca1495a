import { createHash } from "node:crypto";
import { type Answer, html } from "../exchange.ts";
import { escapeHtml } from "../markup.ts";
import type { Face, Picture } from "./save-face.ts";

export type Shown = { faces: Face[]; isTest: boolean; warnings: string[]; action: string };

const stateNotes: ReadonlyMap<string, string> = new Map([
  ["COMPLETED", "This pass was used."],
  ["EXPIRED", "This pass has expired."],
  ["INACTIVE", "This pass is not active."],
]);

/** The page behind a save link: the passes, and one button that saves them or removes them. */
export function savePage({ faces, isTest, warnings, action }: Shown): Answer {
  const isSaved = faces.every((face) => face.isSaved);
  const button = isSaved
    ? '<button name="do" value="remove">Remove from wallet</button>'
    : '<button name="do" value="save" class="first">Save to wallet</button>';
  const body = `${warnings.map((text) => `<p class="warning" role="alert">${escapeHtml(text)}</p>`).join("\n")}
${isTest ? '<p class="warning">The issuer is in demo mode: passes are marked [TEST ONLY], and only its own users can save them.</p>' : ""}
${faces.map((face, index) => card(face, index, isTest)).join("\n")}
${isSaved ? '<p class="saved" role="status">Saved to the wallet</p>' : ""}
<form method="post" action="${escapeHtml(action)}">${button}</form>`;
  const [first] = faces;
  const title = `${isTest ? "[TEST ONLY] " : ""}${first?.title ?? "Pass"}`;
  return page(200, title, { body, faces });
}

/** Says why a link does not work. */
export function refusalPage(status: number, title: string, why: string): Answer {
  const body = `<h1>${escapeHtml(title)}</h1>\n<p role="alert">${escapeHtml(why)}</p>`;
  return page(status, title, { body, faces: [] });
}

function card(face: Face, index: number, isTest: boolean): string {
  const { issuer, title, subtitle, state, logo, pictures, facts, messages, barcode } = face;
  const note = stateNotes.get(state);
  const subtitles = subtitle === "" ? "" : `<p class="subtitle">${escapeHtml(subtitle)}</p>`;
  const fact = (label: string, value: string) =>
    `<div${value.length > 40 ? ' class="wide"' : ""}><dt>${escapeHtml(label)}</dt><dd>${escapeHtml(value)}</dd></div>`;
  const message = (header: string, text: string) =>
    `<li><strong>${escapeHtml(header)}</strong> ${escapeHtml(text)}</li>`;
  const news = messages.map(({ header, body }) => message(header, body)).join("");
  return `<article class="card" id="pass-${index}" aria-labelledby="title-${index}">
<header>${logo === null ? "" : picture(logo)}<p>${escapeHtml(issuer)}</p></header>
<h1 id="title-${index}">${isTest ? "[TEST ONLY] " : ""}${escapeHtml(title)}</h1>
${subtitles}
${note === undefined ? "" : `<p class="state">${note} <small>${escapeHtml(state)}</small></p>`}
<dl>${facts.map(({ label, value }) => fact(label, value)).join("")}</dl>
${barcode === null ? "" : `<p class="code"><code>${escapeHtml(barcode)}</code></p>`}
${pictures.map(picture).join("\n")}
</article>
${news === "" ? "" : `<section aria-label="Messages"><h2>Messages</h2><ul>${news}</ul></section>`}`;
}

const picture = ({ url, description }: Picture): string =>
  `<img src="${escapeHtml(url)}" alt="${escapeHtml(description)}">`;

const css = `
:root { color-scheme: light dark; }
body { font: 16px/1.5 system-ui, sans-serif; margin: 2rem auto; max-width: 24rem; padding: 0 1rem; }
.card { border-radius: 1.25rem; overflow: hidden; padding: 1.25rem; }
.card + .card { margin-top: 1rem; }
.card header { align-items: center; display: flex; gap: .75rem; min-height: 2.5rem; }
.card header img { border-radius: 50%; height: 2.5rem; object-fit: cover; width: 2.5rem; }
.card header p, .subtitle { margin: 0; }
.card > img { display: block; margin: 1rem -1.25rem 0; width: calc(100% + 2.5rem); }
.card > img:last-child { margin-bottom: -1.25rem; }
h1 { font-size: 1.4rem; line-height: 1.3; margin: 1rem 0 0; overflow-wrap: anywhere; }
h2 { font-size: 1rem; margin: 1.5rem 0 .5rem; }
dl { display: grid; gap: .75rem 1.5rem; grid-template-columns: repeat(auto-fit, minmax(8rem, 1fr)); margin: 1.25rem 0 0; }
dt { font-size: .8rem; }
dd { font-weight: 600; margin: 0; overflow-wrap: anywhere; }
.wide { grid-column: 1 / -1; }
.wide dd { font-weight: 400; }
.state { border: 1px solid; border-radius: .5rem; margin: 1rem 0 0; padding: .4rem .75rem; }
.code { background: #fff; border-radius: .75rem; color: #202124; margin: 1.25rem 0 0; overflow-wrap: anywhere; padding: .75rem; text-align: center; }
ul { margin: 0; padding-left: 1.25rem; }
.warning { border-left: .25rem solid #b06000; padding-left: .75rem; }
.saved { font-weight: 600; text-align: center; }
.saved::before { content: "✓ "; }
button { background: none; border: 1px solid; border-radius: 2rem; color: inherit; cursor: pointer; font: inherit; margin: 1.25rem 0; padding: .75rem; width: 100%; }
button.first { background: #1f1f1f; border-color: #747775; color: #fff; }
button:focus-visible { outline: 3px solid #1a73e8; outline-offset: 2px; }
footer { font-size: .8rem; text-align: center; }
`;

function page(status: number, title: string, { body, faces }: { body: string; faces: Face[] }): Answer {
  const style = `${css}${faces.map(colours).join("")}`;
  const document = `<!DOCTYPE html>
<html lang="en">
<meta charset="utf-8">
<meta name="viewport" content="width=device-width">
<title>${escapeHtml(title)} – Passwright sandbox</title>
<style>${style}</style>
<main>
${body}
</main>
<footer>The sandbox’s stand-in for Google Wallet. No real wallet is touched.</footer>
</html>
`;
  return html(status, document, {
    "content-security-policy": policy(style, faces),
    "cache-control": "no-store",
    "referrer-policy": "no-referrer",
    "x-content-type-options": "nosniff",
  });
}

function colours({ colour }: Face, index: number): string {
  const background = colour ?? "#1f3a5f";
  return `#pass-${index} { background: ${background}; color: ${isLight(background) ? "#202124" : "#fff"}; }\n`;
}

function policy(style: string, faces: Face[]): string {
  const pictures = faces.flatMap(({ logo, pictures: others }) =>
    logo === null ? others : [logo, ...others],
  );
  const origins = [...new Set(pictures.map(({ url }) => new URL(url).origin))];
  return [
    "default-src 'none'",
    `img-src ${origins.length === 0 ? "'none'" : origins.join(" ")}`,
    `style-src 'sha256-${createHash("sha256").update(style).digest("base64")}'`,
    "form-action 'self'",
    "base-uri 'none'",
    "frame-ancestors 'none'",
  ].join("; ");
}

/** Whether dark text reads better on it (https://www.w3.org/TR/WCAG22/#dfn-relative-luminance). */
function isLight(colour: string): boolean {
  const channels = [1, 3, 5].map((start) => Number.parseInt(colour.slice(start, start + 2), 16) / 255);
  const [red = 0, green = 0, blue = 0] = channels.map((value) =>
    value <= 0.04045 ? value / 12.92 : ((value + 0.055) / 1.055) ** 2.4,
  );
  return 0.2126 * red + 0.7152 * green + 0.0722 * blue > 0.179;
}
