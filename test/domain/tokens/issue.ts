import { randomBytes } from "node:crypto";
import t from "tap";
import type { Application } from "../../../src/domain/applications/application.ts";
import { newSecret, secretHint } from "../../../src/domain/applications/secret.ts";
import type { Tenant, TenantStore } from "../../../src/domain/tenants/tenant.ts";
import { issueToken, type TokenRequest } from "../../../src/domain/tokens/issue.ts";
import type { AccessTokens } from "../../../src/domain/tokens/token.ts";
import { settableClock } from "../../support/clock.ts";
import {
  applicationId,
  exampleApplication,
  exampleTenant,
  otherTenantId,
  tenantId,
} from "../fixtures/examples.ts";
import { refusalOf } from "../fixtures/refusal.ts";

const clock = settableClock();
const peppers = [randomBytes(32)];
const pepper = peppers[0] ?? randomBytes(32);
const [secret, graceSecret, unknownSecret] = [newSecret(pepper), newSecret(pepper), newSecret(pepper)];
const stored = (of: string, expiresAtMs: number | null = null) => ({
  hash: `hash of ${of}`,
  hint: secretHint(of),
  createdAtMs: 0,
  expiresAtMs,
});
const active: Application = { ...exampleApplication, secrets: [stored(secret)] };

/** Issues a token in a world of one tenant and one application; tells what was hashed and signed. */
async function ask(
  request: Partial<TokenRequest>,
  world: { tenant?: Tenant | null; application?: Application; signingMs?: number } = {},
) {
  const { tenant = exampleTenant, application = active } = world;
  const hashed: (string | null)[] = [];
  const signed: Parameters<AccessTokens["sign"]>[0][] = [];
  const deps = {
    tenants: { find: async (id: string) => (tenant?.id === id ? tenant : null) } as TenantStore,
    applications: {
      find: async (id: string) => (application.id === id ? application : null),
    } as Parameters<typeof issueToken>[0]["applications"],
    hasher: {
      hash: async () => "",
      async verify(hash: string | null, given: string) {
        hashed.push(hash);
        return hash === `hash of ${given}`;
      },
    },
    accessTokens: {
      async sign(claims: Parameters<AccessTokens["sign"]>[0]) {
        signed.push(claims);
        clock.forward(world.signingMs ?? 0);
        return "a.signed.token";
      },
    } as AccessTokens,
    peppers,
    ids: { uuid: () => "jti" } as Parameters<typeof issueToken>[0]["ids"],
    clock,
  };
  const outcome = await issueToken(deps, { tenantId, applicationId, secret, scope: null, ...request }).then(
    (issued) => ({ issued }),
    async (error) => ({ refusal: await refusalOf(() => Promise.reject(error)) }),
  );
  return { ...outcome, hashed, signed };
}

/** The code with which a request is refused, and how often that took a hash. */
async function refused(...args: Parameters<typeof ask>): Promise<[string, number]> {
  const { hashed, signed, ...outcome } = await ask(...args);
  t.equal(signed.length, 0, "nothing is signed for who is refused");
  return ["refusal" in outcome ? outcome.refusal.code : "issued", hashed.length];
}

t.test(
  "the right secret gets a token for 60 minutes, with all that the application's type grants",
  async (t) => {
    clock.setTo("2026-11-21T06:43:46.000Z");
    const { signed, hashed, ...outcome } = await ask({});
    const issuedAt = clock.nowMs() / 1000;
    t.match(outcome, {
      issued: {
        accessToken: "a.signed.token",
        expiresIn: 3600,
        expiresAt: issuedAt + 3600,
        scope: /^passes:read .* analytics:read$/,
      },
    });
    t.match(signed, [{ id: "jti", tenantId, applicationId, issuedAt, expiresAt: issuedAt + 3600 }]);
    t.equal(signed[0]?.scopes.length, 8);
    t.strictSame(hashed, [`hash of ${secret}`]);
  },
);

t.test("expires_in is the whole seconds that are left", async (t) => {
  clock.setTo("2026-11-21T06:43:46.999Z");
  const outcome = await ask({});
  t.match(outcome, { issued: { expiresIn: 3599 } });
});

t.test("expires_in is 3599 also when a second passes while the token is signed", async (t) => {
  clock.setTo("2026-11-21T06:43:46.990Z");
  t.match(await ask({}, { signingMs: 20 }), { issued: { expiresIn: 3599 } });
});

t.test("OAuth clients do not name a tenant: it follows from the application", async (t) => {
  t.match((await ask({ tenantId: null })).signed, [{ tenantId }]);
});

t.test(
  "whatever is wrong with a well-formed attempt costs exactly one hash, and is told the same",
  async (t) => {
    const expired = { ...active, secrets: [stored(unknownSecret), stored(secret, clock.nowMs())] };
    const attempts: [string, Parameters<typeof ask>][] = [
      ["unknown application", [{ applicationId: otherTenantId }]],
      ["an application id that is none", [{ applicationId: "x" }]],
      ["unknown tenant", [{ tenantId: otherTenantId }]],
      ["wrong secret", [{ secret: unknownSecret }]],
      ["a secret that is over", [{}, { application: expired }]],
      ["an application without secrets", [{}, { application: { ...active, secrets: [] } }]],
      ["a tenant that is gone", [{}, { tenant: null }]],
    ];
    const told = new Set<string>();
    for (const [what, args] of attempts) {
      t.strictSame(await refused(...args), ["invalid_client", 1], what);
      const outcome = await ask(...args);
      if ("refusal" in outcome) told.add(JSON.stringify([outcome.refusal.detail, outcome.refusal.details]));
    }
    t.equal(told.size, 1, "nobody learns which of them it was");
  },
);

t.test("garbage is refused without a hash", async (t) => {
  for (const garbage of ["", "password", `${secret.slice(0, -1)}!`, newSecret(randomBytes(32))]) {
    t.strictSame(await refused({ secret: garbage }), ["invalid_client", 0], garbage);
  }
});

t.test("a secret whose checksum is of a master key that was replaced since goes on working", async (t) => {
  const older = newSecret(randomBytes(32));
  const { hashed, signed } = await ask(
    { secret: older },
    { application: { ...active, secrets: [stored(older)] } },
  );
  t.equal(signed.length, 1);
  t.strictSame(hashed, [`hash of ${older}`]);
  t.strictSame(await refused({ secret: older }), ["invalid_client", 0], "and nobody else's is hashed for it");
});

t.test("the secret is checked first, then the tenant, then the application, then the scope", async (t) => {
  const suspended = { ...exampleTenant, status: "suspended" as const };
  const disabled: Application = { ...active, status: "disabled" };
  const world = { tenant: suspended, application: disabled };
  const asked = { scope: "nothing:known" };
  const wrong = await ask({ ...asked, secret: unknownSecret }, world);
  const noTenant = await ask(asked, world);
  t.match(wrong, { refusal: { code: "invalid_client", detail: /wrong secret/ } });
  t.match(noTenant, { refusal: { code: "invalid_client", detail: /suspended/ } });
  t.strictSame(await refused(asked, { application: disabled }), ["unauthorized_client", 1]);
  t.strictSame(await refused(asked), ["invalid_scope", 1]);
});

t.test("two secrets work side by side until the older one's grace is over", async (t) => {
  const endsAtMs = clock.nowMs() + 1000;
  const application = { ...active, secrets: [stored(secret), stored(graceSecret, endsAtMs)] };
  t.strictSame((await ask({ secret: graceSecret }, { application })).hashed, [`hash of ${graceSecret}`]);
  t.ok("issued" in (await ask({ secret: graceSecret }, { application })));
  t.ok("issued" in (await ask({}, { application })));
  clock.setTo(endsAtMs);
  t.strictSame(await refused({ secret: graceSecret }, { application }), ["invalid_client", 1]);
  t.ok("issued" in (await ask({}, { application })));
});

t.test("a scope asks for a subset, in any order and with repeats", async (t) => {
  const granted = async (scope: string) => {
    const outcome = await ask({ scope });
    return "issued" in outcome ? outcome.issued.scope : outcome.refusal.code;
  };
  t.equal(await granted("passes:read"), "passes:read");
  t.equal(await granted("webhooks:write passes:read  passes:read"), "passes:read webhooks:write");
  t.equal(await granted(" "), await granted(""));
  t.match(await granted(""), /^passes:read .*analytics:read$/);
  for (const scope of ["passes:read admin", "PASSES:READ", "passes", "constructor"]) {
    t.equal(await granted(scope), "invalid_scope", scope);
  }
});

t.test("a scope beyond the application's type is refused, without an echo of what was asked", async (t) => {
  const application: Application = { ...active, type: "reporting" };
  const outcome = await ask({ scope: 'passes:write "<script>' }, { application });
  t.match(outcome, { refusal: { code: "invalid_scope", detail: /type reporting/ } });
  if ("refusal" in outcome)
    t.match(outcome.refusal.detail, /^[\x20\x21\x23-\x5b\x5d-\x7e]*$/, "RFC 6749 section 5.2");
});
