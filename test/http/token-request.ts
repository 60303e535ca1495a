import t from "tap";
import { readTokenRequest } from "../../src/http/token-request.ts";
import { applicationId, tenantId } from "../domain/fixtures/examples.ts";
import { refusalOf } from "../domain/fixtures/refusal.ts";
import { requestOf } from "./fixtures/request.ts";

const secret = `pws_${"A1b2".repeat(12)}xyz`;
const read = (contentType: string, body: string, headers: Record<string, string> = {}) =>
  readTokenRequest(requestOf({ method: "POST", body, headers: { "content-type": contentType, ...headers } }));
const json = (body: object) => read("application/json", JSON.stringify(body));
const form = (body: string | Record<string, string>, headers?: Record<string, string>) =>
  read("application/x-www-form-urlencoded", new URLSearchParams(body).toString(), headers);
const told = ({ violations }: ReturnType<typeof json>): string[] =>
  violations.map(({ path, message }) => `${path} ${message}`);
const basic = (id: string, password: string): Record<string, string> => ({
  authorization: `Basic ${Buffer.from(`${id}:${password}`).toString("base64")}`,
});

const snake = {
  tenant_id: tenantId,
  application_id: applicationId,
  application_secret: secret,
  grant_type: "client_credentials",
};
const camel = { tenantId, applicationId, clientSecret: secret, grantType: "client_credentials" };
const named = { input: { tenantId, applicationId, secret, scope: null }, usedBasic: false, violations: [] };
const unnamed = {
  input: { tenantId: null, applicationId, secret, scope: null },
  usedBasic: false,
  violations: [],
};
const inForm = { client_id: applicationId, client_secret: secret, grant_type: "client_credentials" };

t.test("JSON is read in the documented names, in camelCase, and mixed", async (t) => {
  t.strictSame(json(snake), named);
  t.strictSame(json(camel), named);
  const { grantType: _, ...mixed } = camel;
  t.strictSame(json({ ...mixed, grant_type: "client_credentials" }), named);
  t.strictSame(json({ ...snake, scope: "passes:read" }).input.scope, "passes:read");
  t.strictSame(
    json({ ...snake, tenant_id: tenantId.toUpperCase() }),
    named,
    "a UUID in capitals is the same one",
  );
});

t.test("both spellings of one field in one body are refused, also when they agree", async (t) => {
  const pairs = {
    tenantId: "tenant_id",
    applicationId: "application_id",
    clientSecret: "application_secret",
    grantType: "grant_type",
  };
  for (const [twin, name] of Object.entries(pairs)) {
    const doubled = json({ ...snake, [twin]: snake[name as keyof typeof snake] });
    t.strictSame(told(doubled), [`/${twin} must not stand beside ${name}: they are the same`]);
  }
});

t.test("everything that is wrong with a JSON body is named at once", async (t) => {
  t.strictSame(told(json({})), [
    "/tenant_id is required",
    "/application_id is required",
    "/application_secret is required",
    "/grant_type is required",
  ]);
  const wrong = { tenant_id: 7, application_id: "x", application_secret: "", grant_type: "password" };
  t.strictSame(told(json({ ...wrong, scope: [], extra: 1 })), [
    "/tenant_id must be a string that is not empty",
    "/application_secret must be a string that is not empty",
    "/extra is not a known member",
    "/application_id must be a UUID",
    "/grant_type must be client_credentials",
    "/scope must be a string that is not empty",
  ]);
});

t.test("a violation names the member as it stands in the body", async (t) => {
  t.strictSame(told(json({ ...camel, applicationId: "x", grantType: "password" })), [
    "/applicationId must be a UUID",
    "/grantType must be client_credentials",
  ]);
});

t.test("names that every object inherits are unknown members", async (t) => {
  t.strictSame(told(json({ ...snake, constructor: "x", toString: "y" })), [
    "/constructor is not a known member",
    "/toString is not a known member",
  ]);
});

t.test("a body that is neither JSON nor a form is invalid_request", async (t) => {
  for (const [type, body] of [
    ["text/plain", "{}"],
    ["", "{}"],
    ["application/json", "{"],
    ["application/json", "[]"],
    ["multipart/form-data; boundary=x", ""],
  ] as const) {
    t.equal((await refusalOf(() => read(type, body))).code, "invalid_request", `${type} ${body}`);
  }
});

t.test("an RFC 6749 form is read, the tenant following from the application", async (t) => {
  t.strictSame(form(inForm), unnamed);
  t.strictSame(
    read("Application/X-WWW-Form-Urlencoded; charset=UTF-8", new URLSearchParams(inForm).toString()),
    unnamed,
  );
  t.strictSame(form({ ...inForm, scope: "passes:read messages:read", unknown: "ignored" }), {
    ...unnamed,
    input: { ...unnamed.input, scope: "passes:read messages:read" },
  });
});

t.test(
  "an empty parameter counts as absent, and one that stands twice is refused (RFC 6749 section 3.2)",
  async (t) => {
    t.equal(form({ ...inForm, scope: "" }).input.scope, null);
    t.strictSame(told(form({ ...inForm, client_secret: "" })), ["client_secret is required"]);
    t.strictSame(told(form({})), [
      "client_id is required",
      "client_secret is required",
      "grant_type is required",
    ]);
    const text = new URLSearchParams(inForm).toString();
    for (const name of ["grant_type", "client_id", "client_secret"] as const) {
      t.strictSame(told(form(`${text}&${name}=${inForm[name]}`)), [`${name} must stand only once`]);
    }
    t.strictSame(told(form(`${text}&__proto__=x&constructor=y`)), []);
  },
);

t.test("another grant is unsupported_grant_type in a form, and a violation in JSON", async (t) => {
  for (const grant_type of ["password", "authorization_code", "CLIENT_CREDENTIALS"]) {
    t.equal((await refusalOf(() => form({ ...inForm, grant_type }))).code, "unsupported_grant_type");
    t.strictSame(told(json({ ...snake, grant_type })), ["/grant_type must be client_credentials"]);
  }
});

t.test("HTTP Basic carries id and secret, form-encoded first (RFC 6749 section 2.3.1)", async (t) => {
  const grant = { grant_type: "client_credentials" };
  t.strictSame(form(grant, basic(applicationId, secret)), { ...unnamed, usedBasic: true });
  const secrets = { "a%2Bb": "a+b", "a+b": "a b", "a%3Ab": "a:b", "a:b": "a:b", "%25": "%", "p%C3%A4": "pä" };
  for (const [encoded, expected] of Object.entries(secrets)) {
    t.equal(form(grant, basic(applicationId, encoded)).input.secret, expected, encoded);
  }
  const { authorization = "" } = basic(applicationId, secret);
  t.strictSame(form(grant, { authorization: authorization.replace("Basic", "bAsIc ") }).input, unnamed.input);
});

t.test("one request authenticates in one way", async (t) => {
  for (const beside of [{ client_secret: secret }, { client_id: applicationId, client_secret: secret }]) {
    const doubled = form({ grant_type: "client_credentials", ...beside }, basic(applicationId, secret));
    t.match(told(doubled), [/must not stand beside HTTP Basic/]);
  }
});

t.test(
  "an Authorization that cannot be read is one that nobody knows, and was Basic's attempt",
  async (t) => {
    const grant = { grant_type: "client_credentials" };
    for (const authorization of [
      "Basic",
      "Basic !!!",
      "Bearer abc",
      "Basic bm9jb2xvbg==",
      `Basic ${btoa("%zz:%zz")}`,
      "",
    ]) {
      const { input, usedBasic, violations } = form(grant, { authorization });
      t.strictSame(violations, []);
      t.equal(usedBasic, true, authorization);
      t.match(input, { applicationId: "", secret: "" });
    }
  },
);
