import { scopes } from "../../domain/applications/application.ts";
import { invalidRequest, PasswrightError } from "../../domain/errors.ts";
import { issueToken } from "../../domain/tokens/issue.ts";
import { cachedReply } from "../cached-reply.ts";
import { rateLimitKey } from "../client-address.ts";
import { failureReply } from "../failure.ts";
import { notModified } from "../openapi/answers.ts";
import {
  keySet,
  serverMetadata,
  token as tokenExample,
  tokenForm,
  tokenFormForBasic,
  tokenRequest,
  tokenRequestCamelCase,
} from "../openapi/examples/tokens.ts";
import {
  keySetSchema,
  serverMetadataSchema,
  tokenFormSchema,
  tokenRequestCamelSchema,
  tokenRequestSchema,
  tokenSchema,
} from "../openapi/schemas/token.ts";
import { rateLimitHeaders } from "../rate-limit-headers.ts";
import { type Answer, open, type Reply, type RouteCall } from "../route.ts";
import type { ServingDeps } from "../serving.ts";
import { readTokenRequest } from "../token-request.ts";

/** Whoever holds the key set may keep it this long; a new key is public for as long before it signs. */
const keySetCache = "public, max-age=86400";

const tokenBodies = {
  "application/json": {
    schema: { oneOf: [tokenRequestSchema, tokenRequestCamelSchema] },
    examples: {
      snakeCase: { summary: "In snake_case", value: tokenRequest },
      camelCase: { summary: "In camelCase", value: tokenRequestCamelCase },
    },
  },
  "application/x-www-form-urlencoded": {
    schema: tokenFormSchema,
    examples: {
      form: { summary: "As an OAuth client with the secret in the body", value: tokenForm },
      basic: { summary: "Beside HTTP Basic", value: tokenFormForBasic },
    },
  },
};
const tokenAnswer: Answer = {
  status: 200,
  description: "The token.",
  schema: tokenSchema,
  example: tokenExample,
};
const keySetAnswer: Answer = {
  status: 200,
  description: "The key set (RFC 7517).",
  mediaTypes: ["application/jwk-set+json"],
  schema: keySetSchema,
  example: keySet,
  headers: ["Cache-Control", "ETag"],
};
const metadataAnswer: Answer = {
  status: 200,
  description: "The metadata.",
  schema: serverMetadataSchema,
  example: serverMetadata,
  headers: ["Cache-Control"],
};
const unknownClient = {
  code: "invalid_client",
  says: "Unknown tenant or application, or wrong secret. Check the three values together.",
} as const;

export const tokenRoutes = [
  open({
    method: "POST",
    path: "/api/v1/auth/token",
    operationId: "createToken",
    tag: "Access",
    summary: "Exchange an application's secret for an access token",
    description:
      "Takes JSON in snake_case or camelCase, an RFC 6749 form, or a form beside HTTP Basic; in a form the tenant follows from the application. Keep the token for its hour: every request counts against the limit of the client's address, also one whose secret is wrong. A wrong `grant_type` is `invalid_request` in JSON and `unsupported_grant_type` in a form.",
    rateLimited: true,
    basic: true,
    bodies: tokenBodies,
    answers: [tokenAnswer],
    errors: [unknownClient, "unauthorized_client", "invalid_scope", "unsupported_grant_type"],
    handle: token,
  }),
  open({
    method: "GET",
    path: "/.well-known/jwks.json",
    operationId: "getKeySet",
    tag: "Access",
    summary: "The public keys that verify access tokens",
    description:
      "Kept for 24 hours by verifiers: a key is published that long before it signs. Ask again when a `kid` is not known.",
    answers: [keySetAnswer, notModified],
    handle({ http }, deps) {
      return cachedReply(http, deps.keySet(), {
        "Cache-Control": keySetCache,
        "Content-Type": "application/jwk-set+json",
      });
    },
  }),
  open({
    method: "GET",
    path: "/.well-known/oauth-authorization-server",
    operationId: "getServerMetadata",
    tag: "Access",
    summary: "What stock OAuth clients need to know (RFC 8414)",
    description: "Lets OAuth clients that know only the base URL find the rest.",
    answers: [metadataAnswer],
    handle: (_call, { baseUrl }) => ({
      status: 200,
      headers: { "Cache-Control": "public, max-age=3600" },
      body: {
        issuer: baseUrl,
        token_endpoint: `${baseUrl}/api/v1/auth/token`,
        jwks_uri: `${baseUrl}/.well-known/jwks.json`,
        scopes_supported: scopes,
        response_types_supported: [],
        grant_types_supported: ["client_credentials"],
        token_endpoint_auth_methods_supported: ["client_secret_basic", "client_secret_post"],
      },
    }),
  }),
];

/** RFC 6749 section 5: neither tokens nor refusals may be kept by a cache. */
const noStore = { "Cache-Control": "no-store", Pragma: "no-cache" };

async function token(call: RouteCall<undefined, undefined>, deps: ServingDeps): Promise<Reply> {
  const { http, traceId } = call;
  let limits: Record<string, string> = noStore;
  let usedBasic = false;
  try {
    // Counted before anything is looked at: the limit is what keeps hashing from being a weapon.
    const address = rateLimitKey(deps.clientAddress(http));
    const window = await deps.tokenRateLimiter.take(address, deps.clock.nowMs());
    limits = { ...noStore, ...rateLimitHeaders(window) };
    if (!window.allowed) {
      throw new PasswrightError("too_many_requests", "Too many token requests from this address.", {
        retryAfterSeconds: window.resetSeconds,
      });
    }
    const request = readTokenRequest(http);
    usedBasic = request.usedBasic;
    if (request.violations.length > 0) throw invalidRequest(request.violations);
    const issued = await issueToken(deps, request.input);
    return {
      status: 200,
      headers: limits,
      body: {
        access_token: issued.accessToken,
        token_type: "Bearer",
        expires_in: issued.expiresIn,
        expires_at: issued.expiresAt,
        scope: issued.scope,
      },
    };
  } catch (error) {
    const reply = failureReply(error, traceId);
    const { "WWW-Authenticate": _bearer, ...headers } = reply.headers ?? {};
    if (reply.status >= 500) deps.log.error({ trace_id: traceId, err: error }, "token.failed");
    return {
      ...reply,
      body: inRfc6749Characters(reply.body),
      headers: {
        ...headers,
        ...limits,
        // RFC 6749 section 5.2: the scheme that was tried is the one that is named.
        ...(reply.status === 401 && usedBasic && { "WWW-Authenticate": 'Basic realm="passwright"' }),
      },
    };
  }
}

/** RFC 6749 section 5.2 keeps error_description to printable ASCII without quote and backslash. */
function inRfc6749Characters(body: unknown): unknown {
  const error = body as { error_description: string };
  return {
    ...error,
    error_description: error.error_description.replace(/[^\x20\x21\x23-\x5b\x5d-\x7e]/g, "'"),
  };
}
