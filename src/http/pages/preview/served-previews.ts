import { hash } from "node:crypto";
import { LRUCache } from "lru-cache";
import type { RenderableTemplate } from "../../../domain/templates/template.ts";
import { languageTag } from "../pass-language.ts";
import { drawPreview } from "./pass-preview.ts";

export type PassPreview = { body: Uint8Array; etag: string };

/** The pictures of templates for those who get a link sent, each drawn once for a version and a language. */
export type PassPreviews = {
  /** `wanted`: the visitor's languages, the most wanted first. */
  preview(wanted: readonly string[], template: RenderableTemplate): Promise<PassPreview>;
};

/** Of some 100 KB each. */
const mostKept = 100;

export function createPassPreviews(): PassPreviews {
  const kept = new LRUCache<string, Promise<PassPreview>>({ max: mostKept });

  async function draw(template: RenderableTemplate, tag: string | null): Promise<PassPreview> {
    const body = await drawPreview(template, tag);
    return { body, etag: `"${hash("sha256", body, "base64url")}"` };
  }

  return {
    preview(wanted, template) {
      const { templateId, version } = template.version;
      const tag = languageTag(wanted, template);
      const key = `${templateId} ${version} ${tag}`;
      // Those who ask while it is being drawn wait for the same.
      const known = kept.get(key);
      if (known !== undefined) return known;
      const preview = draw(template, tag);
      kept.set(key, preview);
      preview.catch(() => kept.delete(key));
      return preview;
    },
  };
}
