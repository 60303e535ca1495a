import { authorizedPass } from "../../domain/devices/authorized-pass.ts";
import type { Caller } from "../../domain/devices/device.ts";
import { PasswrightError } from "../../domain/errors.ts";
import { isUuid } from "../../domain/ids.ts";
import type { Pass } from "../../domain/passes/pass.ts";
import { rateLimitKey } from "../client-address.ts";
import type { HttpRequest } from "../exchange.ts";
import { rateLimitHeaders } from "../rate-limit-headers.ts";
import { type Answer, checked, type JsonSchema, open, type Reply, type RouteCall } from "../route.ts";
import type { ServingDeps } from "../serving.ts";
import { conditionalFile, fileHeaders, passFile, pkpass, unchanged } from "./pass-files.ts";

/*
 * Apple's web service for passes (https://developer.apple.com/documentation/walletpasses/adding-a-web-service-to-update-passes):
 * what phones say and ask. Its statuses are Apple's; what each route answers is in its row.
 */

const tenantId: JsonSchema = {
  type: "string",
  format: "uuid",
  description: "The tenant, as in the pass's `webServiceURL`.",
  example: "0193a0b4-7c11-7abc-8def-0123456789ab",
};
const device: JsonSchema = {
  type: "string",
  pattern: "^[^\\p{C}]{1,128}$",
  maxLength: 128,
  description: "What the device calls itself (`deviceLibraryIdentifier`).",
  example: "2f9a1c6b0d3e4f5a8b7c6d5e4f3a2b1c",
};
const passType: JsonSchema = {
  type: "string",
  pattern: "^[A-Za-z0-9.-]{1,256}$",
  maxLength: 256,
  description: "The pass type identifier.",
  example: "pass.com.example.loyalty",
};
const serial: JsonSchema = {
  type: "string",
  format: "uuid",
  maxLength: 64,
  description: "The serial number of the pass, which is its id.",
  example: "0193a0b4-7c11-7abc-8def-0123456789ab",
};
const tokenBody = checked<{ pushToken: string }>({
  type: "object",
  required: ["pushToken"],
  properties: {
    pushToken: {
      type: "string",
      pattern: "^[0-9A-Fa-f]{1,512}$",
      maxLength: 512,
      description: "Where APNs reaches the device.",
      example: "00fc13adff785122b4ad28809a3420982341241421348097878e577c991de8f0",
    },
  },
  // Apple may come to say more.
  additionalProperties: true,
});
const sinceQuery = checked<{ passesUpdatedSince?: string }>({
  type: "object",
  properties: {
    passesUpdatedSince: {
      type: "string",
      contentMediaType: "text/plain",
      maxLength: 64,
      description: "`lastUpdated` of an earlier answer. Without it, all passes of the device are listed.",
      example: "1-1294",
    },
  },
});
const logBody = checked<{ logs: string[] }>({
  type: "object",
  required: ["logs"],
  properties: {
    logs: {
      type: "array",
      maxItems: 1000,
      items: { type: "string", contentMediaType: "text/plain", maxLength: 64_000 },
      description: "Messages for whoever runs the service.",
    },
  },
  additionalProperties: true,
});
const changedPasses: Answer = {
  status: 200,
  description: "What has changed.",
  schema: {
    type: "object",
    required: ["serialNumbers", "lastUpdated"],
    properties: {
      serialNumbers: { type: "array", maxItems: 100_000, items: serial },
      lastUpdated: {
        type: "string",
        pattern: "^[!-~]+$",
        maxLength: 32,
        description: "To be sent with the next question, as it is: what it consists of may change.",
        example: "1-1294",
      },
    },
    additionalProperties: false,
  },
  example: { serialNumbers: ["0193a0b4-7c11-7abc-8def-0123456789ab"], lastUpdated: "1-1294" },
};
const file: Answer = {
  status: 200,
  description: "The pass as it is now.",
  mediaTypes: [pkpass.mediaType],
  schema: null,
  headers: fileHeaders,
};

const registrationPath = "/apple/{tenantId}/v1/devices/{device}/registrations/{passType}/{serial}";

/** Of what a device writes to the log, so much is kept. */
const mostLogLines = 20;
const longestLogLine = 500;

export const deviceRoutes = [
  open({
    method: "POST",
    path: registrationPath,
    operationId: "registerDevice",
    tag: "Apple Wallet",
    summary: "A device wants to be told when a pass changes",
    description: "Also how a device tells that its push token is another one now; that is answered 200.",
    pathParameters: { tenantId, device, passType, serial },
    access: "device",
    body: tokenBody,
    examples: {
      token: {
        summary: "A push token",
        value: { pushToken: "00fc13adff785122b4ad28809a3420982341241421348097878e577c991de8f0" },
      },
    },
    answers: [
      { status: 201, description: "It is registered.", schema: null },
      {
        status: 200,
        description: "It was registered before; its push token is the given one now.",
        schema: null,
      },
    ],
    async handle({ http, params, body }, deps): Promise<Reply> {
      const pass = await authorized(deps, http, params);
      const outcome = await deps.devices.register(
        {
          ...named(pass, params),
          pushToken: body.pushToken.toLowerCase(),
          eventId: deps.ids.uuid(),
        },
        deps.clock.nowMs(),
      );
      if (outcome === "gone") throw unknownPass();
      return { status: outcome === "registered" ? 201 : 200 };
    },
  }),
  open({
    method: "DELETE",
    path: registrationPath,
    operationId: "unregisterDevice",
    tag: "Apple Wallet",
    summary: "A pass was removed from a device",
    description: "It is not told any more. To say so twice does no harm.",
    pathParameters: { tenantId, device, passType, serial },
    access: "device",
    answers: [{ status: 200, description: "It is not registered any more.", schema: null }],
    async handle({ http, params }, deps): Promise<Reply> {
      const pass = await authorized(deps, http, params);
      await deps.devices.unregister({ ...named(pass, params), eventId: deps.ids.uuid() }, deps.clock.nowMs());
      return { status: 200 };
    },
  }),
  open({
    method: "GET",
    path: "/apple/{tenantId}/v1/devices/{device}/registrations/{passType}",
    operationId: "listChangedPasses",
    tag: "Apple Wallet",
    summary: "Which passes of a device have changed",
    description:
      "Needs no token, as Apple has it, so it says nothing but serial numbers, and requests are counted by the client's address.",
    rateLimited: true,
    pathParameters: { tenantId, device, passType },
    query: sinceQuery,
    answers: [changedPasses, { status: 204, description: "None has.", schema: null }],
    async handle(call, deps): Promise<Reply> {
      const { params, query, http } = call;
      const nowMs = deps.clock.nowMs();
      const headers = await takeTurn(deps, http, nowMs);
      const owner = params.tenantId ?? "";
      const configuration = isUuid(owner) ? await deps.providerConfigurations.find(owner, "apple") : null;
      if (configuration?.summary.pass_type_identifier !== params.passType) return { status: 204, headers };
      const { passIds, tag } = await deps.devices.changedSince(
        {
          tenantId: owner,
          deviceId: params.device ?? "",
          since: changeOf(query.passesUpdatedSince),
          caller: callerOf(deps, http),
        },
        nowMs,
      );
      if (passIds.length === 0) return { status: 204, headers };
      return { status: 200, headers, body: { serialNumbers: passIds, lastUpdated: tagTextOf(tag) } };
    },
  }),
  open({
    method: "GET",
    path: "/apple/{tenantId}/v1/passes/{passType}/{serial}",
    operationId: "fetchPass",
    tag: "Apple Wallet",
    summary: "The newest version of a pass",
    description:
      "A revoked pass comes void. Answers conditional requests (If-None-Match, If-Modified-Since).",
    pathParameters: { tenantId, passType, serial },
    access: "device",
    answers: [file, unchanged],
    async handle({ http, params }, deps): Promise<Reply> {
      const pass = await authorized(deps, http, params);
      const reply = await conditionalFile(http, await passFile(deps, pass), pkpass);
      // A HEAD has not given anybody the pass.
      if (http.method === "GET") deps.fetches.fetched(pass, callerOf(deps, http));
      return reply;
    },
  }),
  open({
    method: "POST",
    path: "/apple/{tenantId}/v1/log",
    operationId: "logFromDevice",
    tag: "Apple Wallet",
    summary: "What a device has to complain about",
    description: "Goes to the log of this service, cut to a reasonable length.",
    rateLimited: true,
    pathParameters: { tenantId },
    body: logBody,
    examples: {
      log: { summary: "One message", value: { logs: ["[2026-11-21 06:43:46 +0000] Get pass task failed"] } },
    },
    answers: [{ status: 200, description: "It was heard.", schema: null }],
    async handle({ http, params, body, traceId }, deps): Promise<Reply> {
      const headers = await takeTurn(deps, http, deps.clock.nowMs());
      if (!isUuid(params.tenantId ?? "")) return { status: 200, headers };
      const lines = body.logs.slice(0, mostLogLines).map((line) => line.slice(0, longestLogLine));
      const left = body.logs.length - lines.length;
      deps.log.warn(
        { tenant: params.tenantId, trace_id: traceId, lines, ...(left > 0 && { left_out: left }) },
        "device.complained",
      );
      return { status: 200, headers };
    },
  }),
];

type Params = RouteCall<unknown, unknown>["params"];

/** The pass that a device speaks of, with the token of that pass (an empty one is none, whatever the scheme is called). */
function authorized(deps: ServingDeps, http: HttpRequest, params: Params): Promise<Pass> {
  const given = http.headerValues("authorization");
  const [, token = null] =
    (given.length === 1 && /^(?:ApplePass|AndroidPass) +(\S+) *$/i.exec(given[0] ?? "")) || [];
  const { tenantId: owner = "", passType: passTypeIdentifier = "", serial: serialNumber = "" } = params;
  return authorizedPass(deps, { tenantId: owner, passTypeIdentifier, serialNumber }, token);
}

function named(pass: Pass, params: Params) {
  const { tenantId: owner, id: passId, templateId } = pass;
  return { tenantId: owner, passId, templateId, deviceId: params.device ?? "" };
}

/** The number of a change, and before it which kind of tag this is: another kind can never be taken for it. */
function tagTextOf(change: number): string {
  return `1-${change}`;
}

/** One that we did not give, or not of this kind, is answered like none: a list too many does no harm. */
function changeOf(tag: string | undefined): number | null {
  const [, change] = /^1-(\d{1,15})$/.exec(tag ?? "") ?? [];
  return change === undefined ? null : Number(change);
}

function callerOf(deps: ServingDeps, http: HttpRequest): Caller {
  return { address: deps.clientAddress(http), userAgent: http.header("user-agent") ?? "" };
}

async function takeTurn(
  deps: ServingDeps,
  http: HttpRequest,
  nowMs: number,
): Promise<Record<string, string>> {
  const state = await deps.deviceRateLimiter.take(rateLimitKey(deps.clientAddress(http)), nowMs);
  if (!state.allowed) {
    throw new PasswrightError("too_many_requests", "Too many requests from this address.", {
      limit: state.limit,
      retryAfterSeconds: state.resetSeconds,
    });
  }
  return rateLimitHeaders(state);
}

function unknownPass(): PasswrightError {
  return new PasswrightError("invalid_token", "There is no such pass any more.");
}
