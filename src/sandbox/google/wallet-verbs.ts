/** What the Wallet API does with classes and objects: get, list, insert, update, patch, addMessage. */
import { isDeepStrictEqual } from "node:util";
import { apiError, invalid } from "./api-error.ts";
import { authorize, authorizeIssuer } from "./caller.ts";
import type { JsonObject, Reader } from "./proto-json.ts";
import { checkResource, mergePatch, readResource } from "./resource-rules.ts";
import type { ResourceType } from "./resource-shapes.ts";
import type { ServiceAccount } from "./service-accounts.ts";
import type { StoredResource, WalletStore } from "./wallet-store.ts";

export type Call = {
  store: WalletStore;
  reader: Reader;
  account: ServiceAccount;
  nowMs: number;
  type: ResourceType;
};

const day = 86_400_000;
/** https://developers.google.com/wallet/generic/use-cases/trigger-push-notifications */
const notificationsPerDay = 3;

export function getResource(call: Call, id: string): JsonObject {
  return present(call, existing(call, id));
}

export function listResources(call: Call, query: URLSearchParams): JsonObject {
  const matching = call.type.endsWith("Class") ? classesOfIssuer(call, query) : objectsOfClass(call, query);
  const most = query.get("maxResults");
  if (most !== null && !/^[1-9]\d{0,5}$/.test(most)) throw invalid("maxResults must be a positive number.");
  const after = query.get("token");
  const start = after === null ? 0 : matching.findIndex(({ resource }) => pageToken(resource) === after) + 1;
  if (after !== null && start === 0) throw invalid("Invalid page token.");
  const page = matching.slice(start, most === null ? undefined : start + Number(most));
  const last = page.at(-1);
  const isMore = last !== undefined && last !== matching.at(-1);
  return {
    ...(page.length > 0 && { resources: page.map((stored) => present(call, stored)) }),
    pagination: {
      resultsPerPage: page.length,
      ...(isMore && { nextPageToken: pageToken(last.resource) }),
    },
  };
}

export function insertResource(call: Call, body: unknown): JsonObject {
  const { notifyPreference: _ephemeral, ...resource } = readResource(call.reader, call.type, body);
  authorize(call.account, resource.id);
  const complete = withDefaults(call.type, resource);
  checkAll(call, complete, undefined);
  if (call.store.find(call.type, resource.id) !== undefined) {
    throw apiError(409, `${noun(call.type)} ${resource.id} already exists.`, {
      domain: "walletobjects",
      reason: "existingResource",
    });
  }
  return save(call, complete, { notifiedAtMs: [], insertedAt: new Date(call.nowMs).toISOString() });
}

/** PUT: the resource becomes what the body says, and nothing else. */
export function updateResource(call: Call, id: string, body: unknown): JsonObject {
  const before = existing(call, id);
  const resource = readResource(call.reader, call.type, body);
  return change(call, before, { id, ...resource });
}

/** PATCH: the body's members replace those that the resource has. */
export function patchResource(call: Call, id: string, body: unknown): JsonObject {
  const before = existing(call, id);
  const patch = readResource(call.reader, call.type, body, { keepNulls: true });
  return change(call, before, mergePatch(before.resource, patch));
}

export function addMessage(call: Call, id: string, body: unknown): JsonObject {
  const before = existing(call, id);
  const { message } = readResource(call.reader, "AddMessageRequest", body);
  if (message === undefined) throw invalid("Request contains an invalid argument. message must be set.");
  const added = { messageType: "TEXT", ...(message as JsonObject) };
  const messages = Array.isArray(before.resource.messages) ? before.resource.messages : [];
  const resource = { ...before.resource, messages: [...messages, added] };
  checkResource(call.reader, call.type, resource);
  const notifiedAtMs =
    added.messageType === "TEXT_AND_NOTIFY" ? countNotification(call, before) : before.notifiedAtMs;
  return { resource: save(call, resource, { ...before, notifiedAtMs }) };
}

function change(call: Call, before: StoredResource, after: JsonObject): JsonObject {
  const { notifyPreference, ...resource } = after;
  if (resource.id !== before.resource.id) {
    throw invalid(`Invalid resource ID: ${String(resource.id)} is not the resource of this request`);
  }
  const complete = withDefaults(call.type, resource);
  checkAll(call, complete, before.resource);
  const stored = approved(complete);
  const notifies = notifyPreference === "NOTIFY_ON_UPDATE" && !isDeepStrictEqual(stored, before.resource);
  const notifiedAtMs = notifies ? countNotification(call, before) : before.notifiedAtMs;
  return save(call, complete, { ...before, notifiedAtMs });
}

function checkAll(call: Call, resource: JsonObject, before: JsonObject | undefined): void {
  checkResource(call.reader, call.type, resource);
  if (call.type.endsWith("Object")) checkClassOf(call, resource);
  else if (call.type !== "genericClass") checkReviewStatus(resource, before);
}

/** An issuer may say DRAFT or UNDER_REVIEW, in every update anew, and never go back to DRAFT. */
function checkReviewStatus({ reviewStatus }: JsonObject, before: JsonObject | undefined): void {
  if (reviewStatus !== "UNDER_REVIEW" && reviewStatus !== "DRAFT") {
    throw invalid(`Invalid review status Optional[${String(reviewStatus)}].`);
  }
  if (reviewStatus === "DRAFT" && before !== undefined && before.reviewStatus !== "DRAFT") {
    throw invalid("Invalid review status Optional[DRAFT]: the class has left it.");
  }
}

function checkClassOf(call: Call, { classId }: JsonObject): void {
  authorize(call.account, classId);
  const type = classType(call.type);
  const found = call.store.find(type, classId);
  if (found === undefined) throw notFound(type, classId);
  if (found.type !== type) throw invalid(`Class ${classId} is a ${found.type}, not a ${type}.`);
  if (type !== "genericClass" && found.resource.reviewStatus !== "APPROVED") {
    throw invalid(`Class ${classId} is not approved.`);
  }
}

function existing(call: Call, id: string): StoredResource {
  authorize(call.account, id);
  const stored = call.store.find(call.type, id);
  if (stored?.type !== call.type) throw notFound(call.type, id);
  return stored;
}

function classesOfIssuer(call: Call, query: URLSearchParams): StoredResource[] {
  const issuerId = query.get("issuerId") ?? "";
  if (!/^\d+$/.test(issuerId)) throw invalid(`Invalid issuer ID: ${issuerId}`);
  authorizeIssuer(call.account, issuerId);
  return call.store.all(call.type).filter(({ resource }) => String(resource.id).startsWith(`${issuerId}.`));
}

function objectsOfClass(call: Call, query: URLSearchParams): StoredResource[] {
  const classId = query.get("classId") ?? "";
  existing({ ...call, type: classType(call.type) }, classId);
  return call.store.all(call.type).filter(({ resource }) => resource.classId === classId);
}

function countNotification(call: Call, { notifiedAtMs }: StoredResource): number[] {
  const recent = notifiedAtMs.filter((at) => at > call.nowMs - day);
  if (recent.length >= notificationsPerDay) {
    throw apiError(429, `QuotaExceededException: at most ${notificationsPerDay} notifications in 24 hours.`, {
      domain: "walletobjects",
      reason: "quotaExceeded",
    });
  }
  return [...recent, call.nowMs];
}

function save(
  call: Call,
  resource: JsonObject,
  history: Pick<StoredResource, "notifiedAtMs" | "insertedAt" | "hasUsers">,
): JsonObject {
  const stored: StoredResource = {
    type: call.type,
    resource: approved(resource),
    notifiedAtMs: history.notifiedAtMs,
    hasUsers: history.hasUsers ?? false,
    insertedAt: history.insertedAt,
    updatedAt: new Date(call.nowMs).toISOString(),
  };
  call.store.put(stored);
  return present(call, stored);
}

/** What is under review is approved at once. */
function approved(resource: JsonObject): JsonObject {
  return resource.reviewStatus === "UNDER_REVIEW" ? { ...resource, reviewStatus: "APPROVED" } : resource;
}

function withDefaults(type: ResourceType, resource: JsonObject): JsonObject {
  const isActive =
    type === "genericObject" && (resource.state ?? "STATE_UNSPECIFIED") === "STATE_UNSPECIFIED";
  return isActive ? { ...resource, state: "ACTIVE" } : resource;
}

/** Objects of the older types carry a copy of their class. */
function present(call: Call, { type, resource, hasUsers = false }: StoredResource): JsonObject {
  if (type.endsWith("Class")) return resource;
  const parent = call.store.find(classType(type), String(resource.classId));
  const reference = type !== "genericObject" && parent && { classReference: parent.resource };
  return { ...resource, ...reference, hasUsers };
}

const classType = (type: ResourceType) => type.replace(/Object$/, "Class") as ResourceType;

const pageToken = (resource: JsonObject): string => Buffer.from(String(resource.id)).toString("base64url");

const noun = (type: ResourceType) => (type.endsWith("Class") ? "Wallet Object Class" : "Wallet Object");

function notFound(type: ResourceType, id: string) {
  const reason = type.endsWith("Class") ? "classNotFound" : "resourceNotFound";
  return apiError(404, `${noun(type)} ${id} not found.`, { domain: "walletobjects", reason });
}
