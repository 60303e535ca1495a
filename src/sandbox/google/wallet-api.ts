import { type Answer, json, type Received, type Refused } from "../exchange.ts";
import type { Faults } from "../faults.ts";
import type { Journal } from "../journal.ts";
import { underFaults } from "../scripted.ts";
import type { AccessTokens } from "./access-token.ts";
import { apiError, noSuchMethod } from "./api-error.ts";
import { authenticate, createRateLimit } from "./caller.ts";
import { answerIssuer, issuerTarget } from "./issuer-verbs.ts";
import type { Issuers } from "./issuers.ts";
import { createMagic } from "./magic.ts";
import { createReader, isObject } from "./proto-json.ts";
import { type ResourceType, resourceTypes } from "./resource-shapes.ts";
import { scriptedRefusal } from "./scripted.ts";
import type { ServiceAccount } from "./service-accounts.ts";
import type { WalletStore } from "./wallet-store.ts";
import {
  addMessage,
  type Call,
  getResource,
  insertResource,
  listResources,
  patchResource,
  updateResource,
} from "./wallet-verbs.ts";

export const walletPath = "/walletobjects/v1/";

export type WalletParts = {
  store: WalletStore;
  issuers: Issuers;
  accounts: Journal<ServiceAccount>;
  tokens: AccessTokens;
  faults: Faults;
  nowMs: () => number;
  /** Per service account; not limited when undefined. */
  requestsPerSecond: number | undefined;
  /** Of the magic word «slow». */
  slowMs: number;
  closing: AbortSignal;
};

type Target = { type: ResourceType; id: string | undefined; action: string | undefined };

/** Answers every path under `/walletobjects/v1/`: scripted faults first, then those that a pass asks for, then the API. */
export function createWalletApi(parts: WalletParts): (request: Received) => Promise<Answer> {
  const reader = createReader();
  const limit = createRateLimit(parts.requestsPerSecond, parts.nowMs);
  const magic = createMagic(parts);

  /** Who calls, if they may call at all, and now. */
  function caller(request: Received): ServiceAccount {
    const account = authenticate(request, parts.accounts, parts.tokens);
    limit(account.clientEmail);
    return account;
  }

  function answer(request: Received, target: Target | undefined): Answer {
    const issuer = issuerTarget(request);
    if (issuer !== undefined) return json(200, answerIssuer(parts.issuers, caller(request), issuer));
    if (target === undefined) throw noSuchMethod(request.path);
    const account = caller(request);
    const { store, nowMs } = parts;
    return json(200, perform({ store, reader, account, nowMs: nowMs(), type: target.type }, request, target));
  }

  return (request) => {
    const target = targetOf(request.path);
    const take = (resource: string) => parts.faults.take(resource) ?? magic.take(resource, request.body);
    const faults = { ...parts, faults: { take }, refusal: scriptedRefusal };
    return underFaults(faults, faultKey(request, target), () => answer(request, target));
  };
}

function perform(call: Call, request: Received, { id, action }: Target): unknown {
  switch (
    `${request.method === "HEAD" ? "GET" : request.method} ${id === undefined ? "all" : (action ?? "one")}`
  ) {
    case "GET all":
      return listResources(call, request.query);
    case "POST all":
      return insertResource(call, jsonBody(request));
    case "GET one":
      return getResource(call, id ?? "");
    case "PUT one":
      return updateResource(call, id ?? "", jsonBody(request));
    case "PATCH one":
      return patchResource(call, id ?? "", jsonBody(request));
    case "POST addMessage":
      return addMessage(call, id ?? "", jsonBody(request));
    default:
      // There is no DELETE: classes and objects are for ever, and expire instead.
      throw noSuchMethod(request.path);
  }
}

function targetOf(path: string): Target | undefined {
  const [, type, encodedId, action] =
    /^\/walletobjects\/v1\/(\w+)(?:\/([^/]+)(?:\/(\w+))?)?$/.exec(path) ?? [];
  const known = resourceTypes.find((name) => name === type);
  if (known === undefined) return undefined;
  return { type: known, id: encodedId === undefined ? undefined : decode(encodedId), action };
}

function decode(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}

/** What a fault's `resource_prefix` is compared with: `type/id`, for an insert the id that the body names. */
function faultKey(request: Received, target: Target | undefined): string {
  if (target === undefined) return request.path.slice(walletPath.length);
  if (target.id !== undefined) return `${target.type}/${target.id}`;
  const body = parse(request.body);
  return isObject(body) && typeof body.id === "string" ? `${target.type}/${body.id}` : target.type;
}

function jsonBody(request: Received): unknown {
  const type = request.headers["content-type"] ?? "";
  if (!/^application\/json\b/i.test(type)) {
    throw badPayload(`Invalid content type: ${type || "none"}.`);
  }
  const value = parse(request.body);
  if (value === undefined) throw badPayload("Invalid JSON payload received. Parsing failed.");
  if (!isObject(value)) throw badPayload("Invalid JSON payload received. Root element must be a message.");
  return value;
}

function parse(body: Buffer): unknown {
  try {
    return JSON.parse(new TextDecoder("utf-8", { fatal: true }).decode(body));
  } catch {
    return undefined;
  }
}

function badPayload(message: string): Refused {
  return apiError(400, message, { domain: "global", reason: "parseError" });
}
