import { createHash } from "node:crypto";
import type {
  RenderableTemplate,
  Template,
  TemplateFilter,
  TemplateStore,
  TemplateVersion,
  WalletKey,
} from "../domain/templates/template.ts";
import { asUnavailable } from "./connection.ts";
import { newestFirstAcross } from "./pages.ts";
import { readCache } from "./read-cache.ts";
import { createRecords } from "./records.ts";
import type { StoreParts } from "./store.ts";

type TemplateRecord = {
  id: string;
  tenant_id: string | null;
  name: string;
  type: Template["type"];
  description: string | null;
  providers: string[];
  status: Template["status"];
  latest_version: number;
  created_at: number;
};

/** A version as it is stored: images by the SHA-256 of their bytes, which are stored once. */
type StoredVersion = Pick<TemplateVersion, "createdAtMs" | "content"> & { images: Record<string, string> };

/** How long another process may go on with a template that was published anew or archived. */
const staleMs = 2000;

export function createTemplateStore({ connection, keys, run }: StoreParts): TemplateStore {
  const records = createRecords<TemplateRecord>(
    connection,
    keys.prefix,
    {
      id: { type: "string" },
      tenant_id: { type: "string" },
      name: { type: "string" },
      type: { type: "string" },
      description: { type: "string" },
      providers: { type: "string[]" },
      status: { type: "string" },
      latest_version: { type: "number" },
      created_at: { type: "number" },
    },
    "id",
  );
  const read = async (tenantId: string | null, templateId: string): Promise<Template | null> => {
    const record = await records.read(keys.template(tenantId, templateId));
    return record && fromRecord(record);
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
    { entries: 500, ttlMs: Number.POSITIVE_INFINITY },
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

  return {
    find: (tenantId, templateId) => found.get(`${tenantId ?? ""} ${templateId}`),
    async findByName(tenantId, name) {
      try {
        const id = await connection.hget(keys.templateNames(tenantId), name);
        return id === null ? null : read(tenantId, id);
      } catch (error) {
        throw asUnavailable(error);
      }
    },
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
          const { items } = await newestFirstAcross(connection, [keys.templates(owner)], everything);
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
    async publish({ template, content, images, publishedAtMs }) {
      const owner = template.tenantId;
      const hashes: Record<string, string> = {};
      const blobs = new Map<string, Uint8Array>();
      for (const [name, bytes] of images) {
        const sha256 = createHash("sha256").update(bytes).digest("hex");
        hashes[name] = sha256;
        blobs.set(sha256, bytes);
      }
      const stored: StoredVersion = { createdAtMs: publishedAtMs, content, images: hashes };
      const key = keys.template(owner, template.id);
      const reply = await records.write(key, toRecord(template), (fields) => {
        const flat = Object.entries(fields).flat();
        return run(
          "publish-template",
          [
            key,
            keys.templateVersion(owner, template.id, template.latestVersion),
            keys.templateNames(owner),
            keys.templates(owner),
            ...[...blobs.keys()].map((sha256) => keys.image(owner, sha256)),
          ],
          [
            template.latestVersion,
            JSON.stringify(stored),
            template.name,
            template.id,
            template.createdAtMs,
            flat.length,
            ...flat,
            ...blobs.values(),
          ],
        );
      });
      found.forget(`${owner ?? ""} ${template.id}`);
      return reply === "published";
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

function toRecord(template: Template): TemplateRecord {
  return {
    id: template.id,
    tenant_id: template.tenantId,
    name: template.name,
    type: template.type,
    description: template.description,
    providers: template.providers,
    status: template.status,
    latest_version: template.latestVersion,
    created_at: template.createdAtMs,
  };
}

function fromRecord(record: TemplateRecord): Template {
  return {
    id: record.id,
    tenantId: record.tenant_id ?? null,
    name: record.name,
    type: record.type,
    description: record.description ?? null,
    providers: record.providers as WalletKey[],
    status: record.status,
    latestVersion: record.latest_version,
    createdAtMs: record.created_at,
  };
}
