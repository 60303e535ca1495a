import type { Test } from "tap";
import type { Surroundings } from "../passes/surroundings.ts";
import { signIn } from "../support/client.ts";
import { type Ask, ask } from "../support/requests.ts";

const unknown = "0199d1c5-8a4e-7c3b-9f00-5b1f6a2d7e10";

export async function orderOfChecks(t: Test, surroundings: Surroundings) {
  const { baseUrl, client, credentials, loyaltyCard, without, strangerTemplate } = surroundings;
  const narrow = await signIn(baseUrl, credentials, "messages:read");

  t.test("each fault hides those that are checked after it", async (t) => {
    const bearer = (token: string) => ({ authorization: `Bearer ${token}` });
    const fault = { body: "{", headers: { "content-type": "text/plain" } };
    const cases: [name: string, path: string, options: Ask, status: number, error: string][] = [
      ["path before token", "/api/v1/nope", { headers: bearer("no") }, 404, "not_found"],
      ["path before method", "/api/v1/nope", { method: "DELETE" }, 404, "not_found"],
      ["method before token", "/api/v1/templates", { method: "PUT" }, 405, "method_not_allowed"],
      ["method before body", "/api/v1/templates", { ...fault, method: "POST" }, 405, "method_not_allowed"],
      ["token before body", "/api/v1/passes", { ...fault, method: "POST" }, 401, "invalid_token"],
      ["token before id", "/api/v1/passes/nope", {}, 401, "invalid_token"],
      ["token before query", "/api/v1/passes?page=0", {}, 401, "invalid_token"],
      [
        "scope before id",
        "/api/v1/passes/nope",
        { headers: bearer(narrow.token) },
        403,
        "insufficient_scope",
      ],
      [
        "scope before query",
        "/api/v1/passes?page=0",
        { headers: bearer(narrow.token) },
        403,
        "insufficient_scope",
      ],
      [
        "scope before body",
        "/api/v1/passes",
        { method: "POST", body: "{", headers: { ...fault.headers, ...bearer(narrow.token) } },
        403,
        "insufficient_scope",
      ],
      ["id before query", "/api/v1/jobs/nope?wait=99", { headers: bearer(client.token) }, 404, "not_found"],
      [
        "query before resource",
        `/api/v1/jobs/${unknown}?wait=99`,
        { headers: bearer(client.token) },
        400,
        "invalid_request",
      ],
    ];
    for (const [name, path, options, status, error] of cases) {
      const reply = await ask(`${baseUrl}${path}`, options);
      t.equal(reply.status, status, name);
      t.match(reply.json, { error }, name);
    }
  });

  t.test("what is wrong with a pass comes before what it would cost", async (t) => {
    const faulty = [
      [loyaltyCard({ data: {} }), "invalid_request"],
      [loyaltyCard({ template_id: unknown }), "invalid_template"],
      [loyaltyCard({ template_id: strangerTemplate }), "invalid_template"],
      [loyaltyCard({ intent: "coupon" }), "intent_mismatch"],
    ] as const;
    for (const [body, error] of faulty) {
      const reply = await without.credits.post("/api/v1/passes", body);
      t.equal(reply.status, 400, error);
      t.match(reply.json, { error });
    }
  });

  t.test("identifiers in a path that are no UUID are not found, like those of nobody", async (t) => {
    const ids = [
      "nope",
      "0",
      unknown.replaceAll("-", ""),
      `{${unknown}}`,
      `${unknown}0`,
      unknown.slice(1),
      `${unknown.slice(0, -1)}g`,
      "%00",
      "..%2f..",
      "%zz",
      "'%20OR%201=1",
      unknown,
      "00000000-0000-0000-0000-000000000000",
      "ffffffff-ffff-ffff-ffff-ffffffffffff",
    ];
    const routes = [
      "passes/ID",
      "jobs/ID",
      "templates/ID",
      "templates/ID/versions/latest",
      "templates/ID/sample",
    ];
    for (const route of routes) {
      for (const id of ids) {
        const reply = await client.get(`/api/v1/${route.replace("ID", id)}`);
        t.equal(reply.status, 404, `${route} with ${id}`);
        t.match(reply.json, { error: "not_found" });
      }
    }
  });
}
