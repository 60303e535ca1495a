import type { Test } from "tap";
import { signIn } from "../support/client.ts";
import type { Surroundings } from "./surroundings.ts";

const id = "0199d1c5-8a4e-7c3b-9f00-5b1f6a2d7e10";

// biome-ignore format: read as a table
const routes = [
  ["GET",  "/api/v1/passes",                            "passes:read"],
  ["GET",  `/api/v1/passes/${id}`,                      "passes:read"],
  ["POST", "/api/v1/passes",                            "passes:write"],
  ["GET",  "/api/v1/templates",                         "templates:read"],
  ["GET",  `/api/v1/templates/${id}`,                   "templates:read"],
  ["GET",  `/api/v1/templates/${id}/versions/latest`,   "templates:read"],
  ["GET",  `/api/v1/templates/${id}/sample`,            "templates:read"],
  ["POST", "/api/v1/webhooks",                          "webhooks:write"],
  ["GET",  `/api/v1/jobs/${id}`,                        "any"],
] as const;

const scopes = [
  "passes:read",
  "passes:write",
  "templates:read",
  "templates:write",
  "messages:read",
  "messages:write",
  "webhooks:write",
  "analytics:read",
];

export async function scopesOfRoutes(t: Test, { baseUrl, credentials }: Surroundings) {
  for (const scope of scopes) {
    t.test(`a token for ${scope} opens its routes and no other`, async (t) => {
      const client = await signIn(baseUrl, credentials, scope);
      for (const [method, path, needed] of routes) {
        const reply = await client.ask(path, method === "POST" ? { body: {} } : {});
        // Let in, it meets the next check: an empty body, an unknown id, or an answer.
        const expected = method === "POST" ? 400 : path.includes(id) ? 404 : 200;
        const isOpen = needed === "any" || needed === scope;
        t.equal(reply.status, isOpen ? expected : 403, `${method} ${path}`);
        if (!isOpen) t.match(reply.headers["www-authenticate"], `scope="${needed}"`);
      }
    });
  }
}
