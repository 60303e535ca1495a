import type { TemplateAuthoring } from "../domain/templates/authoring.ts";
import type {
  RenderableTemplate,
  Template,
  TemplateFilter,
  TemplateStore,
} from "../domain/templates/template.ts";
import { asUnavailable } from "./connection.ts";
import { newestFirst } from "./pages.ts";
import { readCache } from "./read-cache.ts";
import type { StoreParts } from "./store.ts";
import { createTemplateAuthoring } from "./template-authoring.ts";
import { fromRecord, type StoredVersion, templateRecords } from "./template-records.ts";

/** How long another process may go on with a template that was published anew or archived. */
const staleMs = 2000;

/** Of images, which are what a version weighs. */
const mostCachedBytes = 256 * 1024 * 1024;

function imageBytes({ images }: Pick<RenderableTemplate, "images">): number {
  return [...images.values()].reduce((sum, image) => sum + image.length, 1);
}

export function createTemplateStore(parts: StoreParts): TemplateStore & TemplateAuthoring {
  const { connection, keys } = parts;
  const records = templateRecords(connection, keys);
  const read = async (tenantId: string | null, templateId: string): Promise<Template | null> => {
    const record = await records.read(keys.template(tenantId, templateId));
    // What is only a draft does not exist yet.
    return record === null || record.latest_version === 0 ? null : fromRecord(record);
  };
  const found = readCache(
    async (cacheKey) => {
      const [tenantId = "", templateId = ""] = cacheKey.split(" ");
      const own = tenantId === "" ? null : await read(tenantId, templateId);
      return own ?? read(null, templateId);
    },
    { entries: 10_000, ttlMs: staleMs },
  );
  const versions = readCache<Omit<RenderableTemplate, "template">>(
    async (cacheKey) => {
      const [tenantId = "", templateId = "", version = ""] = cacheKey.split(" ");
      return readVersion(tenantId || null, templateId, Number(version));
    },
    { entries: 500, ttlMs: Number.POSITIVE_INFINITY, bytes: { most: mostCachedBytes, of: imageBytes } },
  );

  async function readVersion(owner: string | null, templateId: string, version: number) {
    try {
      const text = await connection.get(keys.templateVersion(owner, templateId, version));
      if (text === null) return null;
      const stored = JSON.parse(text) as StoredVersion;
      const images = new Map<string, Uint8Array>();
      for (const [name, sha256] of Object.entries(stored.images)) {
        const bytes = await connection.getBuffer(keys.image(owner, sha256));
        if (bytes !== null) images.set(name, bytes);
      }
      return {
        version: { templateId, version, createdAtMs: stored.createdAtMs, content: stored.content },
        images,
      };
    } catch (error) {
      throw asUnavailable(error);
    }
  }

  const authoring = createTemplateAuthoring(parts, (owner, templateId) => {
    found.forget(`${owner ?? ""} ${templateId}`);
  });

  return {
    ...authoring,
    find: (tenantId, templateId) => found.get(`${tenantId ?? ""} ${templateId}`),
    async renderable(template, version) {
      const parts = await versions.get(`${template.tenantId ?? ""} ${template.id} ${version}`);
      return parts && { template, ...parts };
    },
    async list(tenantId, filter, page) {
      const owners = tenantId === null ? [null] : [tenantId, null];
      // Templates are few, and both filters are rarely given: read all, then choose.
      const everything = { page: 1, pageSize: 100_000 };
      const lists = await Promise.all(
        owners.map(async (owner) => {
          const { items } = await newestFirst(connection, keys.templates(owner), everything);
          return Promise.all(items.map((id) => read(owner, id)));
        }),
      );
      const matching = lists
        .flat()
        .filter((template) => template !== null)
        .filter((template) => matches(template, filter))
        .sort((a, b) => b.createdAtMs - a.createdAtMs || (a.id < b.id ? 1 : -1));
      const start = (page.page - 1) * page.pageSize;
      return { items: matching.slice(start, start + page.pageSize), total: matching.length };
    },
    async image(owner, sha256) {
      try {
        return await connection.getBuffer(keys.image(owner, sha256));
      } catch (error) {
        throw asUnavailable(error);
      }
    },
  };
}

function matches(template: Template, filter: TemplateFilter): boolean {
  return (
    (filter.type === undefined || template.type === filter.type) &&
    (filter.status === undefined || template.status === filter.status)
  );
}
