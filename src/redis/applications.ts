import type { Application, ApplicationStore, StoredSecret } from "../domain/applications/application.ts";
import { fewAtATime } from "../domain/few-at-a-time.ts";
import { newestFirst } from "./pages.ts";
import { createRecords, together } from "./records.ts";
import type { StoreParts } from "./store.ts";

type ApplicationRecord = {
  id: string;
  tenant_id: string;
  name: string;
  type: Application["type"];
  status: Application["status"];
  /** JSON of StoredSecret[]: hashes only. */
  secrets: string;
  created_at: number;
};

export function createApplicationStore({ connection, keys, run }: StoreParts): ApplicationStore {
  const records = createRecords<ApplicationRecord>(
    connection,
    keys.prefix,
    {
      id: { type: "string" },
      tenant_id: { type: "string" },
      name: { type: "string" },
      type: { type: "string" },
      status: { type: "string" },
      secrets: { type: "string" },
      created_at: { type: "number" },
    },
    "id",
  );

  const find = async (id: string): Promise<Application | null> => {
    const record = await records.read(keys.application(id));
    return (
      record && {
        id: record.id,
        tenantId: record.tenant_id,
        name: record.name,
        type: record.type,
        status: record.status,
        secrets: JSON.parse(record.secrets) as StoredSecret[],
        createdAtMs: record.created_at,
      }
    );
  };

  return {
    find,
    async create(application) {
      const record: ApplicationRecord = {
        id: application.id,
        tenant_id: application.tenantId,
        name: application.name,
        type: application.type,
        status: application.status,
        secrets: JSON.stringify(application.secrets),
        created_at: application.createdAtMs,
      };
      const key = keys.application(application.id);
      await records.write(key, record, (fields) =>
        together(connection, [
          ["hset", key, ...Object.entries(fields).flat()],
          ["zadd", keys.applications(application.tenantId), application.createdAtMs, application.id],
        ]),
      );
    },
    async setStatus({ tenantId, id }, status) {
      const reply = await run("set-application-status", [keys.application(id)], [tenantId, status]);
      return reply as "changed" | "same" | "gone";
    },
    async replaceSecrets({ tenantId, id, secrets }, replacement) {
      const args = [tenantId, JSON.stringify(secrets), JSON.stringify(replacement)];
      const reply = await run("replace-secrets", [keys.application(id)], args);
      return reply as "replaced" | "outdated" | "gone";
    },
    async list(tenantId, page) {
      const { items, total } = await newestFirst(connection, keys.applications(tenantId), page);
      const applications = await fewAtATime(items, find);
      return { items: applications.filter((application) => application !== null), total };
    },
  };
}
