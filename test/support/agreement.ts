import { inspect, isDeepStrictEqual } from "node:util";
import { webhookEventTypes } from "../../src/domain/events/event.ts";
import { workClasses } from "../../src/domain/jobs/work.ts";
import type { StoreParts } from "../../src/redis/store.ts";
import { keysOf } from "./store.ts";

/** What does not agree within a tenant's records, in words; nothing when all of it is of one instant. */
export async function disagreements(
  { connection, keys }: Pick<StoreParts, "connection" | "keys">,
  { tenantId, opening }: { tenantId: string; opening: number },
): Promise<string[]> {
  const found: string[] = [];
  const must = (what: string, is: unknown, wanted: unknown): void => {
    if (isDeepStrictEqual(is, wanted)) return;
    const [more, less] = [except(is, wanted), except(wanted, is)];
    found.push(`${what}: ${inspect(more)}, not ${inspect(less)}`);
  };
  const partition = keys.partitionOf(tenantId);
  const own = `${keys.ofTenant(tenantId)}:`;
  const all = (await keysOf({ connection, keys }))
    .filter((key) => key.startsWith(own))
    .map((key) => key.slice(own.length));
  const idsOf = (shape: RegExp): string[] => all.flatMap((key) => shape.exec(key)?.[1] ?? []);
  const members = (key: string): Promise<string[]> => connection.zrange(key, "0", "-1");

  const passIds = idsOf(/^pass:([^:]+)$/);
  must("the list of passes", (await members(keys.passes(tenantId))).toSorted(), passIds.toSorted());
  must(
    "external references",
    Object.values(await connection.hgetall(keys.passRefs(tenantId))).toSorted(),
    passIds.toSorted(),
  );
  let paid = 0;
  const byStatus = new Map<string, string[]>();
  for (const id of passIds) {
    const pass = await connection.hgetall(keys.pass(tenantId, id));
    if (pass.charge !== undefined) paid += 1;
    byStatus.set(pass.status ?? "", [...(byStatus.get(pass.status ?? "") ?? []), id]);
    must(
      `versions of ${id}`,
      (await connection.llen(keys.passVersions(tenantId, id))) + 1,
      Number(pass.version),
    );
    const [, , pageToken = ""] = JSON.parse([pass.fixed, pass.fixed1, pass.fixed2].join("")) as string[];
    must(`page of ${id}`, await connection.exists(keys.page(pageToken)), 1);
    must(`job of ${id}`, await connection.exists(keys.record(tenantId, "job", pass.job ?? "")), 1);
  }
  for (const key of all.filter((name) => name.startsWith("passes:status:"))) {
    const status = key.slice("passes:status:".length);
    must(key, (await members(own + key)).toSorted(), (byStatus.get(status) ?? []).toSorted());
  }

  let reserved = 0;
  for (const id of await members(keys.batches(tenantId))) {
    reserved += Number(await connection.hget(keys.batch(tenantId, id), "reserved"));
  }
  const balance = Number(await connection.hget(keys.credits(tenantId), "balance"));
  must("credits", balance + paid + reserved, opening);

  const events = await connection.hgetall(keys.events(tenantId));
  let [logged, counted, byType] = [0, 0, 0];
  for (const key of all.filter((name) => /^events:log:\d+$/.test(name)))
    logged += await connection.strlen(own + key);
  for (const key of all.filter((name) => name.startsWith("event-counts:"))) {
    for (const count of await connection.hvals(own + key)) counted += Number(count);
  }
  for (const [field, count] of Object.entries(events)) if (field.includes(".")) byType += Number(count);
  must("events of the log", logged / 69, Number(events.next));
  must("events of the days", counted, Number(events.next));
  must("events of the types", byType, Number(events.next));

  const jobIds = idsOf(/^job:([^:]+)$/);
  let listed = 0;
  for (const key of all.filter((name) => /^jobs:\d+$/.test(name)))
    listed += await connection.strlen(own + key);
  must("the number of jobs", listed / 16, jobIds.length);
  for (const webhookId of await members(keys.webhooks(tenantId))) {
    for (const id of await members(keys.deliveries(tenantId, webhookId))) {
      must(`delivery ${id}`, all.includes(`delivery:${id}`), true);
    }
  }
  for (const type of webhookEventTypes) {
    for (const id of await connection.smembers(keys.webhooksByType(tenantId, type)))
      must(`webhook ${id}`, all.includes(`webhook:${id}`), true);
  }

  const open = new Set(
    (await members(keys.openRecords(partition))).filter((record) => record.startsWith(tenantId)),
  );
  const places = await Promise.all(
    workClasses.map(async (workClass) => ({
      workClass,
      ready: new Set(await members(keys.ready(partition, workClass))),
      delayed: new Set(await members(keys.delayed(partition, workClass))),
      held: new Set(await heldOn(connection, keys.queue(partition, workClass))),
    })),
  );
  const unfinished = new Set<string>();
  const kinds = [
    ...jobIds.map((id) => `job:${id}`),
    ...idsOf(/^delivery:([^:]+)$/).map((id) => `delivery:${id}`),
  ];
  for (const name of kinds) {
    const record = await connection.hgetall(own + name);
    const lanes = (record.lanes ?? (name.startsWith("delivery") ? "send" : "")).split(" ");
    for (const lane of lanes) {
      const state = record[`${lane}:state`];
      const member = `${tenantId}:${name} ${lane}`;
      const place = places.find(({ workClass }) => workClass === (record.class ?? "webhooks"));
      if (state === "queued") must(`${member} waits`, place?.ready.has(member), true);
      if (state === "retrying") must(`${member} is put off`, place?.delayed.has(member), true);
      if (state === "running") must(`${member} is held`, place?.held.has(member), true);
      if (["queued", "retrying", "running", "parked"].includes(state ?? ""))
        unfinished.add(`${tenantId}:${name}`);
      const letter = record[`${lane}:dead`];
      if (letter === undefined) continue;
      const [entry] = await connection.xrange(keys.deadLetters(partition), letter, letter);
      must(`dead letter of ${member}`, entry?.[1].slice(0, 4), ["r", `${tenantId}:${name}`, "l", lane]);
    }
  }
  must("what is open", [...open].toSorted(), [...unfinished].toSorted());
  return found;
}

async function heldOn(connection: StoreParts["connection"], stream: string): Promise<string[]> {
  return (await connection.xrange(stream, "-", "+")).map(([, [, record, , lane]]) => `${record} ${lane}`);
}

/** Of two lists, what only the first has; anything else as it is. */
function except(some: unknown, others: unknown): unknown {
  if (!Array.isArray(some) || !Array.isArray(others)) return some;
  const known = new Set(others);
  return some.filter((one) => !known.has(one));
}
