import { createHash } from "node:crypto";
import type {
  Caller,
  DeviceStore,
  Latecomer,
  Registration,
  RegistrationFacts,
  Told,
} from "../domain/devices/device.ts";
import { asUnavailable } from "./connection.ts";
import { packEvent } from "./events.ts";
import type { StoreParts } from "./store.ts";

/** Devices that are read in one step. */
const pageSize = 500;

/** A device fetches what it was told of within moments. */
const callerSeconds = 600;

/** Between the download of a pass and the registration for it, a phone may leave so much time. */
const latelyMs = 600_000;
/** Latecomers of a partition that are taken in one step, how soon one that could not be told comes again, and for how long. */
const latecomersPerStep = 200;
const latecomerLeaseMs = 30_000;
const latecomerTriedMs = 600_000;

export function createDeviceStore({ connection, keys, run }: StoreParts): DeviceStore {
  async function readFields(
    { tenantId, passId }: { tenantId: string; passId: string },
    deviceIds: readonly string[],
  ): Promise<[deviceId: string, fields: (string | null)[]][]> {
    if (deviceIds.length === 0) return [];
    const names = [passId, "token", `${passId}:pushed`, `${passId}:listed`, `${passId}:fetched`];
    const pipeline = connection.pipeline();
    for (const id of deviceIds) pipeline.hmget(keys.device(tenantId, id), ...names);
    const replies = (await pipeline.exec()) ?? [];
    return replies.map(([error, fields], index) => {
      if (error !== null) throw error;
      return [deviceIds[index] ?? "", fields as (string | null)[]];
    });
  }

  return {
    async register({ tenantId, passId, deviceId, pushToken, templateId, eventId }, nowMs) {
      const type = "pass.installed";
      const reply = await run(
        "register-device",
        [
          keys.pass(tenantId, passId),
          keys.passDevices(tenantId, passId),
          keys.device(tenantId, deviceId),
          ...keys.recordedEvents(tenantId, type, nowMs),
          keys.latecomers(keys.partitionOf(tenantId)),
        ],
        [
          ...[nowMs, deviceId, passId, pushToken, packEvent({ id: eventId, type, passId, templateId })],
          ...[`${tenantId} ${passId} ${deviceId}`, latelyMs],
        ],
      );
      return reply as "registered" | "known" | "gone";
    },

    async unregister({ tenantId, passId, deviceId, templateId, eventId }, nowMs) {
      const type = "pass.uninstalled";
      const reply = await run(
        "unregister-device",
        [
          keys.passDevices(tenantId, passId),
          keys.device(tenantId, deviceId),
          keys.pass(tenantId, passId),
          ...keys.recordedEvents(tenantId, type, nowMs),
        ],
        [nowMs, deviceId, passId, packEvent({ id: eventId, type, passId, templateId })],
      );
      return reply === "unregistered";
    },

    async changedSince({ tenantId, deviceId, since, caller }, nowMs) {
      const [tag = "0", ...passIds] = (await run(
        "list-device-passes",
        [keys.device(tenantId, deviceId), keys.pass(tenantId, ""), `${keys.ofTenant(tenantId)}:listed:`],
        [nowMs, deviceId, since ?? "", nameOf(caller), callerSeconds],
      )) as string[];
      return { passIds, tag: Number(tag) };
    },

    async fetched({ tenantId, passId, caller }, nowMs) {
      await run(
        "note-fetch",
        [keys.listedTo(tenantId, nameOf(caller), passId), keys.device(tenantId, "")],
        [nowMs, passId],
      );
    },

    async page(pass, cursor) {
      try {
        const devices = keys.passDevices(pass.tenantId, pass.passId);
        const [next, ids] = await connection.sscan(devices, cursor ?? "0", "COUNT", pageSize);
        const found = await readFields(pass, ids);
        const registrations = found.flatMap(([deviceId, [registeredAt, token, pushed]]): Registration[] =>
          registeredAt == null || token == null
            ? []
            : [{ deviceId, pushToken: token, toldOf: Number(pushed?.split(" ")[0] ?? 0) }],
        );
        return { registrations, cursor: next === "0" ? null : next };
      } catch (error) {
        throw asUnavailable(error);
      }
    },

    async told({ tenantId, passId, change }, told, nowMs) {
      await run(
        "note-pushes",
        [keys.passDevices(tenantId, passId), keys.device(tenantId, "")],
        [nowMs, passId, change, ...told.flatMap(pushArguments)],
      );
    },

    async takeLatecomers(nowMs) {
      const taken = await Promise.all(
        keys.allPartitions.map((partition) =>
          run(
            "take-latecomers",
            [keys.latecomers(partition)],
            [nowMs, latecomersPerStep, latecomerLeaseMs, latecomerTriedMs, keys.partition(partition)],
          ),
        ),
      );
      const replies = taken as [number, ...string[]][];
      return {
        latecomers: replies.flatMap(([, ...parts]) => latecomersIn(parts)),
        hasMore: replies.some(([looked]) => looked === latecomersPerStep),
      };
    },

    async facts(pass, most) {
      try {
        const devices = keys.passDevices(pass.tenantId, pass.passId);
        const total = await connection.scard(devices);
        const ids = await connection.srandmember(devices, most);
        const found = await readFields(pass, ids);
        const facts = found.flatMap(([deviceId, fields]) => factsOf(deviceId, fields) ?? []);
        return { devices: facts.sort((a, b) => b.registeredAtMs - a.registeredAtMs), total };
      } catch (error) {
        throw asUnavailable(error);
      }
    },
  };
}

/** Whoever asks, for some minutes, without an address being kept. */
function nameOf({ address, userAgent }: Caller): string {
  return createHash("sha256").update(`${address} ${userAgent}`).digest("base64url").slice(0, 22);
}

function pushArguments({ deviceId, pushToken, answer }: Told): (string | number)[] {
  const detail =
    answer.outcome === "gone" ? answer.sinceMs : answer.outcome === "refused" ? answer.reason : "";
  return [deviceId, pushToken, answer.outcome, detail];
}

function latecomersIn(parts: readonly string[]): Latecomer[] {
  const found: Latecomer[] = [];
  for (let at = 0; at < parts.length; at += 5) {
    const [tenantId = "", passId = "", deviceId = "", pushToken = "", change] = parts.slice(at, at + 5);
    found.push({ tenantId, passId, deviceId, pushToken, change: Number(change) });
  }
  return found;
}

function factsOf(deviceId: string, fields: readonly (string | null)[]): RegistrationFacts | null {
  const [registeredAt, , pushed, listed, fetched] = fields;
  if (registeredAt == null) return null;
  const [, pushedAt, ...refusal] = pushed?.split(" ") ?? [];
  const instant = (text: string | null | undefined): number | null => (text == null ? null : Number(text));
  return {
    deviceId,
    registeredAtMs: Number(registeredAt),
    pushedAtMs: instant(pushedAt),
    refusal: refusal.length > 0 ? refusal.join(" ") : null,
    listedAtMs: instant(listed),
    fetchedAtMs: instant(fetched),
  };
}
