/**
 * What APNs accepts, and in which words it refuses. From «Sending notification requests to APNs» and
 * «Handling notification responses from APNs», https://developer.apple.com/documentation/usernotifications
 */
import type { IncomingHttpHeaders } from "node:http2";

export const maxPayloadBytes = 4096;

/** Who is calling: the UID of a client certificate that our authority issued. */
export type Client = { topic: string } | { topic: undefined; hasProviderToken: boolean };

export type Verdict =
  | { accepted: true; token: string; topic: string }
  | { accepted: false; status: number; reason: string };

const devicePath = "/3/device/";
const pushTypes = new Set([
  "alert",
  "background",
  "complication",
  "controls",
  "fileprovider",
  "liveactivity",
  "location",
  "mdm",
  "pushtotalk",
  "voip",
  "widgets",
]);
const uuid = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i;

/** Judges a request by its headers alone, in the order in which APNs looks at them. */
export function judgeHeaders(headers: IncomingHttpHeaders, client: Client): Verdict {
  const path = headers[":path"] ?? "";
  if (headers[":method"] !== "POST") return refuse(405, "MethodNotAllowed");
  if (!path.startsWith(devicePath)) return refuse(404, "BadPath");
  if (client.topic === undefined) {
    return refuse(403, client.hasProviderToken ? "InvalidProviderToken" : "BadCertificate");
  }
  const token = path.slice(devicePath.length);
  if (token === "") return refuse(400, "MissingDeviceToken");
  if (!/^[0-9a-f]{64,200}$/i.test(token) || token.length % 2 === 1) return refuse(400, "BadDeviceToken");

  const topic = one(headers["apns-topic"]);
  if (topic === undefined || topic === "") return refuse(400, "MissingTopic");
  if (!/^[A-Za-z0-9-]+(\.[A-Za-z0-9-]+)+$/.test(topic)) return refuse(400, "BadTopic");
  if (topic !== client.topic) return refuse(400, "DeviceTokenNotForTopic");
  return judgeOptions(headers) ?? { accepted: true, token: token.toLowerCase(), topic };
}

function judgeOptions(headers: IncomingHttpHeaders): Verdict | undefined {
  const [id, expiration, priority, collapseId, pushType] = [
    "id",
    "expiration",
    "priority",
    "collapse-id",
    "push-type",
  ].map((name) => one(headers[`apns-${name}`]));
  if (id !== undefined && !uuid.test(id)) return refuse(400, "BadMessageId");
  if (expiration !== undefined && !/^\d{1,12}$/.test(expiration)) return refuse(400, "BadExpirationDate");
  if (priority !== undefined && !["1", "5", "10"].includes(priority)) return refuse(400, "BadPriority");
  if (collapseId !== undefined && Buffer.byteLength(collapseId) > 64) return refuse(400, "BadCollapseId");
  if (pushType !== undefined && !pushTypes.has(pushType)) return refuse(400, "InvalidPushType");
  return undefined;
}

/** The payload of a pass update is an empty JSON dictionary; any JSON dictionary is let through. */
export function judgePayload(payload: Buffer): Verdict | undefined {
  if (payload.length > maxPayloadBytes) return refuse(413, "PayloadTooLarge");
  if (payload.length === 0) return refuse(400, "PayloadEmpty");
  return isJsonObject(payload) ? undefined : refuse(400, "BadPayload");
}

function isJsonObject(payload: Buffer): boolean {
  try {
    const value: unknown = JSON.parse(new TextDecoder("utf-8", { fatal: true }).decode(payload));
    return typeof value === "object" && value !== null && !Array.isArray(value);
  } catch {
    return false;
  }
}

const one = (value: string | string[] | undefined): string | undefined =>
  Array.isArray(value) ? value.join(", ") : value;

const refuse = (status: number, reason: string): Verdict => ({ accepted: false, status, reason });
