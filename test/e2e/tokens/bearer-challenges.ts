import type { Test } from "tap";
import { signIn } from "../support/client.ts";
import { ask, withoutTrace } from "../support/requests.ts";
import type { Surroundings } from "./surroundings.ts";

export async function bearerChallenges(t: Test, { baseUrl, credentials, issuer, reporting }: Surroundings) {
  const templates = `${baseUrl}/api/v1/templates`;
  const { token } = await signIn(baseUrl, credentials);

  t.test("a token is taken, whatever the case of the scheme", async (t) => {
    for (const scheme of ["Bearer", "bearer", "BEARER"]) {
      const reply = await ask(templates, { headers: { authorization: `${scheme} ${token}` } });
      t.equal(reply.status, 200, scheme);
    }
  });

  t.test("who brings nothing is challenged without an error code (RFC 6750 section 3.1)", async (t) => {
    for (const path of ["templates", "passes", "jobs/0199d1c5-8a4e-7c3b-9f00-5b1f6a2d7e10"]) {
      const reply = await ask(`${baseUrl}/api/v1/${path}`);
      t.equal(reply.status, 401, path);
      t.match(reply.json, { error: "invalid_token", error_description: String, trace_id: String });
      t.match(reply.headers["www-authenticate"], /^Bearer\b/);
      t.notMatch(reply.headers["www-authenticate"], /error/);
    }
  });

  t.test("a token anywhere else is not looked at (RFC 9700 section 4.3.2)", async (t) => {
    const inQuery = await ask(`${templates}?access_token=${token}`);
    t.equal(inQuery.status, 401);
    t.equal((await ask(templates, { headers: { cookie: `access_token=${token}` } })).status, 401);
    t.equal((await ask(templates, { headers: { "x-access-token": token } })).status, 401);
  });

  t.test("two tokens, or another scheme, are not taken", async (t) => {
    const pair = `${credentials.application_id}:${credentials.application_secret}`;
    const others = [
      `Basic ${Buffer.from(pair).toString("base64")}`,
      `Token ${token}`,
      `Bearer ${token} ${token}`,
      `Bearer ${token}, Bearer ${token}`,
      `Bearer${token}`,
      "Bearer",
      "Bearer ",
      token,
    ];
    for (const authorization of others) {
      const reply = await ask(templates, { headers: { authorization } });
      t.equal(reply.status, 401, authorization.slice(0, 20));
      t.match(reply.headers["www-authenticate"], /^Bearer\b/);
    }
    const twice = await ask(templates, {
      headers: { authorization: [`Bearer ${token}`, `Bearer ${token}`] },
    });
    t.ok([400, 401].includes(twice.status), `the header twice: ${twice.status}`);
  });

  t.test("a missing scope is named in the body's code and in the challenge", async (t) => {
    const cases = [
      [reporting, "passes", "passes:write"],
      [reporting, "webhooks", "webhooks:write"],
      [issuer, "webhooks", "webhooks:write"],
    ] as const;
    for (const [who, noun, scope] of cases) {
      const client = await signIn(baseUrl, who);
      const reply = await client.post(`/api/v1/${noun}`, {});
      t.equal(reply.status, 403, `${noun}: ${reply.text}`);
      t.match(reply.json, { error: "insufficient_scope" });
      t.match(reply.headers["www-authenticate"], /^Bearer\b.*error="insufficient_scope"/);
      t.match(reply.headers["www-authenticate"], new RegExp(`scope="${scope}"`));
    }
  });

  t.test("refusals of one kind look the same wherever they come from", async (t) => {
    const client = await signIn(baseUrl, reporting);
    const headers = { authorization: "Bearer no" };
    const [one, other] = [
      await ask(templates, { headers }),
      await ask(`${baseUrl}/api/v1/passes`, { headers }),
    ];
    t.strictSame(withoutTrace(one), withoutTrace(other));
    t.equal((await client.get("/api/v1/passes")).status, 200, "and the right scope is let in");
  });
}
