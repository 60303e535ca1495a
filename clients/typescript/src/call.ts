/** What happened in one attempt, for logs and measurements. */
export type ResponseFacts = {
  method: string;
  /** Path and query below the base URL. */
  path: string;
  status: number;
  headers: Headers;
  /** 1 for the first attempt of a call. */
  attempt: number;
};

export type CallOptions = {
  /** Ends the call, its retries and its waiting included; the promise rejects with the signal's reason. */
  signal?: AbortSignal | undefined;
  /** How long one attempt may take, in milliseconds. */
  timeoutMs?: number | undefined;
  /** How often the call is repeated after a failure that may pass. 0: never. */
  maxRetries?: number | undefined;
  /** Further headers, such as `traceparent`. */
  headers?: Readonly<Record<string, string>> | undefined;
  /** Is told of every answer of this call, those that lead to a retry included. */
  onResponse?: ((facts: ResponseFacts) => void) | undefined;
};

export type MutationOptions = CallOptions & {
  /**
   * 1 to 255 visible ASCII characters: the same key and body within 24 hours get the first answer, and nothing is done
   * twice. Without one the client makes a key for each call, so that its own retries are safe. Give one to make yours
   * safe too, across a restart of your program.
   */
  idempotencyKey?: string | undefined;
};

export type Query = Readonly<Record<string, string | number | boolean | undefined>>;

/** An operation of the API with its arguments, as the generated methods write it down. */
export type Call = {
  method: "GET" | "POST" | "PUT" | "PATCH" | "DELETE";
  /** With `{name}` for each of the params. */
  path: string;
  params?: Readonly<Record<string, string>> | undefined;
  query?: Query | undefined;
  body?: unknown;
  /** The operation takes an Idempotency-Key. */
  idempotent?: true;
};

/** Carries a call out; resolves with the answer's JSON as it came, or undefined where there is no body. */
export type Send = <Answer>(call: Call, options?: MutationOptions) => Promise<Answer>;
