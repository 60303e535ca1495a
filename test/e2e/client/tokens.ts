import type { Test } from "tap";
import { askToken } from "../support/client.ts";
import { eventually } from "../support/eventually.ts";
import { createApplication } from "../support/operator.ts";
import { recorded, typedClient } from "../support/typed-client.ts";
import type { Surroundings } from "./surroundings.ts";

const tokenPath = "/api/v1/auth/token";

export async function tokens(t: Test, { service, baseUrl, credentials }: Surroundings) {
  const application = await createApplication(service, credentials.tenant_id, "issuer");
  const { tenant_id: tenant, application_id: id } = application;

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

  t.test("a token that the service takes back is replaced, with the secret of the day", async (t) => {
    const { facts, onResponse } = recorded();
    let secret = application.application_secret;
    const given: string[] = [];
    const applicationSecret = () => {
      given.push(secret);
      return secret;
    };
    const client = typedClient(baseUrl, application, { onResponse, applicationSecret });
    await client.passes.list();

    const rotated = await service.cli("applications", "rotate-secret", id, "--tenant", tenant, "--json");
    secret = rotated.json().secret;
    t.not(secret, application.application_secret);
    const keys = (await service.cli("keys", "list", "--json")).json();
    const active = keys.find(({ state }: { state: string }) => state === "active");
    (await service.cli("keys", "rotate", "--compromised", active.kid, "--yes", "--json")).json();

    await eventually(async () => {
      await client.passes.list();
      return facts.find(({ status }) => status === 401);
    });
    t.strictSame(
      facts.slice(facts.findIndex(({ status }) => status === 401)).map(({ path, status }) => [path, status]),
      [
        ["/api/v1/passes", 401],
        [tokenPath, 200],
        ["/api/v1/passes", 200],
      ],
    );
    t.strictSame(given, [application.application_secret, secret]);
    t.ok(
      (await typedClient(baseUrl, application).passes.list()).total > 0,
      "the old one is good for a while",
    );
  });

  t.test("an application that is disabled is told so, token or not", async (t) => {
    const client = typedClient(baseUrl, application);
    await client.passes.list();
    (await service.cli("applications", "disable", id, "--tenant", tenant, "--json")).json();
    const refusal = eventually(async () => {
      await client.passes.list();
      return undefined;
    });
    await t.rejects(refusal, { status: 403, code: "unauthorized_client" });
  });
}
