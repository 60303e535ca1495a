import { readFile } from "node:fs/promises";
import { type ErrorCode, errorKinds } from "../../domain/errors.ts";
import { html, type Markup } from "../pages/markup.ts";
import { type ServedBody, servedBody } from "../served-body.ts";
import {
  errorsFile,
  guidePath,
  guidesPath,
  handbookGroups,
  handbookPages,
  problemPath,
  problemsPath,
} from "./addresses.ts";
import { type ErrorSections, errorSections } from "./error-sections.ts";
import { handbookDocument, handbookHeaders } from "./layout.ts";
import { linksOf } from "./links.ts";
import { markdownMarkup } from "./markdown.ts";

/** The pages of the repository's documents, ready to send, by their path; and the headers that all of them bear. */
export type Handbook = { page(path: string): ServedBody | undefined; headers: Record<string, string> };

/** From the sources as from dist, the root is as far away. */
const root = new URL("../../../", import.meta.url);

/** Read when a page is first asked for, and never again. What could not be read is tried anew by whoever asks next. */
export function createHandbook(): () => Promise<Handbook> {
  let handbook: Promise<Handbook> | undefined;
  return () => {
    handbook ??= load().catch((error: unknown) => {
      handbook = undefined;
      throw error;
    });
    return handbook;
  };
}

async function load(): Promise<Handbook> {
  const [css, errors, ...texts] = await Promise.all([
    readFile(new URL("./handbook.css", import.meta.url), "utf8"),
    readFile(new URL(errorsFile, root), "utf8"),
    ...handbookPages.map(({ file }) => readFile(new URL(file, root), "utf8")),
  ]);
  const sections = errorSections(errors);
  const index = sections.groups.map(({ title, codes }) => ({ title, codes: codes.map(({ code }) => code) }));
  const pages = new Map<string, ServedBody>();
  const add = (path: string, title: string, body: Markup): void => {
    pages.set(path, servedBody(handbookDocument({ title, path, body }, { css, errors: index })));
  };
  add(guidesPath, "Guides", guidesOverview());
  for (const [place, { name, file, title }] of handbookPages.entries()) {
    add(guidePath(name), title, markdownMarkup(texts[place] ?? "", linksOf(file, isErrorCode)));
  }
  addErrors(sections, add);
  return { page: (path) => pages.get(path), headers: handbookHeaders(css) };
}

function addErrors(sections: ErrorSections, add: (path: string, title: string, body: Markup) => void): void {
  const links = linksOf(errorsFile, isErrorCode);
  const lists = sections.groups.map(({ title, codes }) => {
    const items = codes.map(
      ({ code }) => html`<li><a href="${problemPath(code)}"><code>${code}</code></a></li>\n`,
    );
    return html`<h2>${title}</h2>\n<ul>\n${items}</ul>\n`;
  });
  add(problemsPath, "Error codes", html`${markdownMarkup(sections.intro, links)}${lists}`);
  for (const { code, markdown } of sections.groups.flatMap(({ codes }) => codes)) {
    add(problemPath(code), code, html`<h1><code>${code}</code></h1>\n${markdownMarkup(markdown, links)}`);
  }
}

function isErrorCode(word: string): word is ErrorCode {
  return Object.hasOwn(errorKinds, word);
}

function guidesOverview(): Markup {
  const lists = handbookGroups.map(({ title, pages }) => {
    const items = pages.map(({ name, title }) => html`<li><a href="${guidePath(name)}">${title}</a></li>\n`);
    return html`<h2>${title}</h2>\n<ul>\n${items}</ul>\n`;
  });
  return html`<h1>Guides</h1>
<p>Passwright creates passes for Apple Wallet and Google Wallet, keeps them up to date, and tells you what becomes of them. Every operation with its members is in the <a href="/docs">API reference</a>; every error code has <a href="${problemsPath}">a page of its own</a>.</p>
${lists}`;
}
