import { html, json, Refused } from "../exchange.ts";
import { escapeHtml } from "../markup.ts";
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

/** The service account is no user of the issuer in its console. */
export function permissionDenied(headers: Record<string, string> = {}): Refused {
  const reason = "permissionDenied";
  return apiError(403, "Permission denied.", { domain: "walletobjects", reason, headers });
}

/** What Google's front end says where a project has not switched the API on: old and new form in one. */
export function serviceDisabled(projectNumber: string): Refused {
  const service = "walletobjects.googleapis.com";
  const activationUrl = `https://console.developers.google.com/apis/api/${service}/overview?project=${projectNumber}`;
  const message =
    `Google Wallet API has not been used in project ${projectNumber} before or it is disabled. ` +
    `Enable it by visiting ${activationUrl} then retry. If you enabled this API recently, wait a few minutes ` +
    "for the action to propagate to our systems and retry.";
  const type = (name: string) => ({ "@type": `type.googleapis.com/google.rpc.${name}` });
  const extendedHelp = "https://console.developers.google.com";
  const errors = [{ message, domain: "usageLimits", reason: "accessNotConfigured", extendedHelp }];
  const metadata = {
    consumer: `projects/${projectNumber}`,
    service,
    serviceTitle: "Google Wallet API",
    containerInfo: projectNumber,
    activationUrl,
  };
  const details = [
    { ...type("ErrorInfo"), reason: "SERVICE_DISABLED", domain: "googleapis.com", metadata },
    { ...type("LocalizedMessage"), locale: "en-US", message },
    {
      ...type("Help"),
      links: [{ description: "Google developers console API activation", url: activationUrl }],
    },
  ];
  return new Refused(
    json(403, { error: { code: 403, message, errors, status: "PERMISSION_DENIED", details } }),
  );
}

/** Paths and methods that the API does not have are answered before it, by a page. */
export function noSuchMethod(path: string): Refused {
  return new Refused(
    html(
      404,
      `<!DOCTYPE html>\n<html lang=en>\n<title>Error 404 (Not Found)!!1</title>\n` +
        `<p><b>404.</b> <ins>That’s an error.</ins>\n` +
        `<p>The requested URL <code>${escapeHtml(path)}</code> was not found on this server. <ins>That’s all we know.</ins>\n`,
    ),
  );
}
