import type { Scope } from "../domain/applications/application.ts";
import type { ErrorCode } from "../domain/errors.ts";
import type { IdempotencyClaim } from "../domain/idempotency.ts";
import type { AccessClaims } from "../domain/tokens/token.ts";
import type { HttpRequest } from "./exchange.ts";
import type { HandlerDeps } from "./serving.ts";

export type JsonSchema = Readonly<Record<string, unknown>>;

/** A JSON Schema and the type of what passes it. */
export type Checked<Value> = { readonly schema: JsonSchema; readonly type?: Value };

export function checked<Value>(schema: JsonSchema): Checked<Value> {
  return { schema };
}

/** Said in a schema: an object has one of these members, and only one. */
export function exactlyOneOf(...names: string[]): { oneOf: { required: string[] }[] } {
  return { oneOf: names.map((name) => ({ required: [name] })) };
}

/** Who may call: holders of a token with a scope, of any token, of the pass in question (a phone), or everybody. */
export type Access = Scope | "token" | "device" | "public";

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
  /** JSON text, bytes or BodyPieces are sent as they are; other values as JSON. */
  body?: unknown;
  headers?: Record<string, string>;
};

export type AuthorizedCall<Body, Query> = RouteCall<Body, Query> & { claims: AccessClaims };

/** A value that shows what a body looks like. */
export type Example = { summary: string; value: unknown };

/** Headers that only some answers bear; those of every answer go without saying. */
export type AnswerHeader =
  | "Cache-Control"
  | "Content-Disposition"
  | "ETag"
  | "Last-Modified"
  | "Location"
  | "Retry-After";

/** An answer that is not an error object. */
export type Answer = {
  status: number;
  description: string;
  /** What the body is when it is not plain JSON. */
  mediaTypes?: readonly string[];
  /** null: there is no body, or one that is no JSON. */
  schema: JsonSchema | null;
  example?: unknown;
  headers?: readonly AnswerHeader[];
};

export type Tag =
  | "Access"
  | "Passes"
  | "Batches"
  | "Jobs"
  | "Messages"
  | "Templates"
  | "Webhooks"
  | "Analytics"
  | "Billing"
  | "Public pages"
  | "Apple Wallet"
  | "Google Wallet"
  | "Service";

/** What the OpenAPI document says of a row beyond its policy, from which most errors and headers follow. */
export type Documentation = {
  operationId: string;
  tag: Tag;
  /** One line without a full stop. */
  summary: string;
  /** CommonMark. */
  description: string;
  /** The answer of success comes first. */
  answers: readonly [Answer, ...Answer[]];
  /** Error codes besides those that the policy columns imply; with the sentence where it is not the usual one. */
  errors?: readonly (ErrorCode | { code: ErrorCode; says: string })[];
  /** Of the body, by name; the first is the usual one. */
  examples?: Readonly<Record<string, Example>>;
  /** Parts of the path that only this row has. */
  pathParameters?: Readonly<Record<string, JsonSchema>>;
  /** Headers that only this row asks for, and always. */
  headerParameters?: Readonly<Record<string, JsonSchema>>;
  /** Bodies that the handler reads by itself, by media type. */
  bodies?: Readonly<Record<string, { schema: JsonSchema; examples: Readonly<Record<string, Example>> }>>;
};

type Row = Documentation & {
  method: "GET" | "POST" | "PUT" | "PATCH" | "DELETE";
  /** `{name}` stands for one segment; `{id}` must be a UUID. */
  path: string;
  /** Repeats with the same Idempotency-Key get the first answer. */
  idempotent?: true;
  /** Where a body may be larger than those of single resources. */
  maxBodyBytes?: number;
  /** Its 400s are problem details (RFC 9457), which hold the error object's members too. */
  problems?: true;
  /** Gives work to the queue: 503 while that is full. */
  enqueues?: true;
  /** Counts requests by client address: 429, and the RateLimit headers on every answer. Or only those that are refused: 429. */
  rateLimited?: true | "refusals";
  /** Takes HTTP Basic instead of a bearer token. */
  basic?: true;
};

/** One line of the table: what a request must fulfil, and who answers it. */
export type Route = Row & {
  access: Access;
  body: JsonSchema | null;
  query: JsonSchema | null;
  handle(call: AuthorizedCall<unknown, unknown>, deps: HandlerDeps): Promise<Reply> | Reply;
};

/** A row for holders of a token. */
export function guarded<Body = undefined, Query = undefined>(
  row: Row & {
    access: Scope | "token";
    body?: Checked<Body>;
    query?: Checked<Query>;
    handle(call: AuthorizedCall<Body, Query>, deps: HandlerDeps): Promise<Reply> | Reply;
  },
): Route {
  return {
    ...row,
    body: row.body?.schema ?? null,
    query: row.query?.schema ?? null,
    handle: row.handle as Route["handle"],
  };
}

/** A row for everybody, or for those whose own credentials its handler looks at. */
export function open<Body = undefined, Query = undefined>(
  row: Row & {
    access?: "device";
    body?: Checked<Body>;
    query?: Checked<Query>;
    handle(call: RouteCall<Body, Query>, deps: HandlerDeps): Promise<Reply> | Reply;
  },
): Route {
  return {
    ...row,
    access: row.access ?? "public",
    body: row.body?.schema ?? null,
    query: row.query?.schema ?? null,
    handle: row.handle as Route["handle"],
  };
}
