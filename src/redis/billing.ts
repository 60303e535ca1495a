import type { CatalogStore } from "../domain/billing/catalog.ts";
import { createRecords, together } from "./records.ts";
import type { StoreParts } from "./store.ts";

/** A list is one record: it is replaced in one step, and nobody ever sees half of a new one. */
type ListRecord = { entries: string };

export function createCatalogStore({ connection, keys }: StoreParts): CatalogStore {
  const records = createRecords<ListRecord>(
    connection,
    keys.prefix,
    { entries: { type: "string" } },
    "entries",
  );
  const read = async <Entry>(key: string): Promise<Entry[]> => {
    const record = await records.read(key);
    return record === null ? [] : (JSON.parse(record.entries) as Entry[]);
  };
  const replace = (key: string, entries: readonly unknown[]): Promise<void> =>
    records.write(key, { entries: JSON.stringify(entries) }, (fields) =>
      together(connection, [["hset", key, ...Object.entries(fields).flat()]]),
    );
  return {
    packages: () => read(keys.packages),
    plans: () => read(keys.plans),
    setPackages: (packages) => replace(keys.packages, packages),
    setPlans: (plans) => replace(keys.plans, plans),
  };
}
