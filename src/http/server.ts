import { requireQueueRoom } from "../domain/jobs/queue-room.ts";
import { BodyPieces } from "./body-pieces.ts";
import { createCors } from "./cors.ts";
import { createHttpServer, type HttpRequest, type HttpResponse, type HttpServer } from "./exchange.ts";
import { failureReply } from "./failure.ts";
import { createHandbook } from "./handbook/served.ts";
import { createReference } from "./openapi/reference/served.ts";
import { createServedDocument } from "./openapi/served.ts";
import { createPassPreviews } from "./pages/preview/served-previews.ts";
import { createPassPages } from "./pages/served-pages.ts";
import { asProblem } from "./problem.ts";
import { createRefusedCallers } from "./refused-callers.ts";
import type { Reply, Route } from "./route.ts";
import { createRouter } from "./router.ts";
import { routes } from "./routes.ts";
import type { HandlerDeps, ServingDeps } from "./serving.ts";
import {
  authenticate,
  authorize,
  isGuarded,
  readIdempotencyKey,
  readInput,
  readPathIds,
  requireRoute,
} from "./steps.ts";
import { traceIdOf } from "./trace.ts";
import { createValidators, type Validator } from "./validation.ts";

/** Bodies of single resources; batches take more. */
const maxBodyBytes = 64 * 1024;

/** What is known of a request before its answer. */
type Seen = { route: string; problems: boolean };

/** The HTTP side of the service, not yet listening. */
export function createApiServer(given: ServingDeps): HttpServer {
  const deps: HandlerDeps = {
    ...given,
    refusedCallers: createRefusedCallers(given.refusedCallbackRateLimiter),
    passPages: createPassPages(given),
    passPreviews: createPassPreviews(),
    openApiDocument: createServedDocument(routes, given),
    reference: createReference(),
    handbook: createHandbook(),
  };
  const router = createRouter(routes);
  const cors = createCors(deps.corsOrigins);
  const validators = validatorsOf(routes);
  const largeBodies = new Map(routes.map((row) => [`${row.method} ${row.path}`, row.maxBodyBytes]));

  /** The request's row, for the log and the metrics, is known even when a later step fails. */
  async function answer(request: HttpRequest, traceId: string, seen: Seen): Promise<Reply> {
    const match = router(request.method, request.segments);
    if (!match.found && match.allow.length > 0) {
      const preflight = cors.preflight(request, match.allow);
      if (preflight !== null) return preflight;
      const reply = failureReply(
        failureOf(() => requireRoute(match)),
        traceId,
      );
      return { ...reply, headers: { ...reply.headers, Allow: match.allow.join(", ") } };
    }
    const { route, params: written } = requireRoute(match);
    seen.route = route.path;
    seen.problems = route.problems === true;
    const call = { http: request, traceId };
    if (!isGuarded(route.access)) {
      const params = readPathIds(written);
      const { body, query } = readInput(request, route, validators.get(route) ?? noValidators);
      return route.handle({ ...call, params, query, body, idempotency: null, claims: nobody }, deps);
    }
    const claims = await authenticate(request, deps);
    deps.requests.count(claims.tenantId);
    authorize(claims, route.access);
    const params = readPathIds(written);
    const { body, query } = readInput(request, route, validators.get(route) ?? noValidators);
    const idempotency = readIdempotencyKey(request, route);
    if (route.enqueues) await requireQueueRoom(deps.queueRoom, claims.tenantId);
    return route.handle({ ...call, params, body, query, claims, idempotency }, deps);
  }

  async function handle(request: HttpRequest): Promise<HttpResponse> {
    const startedAt = performance.now();
    const traceId = traceIdOf(request.header("traceparent"));
    const seen = { route: "none", problems: false };
    let reply: Reply;
    try {
      reply = await answer(request, traceId, seen);
    } catch (error) {
      reply = failureReply(error, traceId);
      if (seen.problems && reply.status === 400) {
        reply = asProblem(reply, { baseUrl: deps.baseUrl, path: request.rawPath });
      }
      if (reply.status >= 500) deps.log.error({ trace_id: traceId, err: error }, "http.failed");
    }
    const seconds = (performance.now() - startedAt) / 1000;
    // Only methods of the table: what callers make up must not become labels.
    const method = seen.route === "none" ? "none" : request.method;
    deps.metrics.observe({ method, route: seen.route, status: reply.status, seconds });
    deps.log.info(
      {
        method: request.method,
        route: seen.route,
        status: reply.status,
        ms: Math.round(seconds * 10_000) / 10,
        trace_id: traceId,
      },
      "http.request",
    );
    return toResponse(reply, traceId, cors.headers(request));
  }

  return createHttpServer({
    handler: handle,
    maxBodyBytes: (method, path) => largeBodies.get(`${method} ${path}`) ?? maxBodyBytes,
    onFailure(error, request) {
      const traceId = traceIdOf(request.header("traceparent"));
      const reply = failureReply(error, traceId);
      deps.log.warn({ status: reply.status, trace_id: traceId, err: error }, "http.refused");
      return toResponse(reply, traceId, cors.headers(request));
    },
    log: deps.log,
  });
}

const noValidators = { body: null, query: null };

/** Rows for everybody declare no use of claims; the type of their handlers says so. */
const nobody = { tenantId: "", applicationId: "", scopes: [], expiresAt: 0 };

function validatorsOf(rows: readonly Route[]) {
  const { forBody, forQuery } = createValidators();
  const validators = new Map<Route, { body: Validator | null; query: Validator | null }>();
  for (const row of rows) {
    validators.set(row, {
      body: row.body && forBody(row.body),
      query: row.query && forQuery(row.query),
    });
  }
  return validators;
}

function failureOf(action: () => unknown): unknown {
  try {
    return action();
  } catch (error) {
    return error;
  }
}

function toResponse(reply: Reply, traceId: string, crossOrigin: Record<string, string>): HttpResponse {
  const { body } = reply;
  const vary = [crossOrigin.Vary, reply.headers?.Vary].filter((names) => names !== undefined).join(", ");
  const isText = typeof body === "string" || body instanceof Uint8Array || body instanceof BodyPieces;
  return {
    status: reply.status,
    headers: {
      ...(body !== undefined && { "Content-Type": "application/json; charset=utf-8" }),
      "X-Content-Type-Options": "nosniff",
      "X-Trace-Id": traceId,
      ...crossOrigin,
      ...reply.headers,
      ...(vary !== "" && { Vary: vary }),
    },
    body: body === undefined ? null : isText ? body : JSON.stringify(body),
    ...(reply.status === 413 && { closeConnection: true }),
  };
}
