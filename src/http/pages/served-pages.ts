import { hash } from "node:crypto";
import { LRUCache } from "lru-cache";
import { createTemplateTranslations } from "../../domain/templates/translations.ts";
import type { Page } from "./page-document.ts";
import { passLanguage } from "./pass-language.ts";
import { expiredAtMs, type PassPageInput, renderPassPage } from "./pass-page.ts";

export type ServedPage = { body: string; etag: string; headers: Page["headers"] };

/** The pages of passes, each drawn once for a state of its pass, a language and a kind of device. */
export type PassPages = {
  /** `wanted`: the visitor's languages, the most wanted first. */
  page(wanted: readonly string[], input: Omit<PassPageInput, "language">): Promise<ServedPage>;
};

/** In characters: some 300 pages, which is what one address in fashion comes to many times over. */
const mostKept = 8_000_000;

/** `version`: the product's, since another one may draw the same pass in another way. */
export function createPassPages({ version }: { version: string }): PassPages {
  const translationsOf = createTemplateTranslations();
  const kept = new LRUCache<string, Page>({ maxSize: mostKept, sizeCalculation: ({ html }) => html.length });

  return {
    async page(wanted, given) {
      const { template } = given;
      const language = passLanguage(wanted, template, translationsOf(template));
      const input = { ...given, language };
      const etag = `"${hash("sha256", JSON.stringify([version, ...factsOf(input)]), "base64url")}"`;
      const page = kept.get(etag) ?? (await renderPassPage(input));
      kept.set(etag, page);
      return { body: page.html, etag, headers: page.headers };
    },
  };
}

/** Everything that a page is made of. A template's version, its images included, never changes. */
function factsOf(input: PassPageInput): unknown[] {
  const { pass, template, pageUrl, pkpassUrl, googleSaveUrl, device, language } = input;
  const { templateId, version } = template.version;
  return [
    pass,
    [templateId, version],
    [pageUrl, pkpassUrl, googleSaveUrl],
    device,
    [language.tag, language.words.language],
    expiredAtMs(input),
  ];
}
