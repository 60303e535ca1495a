import type { Test } from "tap";
import { askToken } from "../support/client.ts";
import { createApplication } from "../support/operator.ts";
import { recorded, typedClient } from "../support/typed-client.ts";
import type { Surroundings } from "./surroundings.ts";

const tokenPath = "/api/v1/auth/token";

export async function tokens(t: Test, { service, baseUrl, credentials }: Surroundings) {
  t.test("a hundred calls at once take one token", async (t) => {
    const { facts, onResponse } = recorded();
    const { passes } = typedClient(baseUrl, credentials, { onResponse });
    await Promise.all(Array.from({ length: 100 }, () => passes.list({ page_size: 1 })));
    t.equal(facts.filter(({ path }) => path === tokenPath).length, 1);
    t.ok(facts.every(({ status }) => status === 200));
  });

  t.test("429 is waited for as long as the service says", async (t) => {
    const asking = Array.from({ length: 11 }, () => askToken(baseUrl, credentials, { grant_type: "none" }));
    t.ok((await Promise.all(asking)).some(({ status }) => status === 429));
    const { facts, onResponse } = recorded();
    const startedAtMs = performance.now();
    await typedClient(baseUrl, credentials, { onResponse }).passes.list();
    const waitedMs = performance.now() - startedAtMs;
    const refused = facts.filter(({ status }) => status === 429);
    t.ok(refused.length > 0);
    const toldMs = refused.map(({ headers }) => Number(headers.get("retry-after")) * 1000);
    t.ok(
      waitedMs >= toldMs.reduce((sum, ms) => sum + ms, 0),
      `${waitedMs} ms, told to wait ${toldMs.join(" and ")}`,
    );
    t.match(facts.at(-1), { path: "/api/v1/passes", status: 200 });
  });

  t.test("a token that the service takes back is replaced", async (t) => {
    const { facts, onResponse } = recorded();
    const client = typedClient(baseUrl, credentials, { onResponse });
    await client.passes.list();
    const keys = (await service.cli("keys", "list", "--json")).json();
    const active = keys.find(({ state }: { state: string }) => state === "active");
    await service
      .cli("keys", "rotate", "--compromised", active.kid, "--yes", "--json")
      .then((done) => done.json());
    // Every process knows within five seconds.
    while (!facts.some(({ status }) => status === 401)) await client.passes.list();
    const refusedAt = facts.findIndex(({ status }) => status === 401);
    t.match(facts.slice(refusedAt), [
      { path: "/api/v1/passes", status: 401 },
      { path: tokenPath, status: 200 },
      { path: "/api/v1/passes", status: 200 },
    ]);
  });

  t.test("a secret that is rotated is taken up without a restart", async (t) => {
    const application = await createApplication(service, credentials.tenant_id, "issuer");
    const { tenant_id: tenant, application_id: id } = application;
    let secret = application.application_secret;
    const client = typedClient(baseUrl, application, { applicationSecret: () => secret });
    await client.passes.list();
    const rotated = await service.cli("applications", "rotate-secret", id, "--tenant", tenant, "--json");
    secret = rotated.json().secret;
    t.not(secret, application.application_secret);
    await client.passes.list();
    for (const either of [secret, application.application_secret]) {
      const other = typedClient(baseUrl, application, { applicationSecret: either });
      t.ok((await other.passes.list()).total > 0, "the old one is good for a while");
    }
  });

  t.test("an application that is disabled is told so, token or not", async (t) => {
    const application = await createApplication(service, credentials.tenant_id, "issuer");
    const client = typedClient(baseUrl, application);
    await client.passes.list();
    const { tenant_id: tenant, application_id: id } = application;
    (await service.cli("applications", "disable", id, "--tenant", tenant, "--json")).json();
    const refusal = async () => {
      for (;;) await client.passes.list();
    };
    await t.rejects(refusal(), { status: 403, code: "unauthorized_client" });
  });
}
