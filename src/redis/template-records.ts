import type { AuthoredTemplate } from "../domain/templates/authoring.ts";
import type { Template, TemplateVersion, WalletKey } from "../domain/templates/template.ts";
import type { Connection } from "./connection.ts";
import type { Keys } from "./keys.ts";
import { createRecords, type Records } from "./records.ts";

export type TemplateRecord = {
  id: string;
  tenant_id: string | null;
  name: string;
  type: Template["type"];
  description: string | null;
  providers: string[];
  status: Template["status"];
  latest_version: number;
  created_at: number;
  /** Absent while no draft waits. */
  draft_at: number | null;
};

/** A version as it is stored: images by the SHA-256 of their bytes, which are stored once. */
export type StoredVersion = Pick<TemplateVersion, "createdAtMs" | "content"> & {
  images: Record<string, string>;
};

/** A version that waits, with what it will change of the template itself. */
export type StoredDraft = StoredVersion & Pick<Template, "description" | "providers">;

export function templateRecords(connection: Connection, keys: Keys): Records<TemplateRecord> {
  return createRecords<TemplateRecord>(
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
      draft_at: { type: "number" },
    },
    "id",
  );
}

export function toRecord(template: Template, draftedAtMs: number | null): TemplateRecord {
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
    draft_at: draftedAtMs,
  };
}

export function fromRecord(record: TemplateRecord): Template {
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

export function authoredFrom(record: TemplateRecord): AuthoredTemplate {
  return { ...fromRecord(record), draftedAtMs: record.draft_at ?? null };
}
