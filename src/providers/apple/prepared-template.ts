import { LRUCache } from "lru-cache";
import type { RenderableTemplate } from "../../domain/templates/template.ts";
import { prepareTemplateParts, type TemplateParts } from "./bundle.ts";

/** Prepared parts by template version. A published version never changes, so nothing here goes stale. */
export type PreparedTemplates = {
  get(template: RenderableTemplate): TemplateParts;
  clear(): void;
};

/** Keeps at most `maxBytes` of prepared files, the longest unused going first; a template larger than that is not kept. */
export function createPreparedTemplates({ maxBytes }: { maxBytes: number }): PreparedTemplates {
  const prepared = new LRUCache<string, TemplateParts>({
    maxSize: maxBytes,
    sizeCalculation: ({ opening, manifestMembers }) =>
      opening.entries.length + opening.directory.length + manifestMembers.length,
  });
  return {
    get({ version, images }) {
      const key = `${version.templateId}@${version.version}`;
      const known = prepared.get(key);
      if (known !== undefined) return known;
      const parts = prepareTemplateParts(images);
      prepared.set(key, parts);
      return parts;
    },
    clear: () => prepared.clear(),
  };
}
