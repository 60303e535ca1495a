import { PasswrightError, type Violation } from "../domain/errors.ts";
import { isUuid } from "../domain/ids.ts";
import type { TokenRequest } from "../domain/tokens/issue.ts";
import type { HttpRequest } from "./exchange.ts";
import { mediaType, parseJsonBody } from "./json-body.ts";

export type ReadTokenRequest = { input: TokenRequest; usedBasic: boolean; violations: Violation[] };

/** Both spellings of each member of a JSON body. */
const spellings = {
  tenant_id: "tenantId",
  application_id: "applicationId",
  application_secret: "clientSecret",
  grant_type: "grantType",
} as const;

/**
 * A token request in any of its forms: JSON in snake_case or camelCase, an RFC 6749 form, or a form with HTTP Basic.
 * Throws for what cannot be read at all; names everything else that is wrong as violations.
 */
export function readTokenRequest(http: HttpRequest): ReadTokenRequest {
  return mediaType(http.header("content-type")) === "application/x-www-form-urlencoded"
    ? readForm(http)
    : readJson(http);
}

function readJson(http: HttpRequest): ReadTokenRequest {
  const body = parseJsonBody(http.header("content-type"), http.body());
  const violations: Violation[] = [];
  const values: Record<string, string> = {};
  // What the caller called it is what a violation calls it.
  const names: Record<string, string> = {};
  const known = new Set<string>(["scope"]);
  for (const [snake, camel] of Object.entries(spellings)) {
    known.add(snake).add(camel);
    const has = [snake, camel].filter((name) => Object.hasOwn(body, name));
    const [name = snake, twin] = has;
    if (twin !== undefined) {
      violations.push({ path: `/${twin}`, message: `must not stand beside ${name}: they are the same` });
    }
    names[snake] = name;
    values[snake] = text(body[name], `/${name}`, violations);
  }
  for (const name of Object.keys(body)) {
    if (!known.has(name)) violations.push({ path: `/${name}`, message: "is not a known member" });
  }
  for (const name of ["tenant_id", "application_id"]) {
    const value = values[name] ?? "";
    if (value !== "" && !isUuid(value.toLowerCase())) {
      violations.push({ path: `/${names[name]}`, message: "must be a UUID" });
    }
  }
  if (values.grant_type !== "" && values.grant_type !== "client_credentials") {
    violations.push({ path: `/${names.grant_type}`, message: "must be client_credentials" });
  }
  const scope = body.scope === undefined ? null : text(body.scope, "/scope", violations);
  return {
    input: {
      tenantId: (values.tenant_id ?? "").toLowerCase(),
      applicationId: (values.application_id ?? "").toLowerCase(),
      secret: values.application_secret ?? "",
      scope,
    },
    usedBasic: false,
    violations,
  };
}

function text(value: unknown, path: string, violations: Violation[]): string {
  if (typeof value === "string" && value !== "") return value;
  const message = value === undefined ? "is required" : "must be a string that is not empty";
  violations.push({ path, message });
  return "";
}

/** RFC 6749 sections 2.3.1, 3.2 and 4.4.2: unknown parameters are ignored, empty ones count as absent, none may repeat. */
function readForm(http: HttpRequest): ReadTokenRequest {
  const violations: Violation[] = [];
  const values: Record<string, string> = {};
  for (const [name, value] of new URLSearchParams(http.body().toString("utf8"))) {
    if (Object.hasOwn(values, name)) violations.push({ path: name, message: "must stand only once" });
    if (value !== "" && name !== "__proto__") values[name] = value;
  }
  const basic = readBasic(http);
  if (basic !== null && (values.client_id !== undefined || values.client_secret !== undefined)) {
    violations.push({
      path: "client_secret",
      message: "must not stand beside HTTP Basic: one method at a time",
    });
  }
  const clientId = basic?.id ?? values.client_id;
  const secret = basic?.secret ?? values.client_secret;
  if (clientId === undefined) violations.push({ path: "client_id", message: "is required" });
  if (secret === undefined) violations.push({ path: "client_secret", message: "is required" });
  const grantType = values.grant_type;
  if (grantType === undefined) violations.push({ path: "grant_type", message: "is required" });
  else if (grantType !== "client_credentials" && violations.length === 0) {
    throw new PasswrightError("unsupported_grant_type", "grant_type must be client_credentials.");
  }
  return {
    input: {
      tenantId: null,
      applicationId: (clientId ?? "").toLowerCase(),
      secret: secret ?? "",
      scope: values.scope ?? null,
    },
    usedBasic: basic !== null,
    violations,
  };
}

/** HTTP Basic with both parts form-encoded first (RFC 6749 section 2.3.1); null without an Authorization header. */
function readBasic(http: HttpRequest): { id: string; secret: string } | null {
  const header = http.header("authorization");
  if (header === undefined) return null;
  const [, encoded] = /^Basic +([A-Za-z0-9+/]+=*)$/i.exec(header) ?? [];
  const decoded = Buffer.from(encoded ?? "", "base64").toString("utf8");
  const colon = decoded.indexOf(":");
  if (encoded === undefined || colon < 0) return { id: "", secret: "" };
  try {
    return { id: formDecoded(decoded.slice(0, colon)), secret: formDecoded(decoded.slice(colon + 1)) };
  } catch {
    return { id: "", secret: "" };
  }
}

function formDecoded(text: string): string {
  return decodeURIComponent(text.replaceAll("+", " "));
}
