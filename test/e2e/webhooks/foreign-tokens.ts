import type { Test } from "tap";
import { withToken } from "../support/client.ts";
import type { Surroundings } from "./surroundings.ts";

// The only way to get a token with a valid signature and another issuer and audience: two services on one store.

export async function foreignTokens(t: Test, { baseUrl, client, strict, credentials }: Surroundings) {
  t.test("a valid signature over another issuer and audience opens nothing", async (t) => {
    t.equal((await strict.get("/api/v1/templates")).status, 200, "at home it does");
    const foreign = withToken(baseUrl, strict.token, credentials.tenant_id);
    const reply = await foreign.get("/api/v1/templates");
    t.equal(reply.status, 401);
    t.match(reply.json, { error: "invalid_token" });
    t.match(reply.headers["www-authenticate"], /^Bearer\b.*error="invalid_token"/);
  });

  t.test("both services are one in all else", async (t) => {
    const [here, there] = [await client.get("/api/v1/passes"), await strict.get("/api/v1/passes")];
    t.equal(here.json.total, there.json.total);
  });
}
