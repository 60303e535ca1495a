import { createHash } from "node:crypto";
import { fewAtATime } from "../domain/few-at-a-time.ts";
import type { TemplateAuthoring } from "../domain/templates/authoring.ts";
import type { Template } from "../domain/templates/template.ts";
import { asUnavailable } from "./connection.ts";
import { newestFirst } from "./pages.ts";
import type { StoreParts } from "./store.ts";
import {
  authoredFrom,
  type StoredDraft,
  type StoredVersion,
  templateRecords,
  toRecord,
} from "./template-records.ts";

/**
 * By then every process knows that there is this version, and no request is on its way that was made by one that did not:
 * the wallets are told once more, since such a request may have come after what they were told at first.
 */
const onceMoreMs = 60_000;

/** `changed` is told of every template that may have changed, before its change is answered. */
export function createTemplateAuthoring(
  { connection, keys, run }: StoreParts,
  changed: (owner: string | null, templateId: string) => void,
): TemplateAuthoring {
  const records = templateRecords(connection, keys);
  const findOwn: TemplateAuthoring["findOwn"] = async (owner, templateId) => {
    const record = await records.read(keys.template(owner, templateId));
    return record && authoredFrom(record);
  };

  /** `waiting` is the draft that it was made from, or «» for an import, which drops whatever draft there is. */
  async function writeVersion(
    template: Template,
    version: StoredVersion,
    { blobs, waiting }: { blobs: ReadonlyMap<string, Uint8Array>; waiting: string },
  ): Promise<boolean> {
    const { id, tenantId: owner } = template;
    const key = keys.template(owner, id);
    const reply = await records.write(key, toRecord(template, null), (fields) => {
      const flat = Object.entries(fields).flat();
      return run(
        "publish-template",
        [
          key,
          keys.templateVersion(owner, id, template.latestVersion),
          keys.templateDraft(owner, id),
          keys.templateNames(owner),
          keys.templates(owner),
          // Of a system template nobody knows which tenants use it: theirs are made when they do.
          owner === null ? keys.templates(owner) : keys.published(keys.partitionOf(owner)),
          ...imageKeys(owner, blobs),
        ],
        [
          template.latestVersion,
          JSON.stringify(version),
          waiting,
          template.name,
          id,
          template.createdAtMs,
          owner === null ? "" : `${owner} ${id} ${template.latestVersion}`,
          version.createdAtMs,
          version.createdAtMs + onceMoreMs,
          flat.length,
          ...flat,
          ...blobs.values(),
        ],
      );
    });
    changed(owner, id);
    return reply === "published";
  }

  const imageKeys = (owner: string | null, blobs: ReadonlyMap<string, Uint8Array>): string[] =>
    [...blobs.keys()].map((sha256) => keys.image(owner, sha256));

  return {
    findOwn,
    async findByName(owner, name) {
      try {
        const id = await connection.hget(keys.templateNames(owner), name);
        return id === null ? null : await findOwn(owner, id);
      } catch (error) {
        throw asUnavailable(error);
      }
    },
    async listOwn(owner, page) {
      const { items, total } = await newestFirst(connection, keys.templates(owner), page);
      const found = await fewAtATime(items, (id) => findOwn(owner, id));
      return { items: found.filter((template) => template !== null), total };
    },
    async draftOf(template) {
      try {
        const stored = await connection.get(keys.templateDraft(template.tenantId, template.id));
        if (stored === null) return null;
        const { description, providers, content, createdAtMs } = JSON.parse(stored) as StoredDraft;
        return { description, providers, content, draftedAtMs: createdAtMs, stored };
      } catch (error) {
        throw asUnavailable(error);
      }
    },
    async publish({ template, content, images, publishedAtMs }) {
      const { names, blobs } = hashed(images);
      const version = { createdAtMs: publishedAtMs, content, images: names };
      return writeVersion(template, version, { blobs, waiting: "" });
    },
    async publishDraft({ template, draft, publishedAtMs }) {
      const { content, images } = JSON.parse(draft.stored) as StoredDraft;
      const version = { createdAtMs: publishedAtMs, content, images };
      return writeVersion(template, version, { blobs: new Map(), waiting: draft.stored });
    },
    async keepDraft({ template, content, images, draftedAtMs }) {
      const { id, tenantId: owner, description, providers } = template;
      const { names, blobs } = hashed(images);
      const draft: StoredDraft = { createdAtMs: draftedAtMs, content, images: names, description, providers };
      const key = keys.template(owner, id);
      const reply = await records.write(key, toRecord(template, draftedAtMs), (fields) => {
        const flat = Object.entries(fields).flat();
        return run(
          "keep-template-draft",
          [
            key,
            keys.templateDraft(owner, id),
            keys.templateNames(owner),
            keys.templates(owner),
            ...imageKeys(owner, blobs),
          ],
          [
            template.latestVersion,
            JSON.stringify(draft),
            template.name,
            id,
            template.createdAtMs,
            draftedAtMs,
            flat.length,
            ...flat,
            ...blobs.values(),
          ],
        );
      });
      return reply === "kept";
    },
    async setStatus(owner, templateId, status) {
      const reply = await run("set-template-status", [keys.template(owner, templateId)], [status]);
      changed(owner, templateId);
      return reply as "changed" | "same" | "gone";
    },
  };
}

/** Files by name to the SHA-256 (hex) of their bytes, and the bytes by it. */
function hashed(images: ReadonlyMap<string, Uint8Array>) {
  const names: Record<string, string> = {};
  const blobs = new Map<string, Uint8Array>();
  for (const [name, bytes] of images) {
    const sha256 = createHash("sha256").update(bytes).digest("hex");
    names[name] = sha256;
    blobs.set(sha256, bytes);
  }
  return { names, blobs };
}
