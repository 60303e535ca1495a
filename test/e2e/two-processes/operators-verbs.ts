import type { Test } from "tap";
import { askToken, type Client, type Credentials } from "../support/client.ts";
import { createApplication } from "../support/operator.ts";
import { type Everywhere, newcomer, type Surroundings, signInEverywhere, soonAtAll } from "./surroundings.ts";

export async function operatorsVerbs(t: Test, surroundings: Surroundings) {
  const { service, baseUrls } = surroundings;
  const caller = await newcomer(surroundings, { name: "Caller", wallets: [] });
  const verb = async (...args: string[]) => (await service.cli(...args, "--json")).json();
  /** Both processes have just seen the caller in good standing, and may remember. */
  const welcome = async (t: Test, { clients }: Pick<Everywhere, "clients">) => {
    for (const client of clients) t.equal((await client.get("/api/v1/passes")).status, 200);
  };
  const asked = async (client: Client, status: number, error: string): Promise<boolean> => {
    const reply = await client.get("/api/v1/passes");
    return reply.status === status && (status === 200 || reply.json.error === error);
  };
  const refusedAtBoth = (t: Test, { clients }: Everywhere, status: number, error: string) =>
    soonAtAll(t, error, clients, (client) => asked(client, status, error));
  const welcomeAtBoth = (t: Test, { clients }: Everywhere) =>
    soonAtAll(t, "let in", clients, (client) => asked(client, 200, ""));
  const tokenStatuses = (credentials: Credentials) =>
    Promise.all(baseUrls.map(async (url) => (await askToken(url, credentials)).status));

  t.test("tenants suspend and activate", async (t) => {
    await welcome(t, caller);
    await verb("tenants", "suspend", caller.credentials.tenant_id);
    await refusedAtBoth(t, caller, 401, "invalid_client");
    t.strictSame(await tokenStatuses(caller.credentials), [401, 401]);
    await verb("tenants", "activate", caller.credentials.tenant_id);
    await welcomeAtBoth(t, caller);
    t.strictSame(await tokenStatuses(caller.credentials), [200, 200]);
  });

  t.test("applications disable and enable, and no other application of the tenant", async (t) => {
    const { tenant_id: tenant, application_id: id } = caller.credentials;
    const other = await createApplication(service, tenant, "issuer");
    const others = { credentials: other, clients: await signInEverywhere(baseUrls, other) };
    await welcome(t, caller);
    await verb("applications", "disable", id, "--tenant", tenant);
    await refusedAtBoth(t, caller, 403, "unauthorized_client");
    t.strictSame(await tokenStatuses(caller.credentials), [403, 403]);
    await welcome(t, others);
    await verb("applications", "enable", id, "--tenant", tenant);
    await welcomeAtBoth(t, caller);
  });

  t.test(
    "applications rotate-secret: both secrets until the grace period is over, then the new one",
    async (t) => {
      const old = caller.credentials;
      const { tenant_id: tenant, application_id: id } = old;
      const rotate = (grace: string) =>
        verb("applications", "rotate-secret", id, "--tenant", tenant, "--grace", grace);
      const rotated = await rotate("4s");
      const fresh = { ...old, application_secret: rotated.secret };
      const endsAtMs = Date.parse(rotated.old_secret_valid_until);
      t.strictSame(await tokenStatuses(fresh), [200, 200]);
      const early = await tokenStatuses(old);
      if (Date.now() < endsAtMs) t.strictSame(early, [200, 200], "still good");
      await soonAtAll(t, "refused", baseUrls, async (url) => (await askToken(url, old)).status === 401);
      t.ok(Date.now() >= endsAtMs, "and not before its time");
      t.strictSame(await tokenStatuses(fresh), [200, 200]);

      const last = await rotate("0s");
      t.strictSame(await tokenStatuses(fresh), [401, 401], "without a grace period at once");
      t.strictSame(await tokenStatuses({ ...old, application_secret: last.secret }), [200, 200]);
    },
  );

  t.test("tenants delete: when it says so, nobody is let in anywhere", async (t) => {
    const { credentials, clients } = await newcomer(surroundings, { name: "Deleted", wallets: [] });
    await welcome(t, { clients });
    await verb("tenants", "delete", credentials.tenant_id, "--yes");
    for (const client of clients) {
      t.match(await client.get("/api/v1/passes"), { status: 401, json: { error: "invalid_token" } });
    }
    t.strictSame(await tokenStatuses(credentials), [401, 401]);
  });
}
