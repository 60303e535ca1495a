import type { Test } from "tap";
import type { Surroundings } from "../passes/surroundings.ts";
import { issuePass } from "../support/passes.ts";
import { ask } from "../support/requests.ts";
import { traceId } from "../support/shapes.ts";

export async function pathsAndMethods(t: Test, { baseUrl, client, templates, loyaltyCard }: Surroundings) {
  t.test("an unknown path is an error object in JSON, with or without a token", async (t) => {
    const paths = [
      "/nope",
      "/api",
      "/api/v1",
      "/api/v1/nope",
      "/api/v2/passes",
      "/API/V1/passes",
      "/.well-known/nope",
      "/api/v1/../../etc/passwd",
      "/api/v1/%2e%2e/healthz",
      "/p",
    ];
    for (const path of paths) {
      for (const reply of [await ask(`${baseUrl}${path}`), await client.get(path)]) {
        t.equal(reply.status, 404, path);
        t.match(reply.headers["content-type"], /^application\/json/);
        t.match(reply.json, { error: "not_found", error_description: /\S/, trace_id: traceId });
      }
    }
  });

  t.test("a known path with another method says which ones there are", async (t) => {
    const cases = [
      ["DELETE", "/healthz", "GET, HEAD"],
      ["POST", "/readyz", "GET, HEAD"],
      ["POST", "/.well-known/jwks.json", "GET, HEAD"],
      ["PUT", "/.well-known/oauth-authorization-server", "GET, HEAD"],
      ["POST", "/api/v1/templates", "GET, HEAD"],
      ["PATCH", "/api/v1/passes", "GET, HEAD, POST"],
      ["DELETE", `/api/v1/templates/${templates.Coupon}`, "GET, HEAD"],
      ["OPTIONS", "/api/v1/templates", "GET, HEAD"],
      ["TRACE", "/healthz", "GET, HEAD"],
      ["PROPFIND", "/healthz", "GET, HEAD"],
    ] as const;
    for (const [method, path, allowed] of cases) {
      const reply = await ask(`${baseUrl}${path}`, { method });
      t.equal(reply.status, 405, `${method} ${path}`);
      t.match(reply.json, { error: "method_not_allowed", error_description: /\S/, trace_id: traceId });
      t.strictSame(new Set(reply.headers.allow?.split(/,\s*/)), new Set(allowed.split(", ")), path);
    }
  });

  t.test("HEAD works wherever GET does, and answers as GET does but for the body", async (t) => {
    const pass = await issuePass(client, loyaltyCard());
    const { page_url: page, id, job_id: job } = pass.json;
    const paths = [
      "/healthz",
      "/readyz",
      "/nope",
      "/.well-known/jwks.json",
      "/.well-known/oauth-authorization-server",
      "/api/v1/passes",
      "/api/v1/passes?page=0",
      `/api/v1/passes/${id}`,
      "/api/v1/passes/nope",
      `/api/v1/jobs/${job}`,
      "/api/v1/templates",
      `/api/v1/templates/${templates.Coupon}`,
      `/api/v1/templates/${templates.Coupon}/versions/latest`,
      `/api/v1/templates/${templates.Coupon}/sample`,
      new URL(page).pathname,
      `${new URL(page).pathname}/pass.pkpass`,
      `/p/bundle.pkpasses?tokens=${page.split("/").at(-1)}`,
    ];
    for (const path of paths) {
      const [get, head] = [await client.get(path), await client.ask(path, { method: "HEAD" })];
      t.equal(head.status, get.status, path);
      t.equal(head.bytes.length, 0, path);
      for (const name of ["content-type", "cache-control", "etag", "last-modified", "www-authenticate"]) {
        t.equal(head.headers[name], get.headers[name], `${name} of ${path}`);
      }
    }
  });

  t.test("nothing is said of what it is built on, and nothing to other sites' scripts", async (t) => {
    const origin = { origin: "https://elsewhere.example" };
    for (const path of ["/healthz", "/nope", "/api/v1/templates", "/.well-known/jwks.json"]) {
      const { headers } = await client.get(path, origin);
      for (const name of ["server", "x-powered-by", "uwebsockets", "access-control-allow-origin"]) {
        t.equal(headers[name], undefined, `${name} of ${path}`);
      }
    }
    const preflight = await client.ask("/api/v1/passes", {
      method: "OPTIONS",
      headers: { ...origin, "access-control-request-method": "POST" },
    });
    t.equal(preflight.status, 405);
    t.equal(preflight.headers["access-control-allow-origin"], undefined);
  });
}
