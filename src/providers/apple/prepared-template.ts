import { LRUCache } from "lru-cache";
import type { RenderableTemplate } from "../../domain/templates/template.ts";
import { prepareTemplateParts, type TemplateParts } from "./bundle.ts";

/** Prepared parts by template version. A published version never changes, so nothing here goes stale. */
export type PreparedTemplates = {
  get(template: RenderableTemplate): Promise<TemplateParts>;
  clear(): void;
};

/** Keeps at most `maxBytes` of prepared files, the longest unused going first; a template larger than that is not kept. */
export function createPreparedTemplates({ maxBytes }: { maxBytes: number }): PreparedTemplates {
  const prepared = new LRUCache<string, TemplateParts>({
    maxSize: maxBytes,
    sizeCalculation: ({ opening, manifestMembers }) =>
      opening.entries.length + opening.directory.length + manifestMembers.length,
  });
  const underWay = new Map<string, Promise<TemplateParts>>();

  async function prepare(key: string, images: RenderableTemplate["images"]): Promise<TemplateParts> {
    try {
      const parts = await prepareTemplateParts(images);
      prepared.set(key, parts);
      return parts;
    } finally {
      underWay.delete(key);
    }
  }

  return {
    async get({ version, images }) {
      const key = `${version.templateId}@${version.version}`;
      const known = prepared.get(key);
      if (known !== undefined) return known;
      // Those who ask while it is being prepared wait for the same.
      const preparing = underWay.get(key) ?? prepare(key, images);
      underWay.set(key, preparing);
      return preparing;
    },
    clear: () => prepared.clear(),
  };
}
