import type { Scope } from "../domain/applications/application.ts";
import { invalidRequest, PasswrightError } from "../domain/errors.ts";
import { claimKey, type IdempotencyClaim } from "../domain/idempotency.ts";
import { isUuid } from "../domain/ids.ts";
import { requireGoodStanding } from "../domain/tokens/standing.ts";
import type { AccessClaims } from "../domain/tokens/token.ts";
import type { HttpRequest } from "./exchange.ts";
import { NoCredentials } from "./failure.ts";
import { parseJsonBody } from "./json-body.ts";
import { parseQuery } from "./query.ts";
import type { Access, Route } from "./route.ts";
import type { Match } from "./router.ts";
import type { ServingDeps } from "./serving.ts";
import type { Validator } from "./validation.ts";

// The steps that every request goes through, in the order in which they are checked: path, method, token, scope, the
// path's ids, body and query. What a handler checks comes after.

export function requireRoute(match: Match): Match & { found: true } {
  if (match.found) return match;
  if (match.allow.length === 0) throw new PasswrightError("not_found", "There is nothing at this path.");
  throw new PasswrightError("method_not_allowed", `This path takes ${match.allow.join(", ")}.`);
}

/** The claims of the bearer token (RFC 6750 section 2.1), checked against where its owner stands now. */
export async function authenticate(request: HttpRequest, deps: ServingDeps): Promise<AccessClaims> {
  const credentials = request.headerValues("authorization");
  const [, token] = /^Bearer +([A-Za-z0-9\-._~+/]+=*) *$/i.exec(credentials[0] ?? "") ?? [];
  if (credentials.length !== 1 || token === undefined) {
    throw credentials.length === 0 ? new NoCredentials() : malformedToken();
  }
  const claims = await deps.accessTokens.verify(token);
  await requireGoodStanding(deps.standing, claims);
  return claims;
}

function malformedToken(): PasswrightError {
  return new PasswrightError("invalid_token", "There must be one Authorization header: Bearer TOKEN.");
}

export function authorize(claims: AccessClaims, access: Scope | "token"): void {
  if (access === "token" || claims.scopes.includes(access)) return;
  throw new PasswrightError("insufficient_scope", `This path needs the scope ${access}.`, { scope: access });
}

/**
 * The parts of a path as resources bear them: ids are lower case, however they are written (RFC 9562 section 4). An id
 * that no resource can have names nothing.
 */
export function readPathIds(params: Readonly<Record<string, string>>): Readonly<Record<string, string>> {
  if (params.id === undefined) return params;
  const id = params.id.toLowerCase();
  if (!isUuid(id)) throw new PasswrightError("not_found", "There is nothing with this id.");
  return { ...params, id };
}

export function readInput(
  request: HttpRequest,
  route: Route,
  validators: { body: Validator | null; query: Validator | null },
): { body: unknown; query: unknown } {
  let query: unknown;
  if (route.query !== null) {
    query = parseQuery(request.query, route.query);
    validators.query?.(query);
  }
  if (route.body === null) return { body: undefined, query };
  const body = parseJsonBody(request.header("content-type"), request.body());
  validators.body?.(body);
  return { body, query };
}

/** The Idempotency-Key of a request, bound to method, path and body; bare or quoted, as the IETF draft writes it. */
export function readIdempotencyKey(request: HttpRequest, route: Route): IdempotencyClaim | null {
  const given = route.idempotent ? request.header("idempotency-key") : undefined;
  if (given === undefined) return null;
  const key = given.replace(/^"(.*)"$/, "$1");
  if (!/^[\x21-\x7e]{1,255}$/.test(key)) {
    throw invalidRequest([{ path: "Idempotency-Key", message: "must be 1 to 255 visible ASCII characters" }]);
  }
  return claimKey(route.method, request.rawPath, key, request.body());
}

export function isGuarded(access: Access): access is Scope | "token" {
  return access !== "public" && access !== "device";
}
