import type { ResponseFacts } from "./call.ts";
import { createResources } from "./generated/resources.ts";
import type { Job, Token } from "./generated/schemas.ts";
import { type WaitOptions, waitForJob } from "./jobs.ts";
import { createOpenSend, createSend, type Service } from "./send.ts";
import { createTokenCache } from "./token-cache.ts";

export type PasswrightOptions = {
  /** Where the service is, such as `https://passes.example.com`. */
  baseUrl: string;
  tenantId: string;
  applicationId: string;
  /** The application's secret, or what reads it: asked again for every token, so that a rotated one is taken up. */
  applicationSecret: string | (() => string | Promise<string>);
  /** Asks for tokens with these scopes only, separated by spaces; otherwise with all that the application has. */
  scope?: string | undefined;
  /** What to send requests with, the runtime's own by default. */
  fetch?: typeof globalThis.fetch | undefined;
  /** How long one attempt may take, in milliseconds: 30,000 by default. */
  timeoutMs?: number | undefined;
  /** How often a call is repeated after a failure that may pass: 3 times by default. */
  maxRetries?: number | undefined;
  /** Is told of every answer, those to token requests and those that lead to a retry included. */
  onResponse?: ((facts: ResponseFacts) => void) | undefined;
};

export type Passwright = ReturnType<typeof createPasswright>;

/** A client of one application of a tenant. It asks for nothing until it is used; make one, and share it. */
export function createPasswright(options: PasswrightOptions) {
  const service: Service = {
    baseUrl: baseUrlOf(options.baseUrl),
    fetch: options.fetch ?? ((...args) => globalThis.fetch(...args)),
    timeoutMs: numberOf("timeoutMs", options.timeoutMs ?? 30_000, 1),
    maxRetries: numberOf("maxRetries", options.maxRetries ?? 3, 0),
    onResponse: options.onResponse,
  };
  const { scope, applicationSecret } = options;
  const credentials = {
    tenant_id: stringOf("tenantId", options.tenantId),
    application_id: stringOf("applicationId", options.applicationId),
  };
  if (typeof applicationSecret !== "function") stringOf("applicationSecret", applicationSecret);
  const openSend = createOpenSend(service);
  const tokens = createTokenCache(async () => {
    const secret = typeof applicationSecret === "function" ? await applicationSecret() : applicationSecret;
    const body = {
      ...credentials,
      application_secret: stringOf("applicationSecret", secret),
      grant_type: "client_credentials",
      scope,
    };
    return openSend<Token>({ method: "POST", path: "/api/v1/auth/token", body });
  });
  const resources = createResources(createSend(openSend, tokens));
  return {
    ...resources,
    jobs: {
      ...resources.jobs,
      /**
       * Waits until a job is finished; the service holds the answer until then, so this costs a request every 20
       * seconds. Takes a job's id, or an answer that names one: a pass, a batch, a message.
       *
       * Rejects with a PasswrightJobError when the job failed or was cancelled. It waits as long as it takes: give a
       * signal, such as `AbortSignal.timeout(60_000)`.
       */
      waitFor(job: string | { job_id: string }, waiting: WaitOptions = {}): Promise<Job> {
        return waitForJob(resources.jobs.get, job, { ...waiting, timeoutMs: service.timeoutMs });
      },
    },
  };
}

function baseUrlOf(text: string): string {
  const url = URL.canParse(text) ? new URL(text) : undefined;
  const isHttp = url?.protocol === "https:" || url?.protocol === "http:";
  if (url === undefined || !isHttp || url.search !== "" || url.hash !== "" || url.username !== "") {
    throw new TypeError("baseUrl must be an http or https URL without user, query and fragment");
  }
  return url.href.replace(/\/+$/, "");
}

function stringOf(name: string, value: unknown): string {
  if (typeof value === "string" && value !== "") return value;
  throw new TypeError(
    `${name} must be a string that is not empty; operators get it from «applications create»`,
  );
}

function numberOf(name: string, value: number, least: number): number {
  if (Number.isSafeInteger(value) && value >= least) return value;
  throw new TypeError(`${name} must be a whole number from ${least}`);
}
