import type { Scope } from "../domain/applications/application.ts";
import type { IdempotencyClaim } from "../domain/idempotency.ts";
import type { AccessClaims } from "../domain/tokens/token.ts";
import type { HttpRequest } from "./exchange.ts";
import type { ServingDeps } from "./serving.ts";

export type JsonSchema = Readonly<Record<string, unknown>>;

/** A JSON Schema and the type of what passes it. */
export type Checked<Value> = { readonly schema: JsonSchema; readonly type?: Value };

export function checked<Value>(schema: JsonSchema): Checked<Value> {
  return { schema };
}

/** Who may call: holders of a token with a scope, of any token, or everybody. */
export type Access = Scope | "token" | "public";

/** A request that passed every check of its row. */
export type RouteCall<Body, Query> = {
  http: HttpRequest;
  /** Parts of the path that the pattern names; `id` is a UUID in lower case. */
  params: Readonly<Record<string, string>>;
  body: Body;
  query: Query;
  traceId: string;
  /** Set where the row is idempotent and the caller gave a key. */
  idempotency: IdempotencyClaim | null;
};

export type Reply = {
  status: number;
  /** JSON text or bytes are sent as they are; other values as JSON. */
  body?: unknown;
  headers?: Record<string, string>;
};

export type AuthorizedCall<Body, Query> = RouteCall<Body, Query> & { claims: AccessClaims };

type Row = {
  method: "GET" | "POST" | "PUT" | "PATCH" | "DELETE";
  /** `{name}` stands for one segment; `{id}` must be a UUID. */
  path: string;
  summary: string;
  /** Repeats with the same Idempotency-Key get the first answer. */
  idempotent?: true;
  /** Where a body may be larger than those of single resources. */
  maxBodyBytes?: number;
  /** Its 400s are problem details (RFC 9457), which hold the error object's members too. */
  problems?: true;
};

/** One line of the table: what a request must fulfil, and who answers it. */
export type Route = Row & {
  access: Access;
  body: JsonSchema | null;
  query: JsonSchema | null;
  handle(call: AuthorizedCall<unknown, unknown>, deps: ServingDeps): Promise<Reply> | Reply;
};

/** A row for holders of a token. */
export function guarded<Body = undefined, Query = undefined>(
  row: Row & {
    access: Scope | "token";
    body?: Checked<Body>;
    query?: Checked<Query>;
    handle(call: AuthorizedCall<Body, Query>, deps: ServingDeps): Promise<Reply> | Reply;
  },
): Route {
  return {
    ...row,
    body: row.body?.schema ?? null,
    query: row.query?.schema ?? null,
    handle: row.handle as Route["handle"],
  };
}

/** A row for everybody. */
export function open<Query = undefined>(
  row: Row & {
    query?: Checked<Query>;
    handle(call: RouteCall<undefined, Query>, deps: ServingDeps): Promise<Reply> | Reply;
  },
): Route {
  return {
    ...row,
    access: "public",
    body: null,
    query: row.query?.schema ?? null,
    handle: row.handle as Route["handle"],
  };
}
