import type { Test } from "tap";
import type { Credentials } from "../support/client.ts";
import { ask, type Reply } from "../support/requests.ts";
import { isRefusal } from "./json-requests.ts";
import type { Surroundings } from "./surroundings.ts";

const grant = ["grant_type", "client_credentials"] as const;
type Parameters = readonly (readonly [string, string])[];

export async function formRequests(t: Test, { baseUrl, credentials, issuer, stranger }: Surroundings) {
  const url = `${baseUrl}/api/v1/auth/token`;
  const post = (form: string, headers: Record<string, string | string[]> = {}, to = url): Promise<Reply> =>
    ask(to, {
      method: "POST",
      body: form,
      headers: { "content-type": "application/x-www-form-urlencoded", ...headers },
    });
  const form = (parameters: Parameters) =>
    new URLSearchParams(parameters.map(([...pair]) => pair)).toString();
  const own = [
    ["client_id", credentials.application_id],
    ["client_secret", credentials.application_secret],
  ] as const;

  t.test("client_id and client_secret in the body; the tenant follows from the application", async (t) => {
    const reply = await post(form([grant, ...own]));
    t.equal(reply.status, 200, reply.text);
    t.match(reply.json, { token_type: "Bearer", access_token: String, expires_in: Number });
    t.equal(reply.json.refresh_token, undefined, "RFC 6749 section 4.4.3: no refresh token");
    const other = await post(
      form([grant, ["client_id", stranger.application_id], ["client_secret", stranger.application_secret]]),
    );
    t.equal(claimsOf(other).tenant_id, stranger.tenant_id);
  });

  t.test("parameters that it does not know are ignored, and empty ones are not there", async (t) => {
    const more = [
      ["audience", "x"],
      ["resource", "y"],
      ["scope", ""],
    ] as const;
    const reply = await post(form([grant, ...own, ...more]));
    t.equal(reply.status, 200, reply.text);
    t.equal(reply.json.scope.split(" ").length, 8, "an empty scope asks for nothing in particular");
    isRefusal(t, await post(form([["grant_type", ""], ...own])), 400, "invalid_request");
  });

  t.test("the media type may carry a charset and capitals", async (t) => {
    const headers = { "content-type": "Application/X-WWW-Form-URLencoded; charset=UTF-8" };
    t.equal((await post(form([grant, ...own]), headers)).status, 200);
  });

  t.test("HTTP Basic", async (t) => {
    const reply = await post(form([grant]), basic(credentials));
    t.equal(reply.status, 200, reply.text);
    t.equal(claimsOf(reply).client_id, credentials.application_id);
    const spelled = { authorization: basic(credentials).authorization.replace("Basic", "bASIC") };
    t.equal(
      (await post(form([grant]), spelled)).status,
      200,
      "the scheme has no case (RFC 9110 section 11.1)",
    );
    const scoped = await post(form([grant, ["scope", "passes:read"]]), basic(credentials));
    t.equal(scoped.json.scope, "passes:read");
  });

  t.test("HTTP Basic with both parts percent-encoded, as RFC 6749 section 2.3.1 asks", async (t) => {
    const encoded = (value: string) =>
      [...value].map((letter) => `%${letter.charCodeAt(0).toString(16).padStart(2, "0")}`).join("");
    const { application_id, application_secret } = credentials;
    for (const hex of [encoded, (value: string) => encoded(value).toUpperCase()]) {
      const reply = await post(form([grant]), basicOf(`${hex(application_id)}:${hex(application_secret)}`));
      t.equal(reply.status, 200, reply.text);
    }
  });

  t.test("wrong Basic credentials are 401 with a challenge for Basic", async (t) => {
    const { application_id, application_secret } = credentials;
    const wrong = [
      basic({ ...credentials, application_secret: issuer.application_secret }),
      basic({ ...credentials, application_id: stranger.application_id }),
      basicOf(`${application_id}:${application_secret}+`),
      basicOf(`${application_id}:${application_secret}:`),
      basicOf(`${application_id}`),
      basicOf(":"),
      basicOf(""),
      { authorization: "Basic ****" },
      { authorization: `Bearer ${application_secret}` },
    ];
    for (const headers of wrong) {
      const reply = await post(form([grant]), headers);
      isRefusal(t, reply, 401, "invalid_client");
      t.match(reply.headers["www-authenticate"], /^Basic\b/, headers.authorization);
    }
    for (const headers of [
      basicOf(`${application_id}:%zz`),
      basicOf(`${application_id}:%`),
      basicOf(`${application_id}:\xff`),
    ]) {
      isRefused(t, await post(form([grant]), headers));
    }
  });

  t.test("wrong credentials in the body are 401", async (t) => {
    const [id, secret] = own;
    const wrong: Parameters[] = [
      [grant, id, ["client_secret", issuer.application_secret]],
      [grant, ["client_id", stranger.application_id], secret],
      [grant, ["client_id", "nobody"], secret],
    ];
    for (const parameters of wrong) isRefusal(t, await post(form(parameters)), 401, "invalid_client");
  });

  t.test("a parameter that is there twice", async (t) => {
    const twice: Parameters[] = [
      [grant, grant, ...own],
      [grant, ...own, own[0]],
      [grant, ...own, own[1]],
      [grant, ...own, ["scope", "passes:read"], ["scope", "passes:read"]],
    ];
    for (const parameters of twice) isRefusal(t, await post(form(parameters)), 400, "invalid_request");
  });

  t.test("two ways of naming oneself at once", async (t) => {
    isRefusal(t, await post(form([grant, ...own]), basic(credentials)), 400, "invalid_request");
    isRefusal(t, await post(form([grant, own[1]]), basic(credentials)), 400, "invalid_request");
  });

  t.test("credentials in the address are none", async (t) => {
    isRefused(t, await post(form([grant]), {}, `${url}?${form(own)}`));
    isRefused(t, await post("", {}, `${url}?${form([grant, ...own])}`));
  });

  t.test("other grants are unsupported_grant_type, and none at all is invalid_request", async (t) => {
    for (const name of ["password", "authorization_code", "urn:ietf:params:oauth:grant-type:jwt-bearer"]) {
      isRefusal(t, await post(form([["grant_type", name], ...own])), 400, "unsupported_grant_type");
    }
    isRefusal(t, await post(form(own)), 400, "invalid_request");
  });

  t.test("a scope beyond the application's is invalid_scope", async (t) => {
    for (const scope of ["webhooks:write", "passes:read everything"]) {
      isRefusal(t, await post(form([grant, ["scope", scope]]), basic(issuer)), 400, "invalid_scope");
    }
  });

  t.test("any other media type, or none", async (t) => {
    for (const type of [
      "text/plain",
      "multipart/form-data; boundary=x",
      "application/x-www-form-urlencodedx",
    ]) {
      isRefusal(t, await post(form([grant, ...own]), { "content-type": type }), 400, "invalid_request");
    }
    isRefusal(t, await ask(url, { method: "POST", body: form([grant, ...own]) }), 400, "invalid_request");
  });

  t.test("POST is the only method", async (t) => {
    for (const method of ["GET", "PUT", "DELETE", "OPTIONS"]) {
      const reply = await ask(url, { method });
      t.equal(reply.status, 405, method);
      t.equal(reply.headers.allow, "POST");
      t.match(reply.json, { error: "method_not_allowed" });
    }
  });
}

/** Where the norms leave it open as what. */
function isRefused(t: Test, { status, text }: Reply) {
  t.ok([400, 401].includes(status), `${status} ${text}`);
}

function basic({ application_id, application_secret }: Credentials) {
  return basicOf(`${application_id}:${application_secret}`);
}

function basicOf(pair: string) {
  return { authorization: `Basic ${Buffer.from(pair, "latin1").toString("base64")}` };
}

function claimsOf({ json }: Reply): ReturnType<typeof JSON.parse> {
  return JSON.parse(Buffer.from(json.access_token.split(".")[1], "base64url").toString());
}
