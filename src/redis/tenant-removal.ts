import type { DropTask } from "../domain/tenants/gone-work.ts";
import type { TenantRemoval } from "../domain/tenants/remove.ts";
import { asUnavailable } from "./connection.ts";
import { packId } from "./packed-ids.ts";
import type { StoreParts } from "./store.ts";
import { consumerGroup } from "./task-names.ts";

/**
 * Removes a tenant's records by looking at every key of its partition: a deletion is rare, and must not rely on indexes
 * that an earlier, interrupted one has half removed. Keys that bear the tenant's id go as a whole; from keys that
 * tenants share (queues, retries, dead letters, pages, applications, whatever comes to live there) goes what names it.
 * `stepSize` is how many keys, members or entries one command looks at.
 */
export function createTenantRemoval(
  { connection, keys, run }: StoreParts,
  { stepSize } = { stepSize: 1000 },
): TenantRemoval {
  return {
    async sweep(tenantId, cursor) {
      const partition = keys.partitionOf(tenantId);
      const home = keys.partition(partition);
      const own = `${home}:${tenantId}:`;
      // These two go last, by `forget`: they say that there is something to delete.
      const last = [keys.tenant(tenantId), keys.tenants(partition)];
      try {
        const [nodeIndex = 0, position = "0"] = cursor === null ? [] : splitCursor(cursor);
        const nodes = "nodes" in connection ? connection.nodes("master") : [connection];
        const node = nodes[nodeIndex];
        if (node === undefined) return { cursor: null, removed: 0 };
        const [next, found] = await node.scan(position, "MATCH", `${home}:*`, "COUNT", stepSize);
        const candidates = found.filter((key) => !last.includes(key));
        const whole = candidates.filter((key) => key.startsWith(own));
        const shared = candidates.filter((key) => !isOfSomeTenant(key.slice(home.length + 1)));
        const counts = await Promise.all([
          whole.length > 0 ? connection.unlink(...whole) : 0,
          ...shared.map((key) => forgetWithin(key, tenantId)),
        ]);
        const following = next === "0" ? [nodeIndex + 1, "0"] : [nodeIndex, next];
        return {
          cursor: next === "0" && nodeIndex + 1 >= nodes.length ? null : following.join(" "),
          removed: counts.reduce((sum, count) => sum + count, 0),
        };
      } catch (error) {
        throw asUnavailable(error);
      }
    },
    async forget(tenantId) {
      const partition = keys.partitionOf(tenantId);
      await run("forget-tenant", [keys.tenant(tenantId), keys.tenants(partition)], [tenantId]);
    },
  };

  /** Removes what names the tenant from a key of all tenants of the partition. */
  async function forgetWithin(key: string, tenantId: string): Promise<number> {
    switch (await connection.type(key)) {
      case "string":
        return (await connection.get(key))?.startsWith(packId(tenantId)) ? connection.unlink(key) : 0;
      case "hash": {
        const fields = await connection.hgetall(key);
        if (fields.tenant_id === tenantId || fields.tenant === tenantId) return connection.unlink(key);
        const naming = Object.entries(fields).filter((field) =>
          field.some((text) => text.includes(tenantId)),
        );
        return naming.length === 0 ? 0 : connection.hdel(key, ...naming.map(([name]) => name));
      }
      case "zset":
        return forgetMembers(key, tenantId, "zscan");
      case "set":
        return forgetMembers(key, tenantId, "sscan");
      case "stream":
        return forgetEntries(key, tenantId);
      default:
        return 0;
    }
  }

  async function forgetMembers(key: string, tenantId: string, scan: "zscan" | "sscan"): Promise<number> {
    let removed = 0;
    let cursor = "0";
    do {
      const [next, found] = await connection[scan](key, cursor, "MATCH", `*${tenantId}*`, "COUNT", stepSize);
      const members = scan === "zscan" ? found.filter((_, index) => index % 2 === 0) : found;
      if (members.length > 0)
        removed += await connection[scan === "zscan" ? "zrem" : "srem"](key, ...members);
      cursor = next;
    } while (cursor !== "0");
    return removed;
  }

  async function forgetEntries(key: string, tenantId: string): Promise<number> {
    let removed = 0;
    let from = "-";
    do {
      const reply = await run("forget-entries", [key], [tenantId, consumerGroup, from, stepSize]);
      const [next, count] = reply as [string, number];
      removed += count;
      from = next;
    } while (from !== "");
    return removed;
  }
}

/** The worker's way to forget a task whose tenant is gone. */
export function createDropTask({ keys, run }: StoreParts): DropTask {
  return async (task) => {
    const reply = await run(
      "drop-task",
      [keys.queue(task.partition, task.workClass), keys.record(task.tenantId, task.kind, task.id)],
      [consumerGroup, task.lease, task.lane],
    );
    return reply === "dropped";
  };
}

/** Whether a key, without its partition, begins with the id of a tenant. */
function isOfSomeTenant(name: string): boolean {
  return /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}:/.test(name);
}

/** The node in the order of the cluster's masters, and the position of its scan. */
function splitCursor(cursor: string): [number, string] {
  const [node = "0", position = "0"] = cursor.split(" ");
  return [Number(node), position];
}
