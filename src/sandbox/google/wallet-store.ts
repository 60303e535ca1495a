import type { Journal } from "../journal.ts";
import type { JsonObject } from "./proto-json.ts";
import type { ResourceType } from "./resource-shapes.ts";

export type StoredResource = {
  type: ResourceType;
  resource: JsonObject;
  /** When messages and updates of it notified its holders, within the last 24 hours. */
  notifiedAtMs: number[];
  /** Somebody has the object in their wallet. Absent: nobody ever had. */
  hasUsers?: boolean;
  insertedAt: string;
  updatedAt: string;
};

export type WalletStore = {
  /** Ids are unique among an issuer's classes of all types, and among its objects of all types. */
  find(type: ResourceType, id: string): StoredResource | undefined;
  put(stored: StoredResource): void;
  /** In the order in which they were inserted. */
  all(type?: ResourceType): StoredResource[];
};

export function createWalletStore(journal: Journal<StoredResource>): WalletStore {
  const key = (type: ResourceType, id: string) => `${type.endsWith("Class") ? "class" : "object"} ${id}`;
  return {
    find: (type, id) => journal.get(key(type, id)),
    put: (stored) => journal.set(key(stored.type, String(stored.resource.id)), stored),
    all: (type) => [...journal.values()].filter((stored) => type === undefined || stored.type === type),
  };
}
