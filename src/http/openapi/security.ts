import { type Scope, scopes } from "../../domain/applications/application.ts";
import type { Route } from "../route.ts";

const grants: Readonly<Record<Scope, string>> = {
  "passes:read": "Read passes and their versions",
  "passes:write": "Create, update and revoke passes, batches of that, and buy credits",
  "templates:read": "Read templates",
  "templates:write": "Reserved for writing templates",
  "messages:read": "Read messages",
  "messages:write": "Send messages",
  "webhooks:write": "Everything about webhooks",
  "analytics:read": "Read events and their counts",
};

export function securitySchemes(baseUrl: string): Record<string, unknown> {
  return {
    oauth2: {
      type: "oauth2",
      description:
        "The client credentials flow of OAuth 2.0 (RFC 6749 section 4.4). An application's type decides which scopes it can be granted. A token is a JWT (RFC 9068), handled as RFC8725 recommends; it lives an hour, and there is no refresh token: ask for a new one.",
      flows: {
        clientCredentials: {
          tokenUrl: `${baseUrl}/api/v1/auth/token`,
          scopes: Object.fromEntries(scopes.map((scope) => [scope, grants[scope]])),
        },
      },
    },
    bearer: {
      type: "http",
      scheme: "bearer",
      bearerFormat: "JWT",
      description:
        "An access token that was got elsewhere, with the scope that the operation names. Handled as RFC8725 recommends.",
    },
    basic: {
      type: "http",
      scheme: "basic",
      description:
        "An application's id and secret, each form-encoded first (RFC 6749 section 2.3.1); at the token endpoint only.",
    },
    applePass: {
      type: "apiKey",
      in: "header",
      name: "Authorization",
      description:
        "`ApplePass` and the `authenticationToken` of the pass in question, which only its phones have.",
    },
  };
}

/** The scope that a row needs; none where any token will do, or no token at all. A token may come from anywhere. */
export function securityOf(row: Route): Record<string, string[]>[] {
  if (row.basic) return [{ basic: [] }, {}];
  if (row.access === "public") return [{}];
  if (row.access === "device") return [{ applePass: [] }];
  return [{ oauth2: row.access === "token" ? [] : [row.access] }, { bearer: [] }];
}
