import { html, json, Refused } from "../exchange.ts";
import type { FieldViolation } from "./proto-json.ts";

const statusNames: Record<number, string> = {
  400: "INVALID_ARGUMENT",
  401: "UNAUTHENTICATED",
  403: "PERMISSION_DENIED",
  404: "NOT_FOUND",
  409: "ALREADY_EXISTS",
  429: "RESOURCE_EXHAUSTED",
  500: "INTERNAL",
  503: "UNAVAILABLE",
};

export type Reason = {
  /** `walletobjects` for what the Wallet says, `global` for what the API front end says. */
  domain: "walletobjects" | "global";
  reason: string;
  /** Every violated field, for a body that was not understood. */
  details?: readonly FieldViolation[];
  headers?: Record<string, string>;
};

/** A refusal in the envelope of Google's JSON APIs, to be thrown. */
export function apiError(code: number, message: string, why: Reason): Refused {
  const details = why.details && {
    details: [{ "@type": "type.googleapis.com/google.rpc.BadRequest", fieldViolations: why.details }],
  };
  const error = {
    code,
    message,
    errors: [{ message, domain: why.domain, reason: why.reason }],
    status: statusNames[code] ?? "UNKNOWN",
    ...details,
  };
  return new Refused(json(code, { error }, why.headers));
}

/** What the Wallet itself finds wrong with an argument. */
export function invalid(message: string, reason = "invalidResource"): Refused {
  return apiError(400, message, { domain: "walletobjects", reason });
}

/** Paths and methods that the API does not have are answered before it, by a page. */
export function noSuchMethod(path: string): Refused {
  const shown = path.replace(/[<>&"']/g, (character) => `&#${character.charCodeAt(0)};`);
  return new Refused(
    html(
      404,
      `<!DOCTYPE html>\n<html lang=en>\n<title>Error 404 (Not Found)!!1</title>\n` +
        `<p><b>404.</b> <ins>That’s an error.</ins>\n` +
        `<p>The requested URL <code>${shown}</code> was not found on this server. <ins>That’s all we know.</ins>\n`,
    ),
  );
}
