import t from "tap";
import { type CreatePassInput, createPass } from "../../../src/domain/passes/create.ts";
import type { CreateOutcome, PassCreation } from "../../../src/domain/passes/pass.ts";
import type { Template } from "../../../src/domain/templates/template.ts";
import { settableClock } from "../../support/clock.ts";
import {
  examplePass,
  exampleTemplate,
  instant,
  renderable,
  templateId,
  tenantId,
} from "../fixtures/examples.ts";
import { refusalOf } from "../fixtures/refusal.ts";

// What is decided from the answers of the stores. That the real one writes all or nothing is tested in test/redis.

const given: CreatePassInput = {
  tenantId,
  templateId,
  intent: "loyalty_card",
  externalRef: "customer-1",
  data: { member: "Ada" },
  idempotency: { scope: "scope", fingerprint: "fingerprint" },
  traceId: "4bf92f3577b34da6a3ce929d0e0e4736",
  workClass: "interactive",
};

/** A create in a world that answers so; tells what was handed to the store. */
function world(
  answers: {
    outcome?: CreateOutcome;
    template?: Partial<Template> | null;
    wallets?: readonly ("apple" | "google")[];
  } = {},
) {
  const written: PassCreation[] = [];
  const template = answers.template === null ? null : { ...exampleTemplate, ...answers.template };
  let made = 0;
  const id = (): string => `id-${++made}`;
  const deps = {
    templates: {
      find: async () => template,
      renderable: async () => template && { ...renderable, template },
    } as unknown as Parameters<typeof createPass>[0]["templates"],
    providerConfigurations: {
      enabledWallets: async () => answers.wallets ?? ["google", "apple"],
    } as unknown as Parameters<typeof createPass>[0]["providerConfigurations"],
    passes: {
      findRepeated: async () => null,
      async create(creation: PassCreation) {
        written.push(creation);
        return answers.outcome ?? { outcome: "created" };
      },
    } as unknown as Parameters<typeof createPass>[0]["passes"],
    idempotency: {
      recall: async () => null,
      keep: async (_tenantId: string, _claim: unknown, response: string) => ({ response, replayed: false }),
    },
    ids: { uuid: id, beside: id, pageToken: () => "page-token", secret: () => "authentication-token" },
    clock: settableClock(),
    baseUrl: "https://p.example",
  };
  const create = (input: Partial<CreatePassInput> = {}) => createPass(deps, { ...given, ...input });
  return { create, written };
}

t.test("an accepted pass is pending, version 1, with each wallet queued", async (t) => {
  const { create, written } = world();
  const { body, jobId, replayed } = await create();
  const answer = JSON.parse(body);
  const queued = { status: "queued", updated_at: instant };
  t.match(answer, {
    status: "pending",
    version: 1,
    data: { member: "Ada" },
    created_at: instant,
    updated_at: instant,
  });
  t.strictSame(answer.providers, { apple: queued, google: queued });
  t.strictSame([answer.job_id, replayed], [jobId, false]);
  t.match(written, [
    {
      pass: { templateVersion: 3, tenantId },
      traceId: given.traceId,
      idempotency: given.idempotency,
      response: body,
    },
  ]);
});

t.test("the event's body is the documented envelope around exactly the answered resource", async (t) => {
  const { create, written } = world();
  const { body } = await create({ data: { member: "Zoë 🎟" } });
  const event = written[0]?.event;
  t.strictSame(JSON.parse(event?.webhookBody ?? ""), {
    id: event?.id,
    type: "pass.created",
    created_at: instant,
    tenant_id: tenantId,
    data: JSON.parse(body),
  });
});

t.test("only wallets that both the template supports and the tenant has are used", async (t) => {
  const walletsOf = async (answers: Parameters<typeof world>[0]) =>
    Object.keys(JSON.parse((await world(answers).create()).body).providers);
  t.strictSame(await walletsOf({ wallets: ["google"] }), ["google"]);
  t.strictSame(await walletsOf({ template: { providers: ["apple"] } }), ["apple"]);
  for (const answers of [
    { wallets: [] },
    { template: { providers: ["apple" as const] }, wallets: ["google" as const] },
  ]) {
    const { create, written } = world(answers);
    t.equal((await refusalOf(create)).code, "no_providers");
    t.equal(written.length, 0);
  }
});

t.test(
  "template, then intent, then data, then wallets are looked at, and nothing is written on a refusal",
  async (t) => {
    const wrong = { intent: "coupon", data: {} };
    const cases: [Parameters<typeof world>[0], Partial<CreatePassInput>, string][] = [
      [{ template: null, wallets: [] }, wrong, "invalid_template"],
      [{ template: { status: "archived" }, wallets: [] }, wrong, "invalid_template"],
      [{ wallets: [] }, wrong, "intent_mismatch"],
      [{ wallets: [] }, { intent: "LoyaltyCard" }, "intent_mismatch"],
      [{ wallets: [] }, { data: {} }, "invalid_request"],
      [{ wallets: [] }, {}, "no_providers"],
    ];
    for (const [answers, input, code] of cases) {
      const { create, written } = world(answers);
      t.equal((await refusalOf(() => create(input))).code, code);
      t.equal(written.length, 0);
    }
  },
);

t.test("what the store refuses is told by its code", async (t) => {
  const told = {
    key_reused: ["idempotency_key_reused", "conflict"],
    duplicate_external_ref: ["duplicate_external_ref", "conflict"],
    insufficient_credits: ["insufficient_credits", "payment"],
    contract_cap_reached: ["contract_cap_reached", "payment"],
  } as const;
  for (const [outcome, [code, kind]] of Object.entries(told)) {
    const refused = { outcome: outcome as keyof typeof told, left: 0 };
    t.match(await refusalOf(world({ outcome: refused }).create), {
      code,
      kind,
    });
  }
});

t.test("a repeat with the same key is answered with the first response, byte for byte", async (t) => {
  const response = '{"id":"first-pass", "job_id":"first-job", "spaces":  "kept"}';
  t.strictSame(await world({ outcome: { outcome: "replayed", response } }).create(), {
    body: response,
    passId: "first-pass",
    jobId: "first-job",
    replayed: true,
    repeated: false,
  });
});

t.test("a repeat of external_ref is answered as at first, however far the pass has come", async (t) => {
  const outcome = {
    outcome: "repeated" as const,
    pass: examplePass,
    jobId: "first-job",
    wallets: ["apple" as const, "google" as const],
  };
  const { body, jobId, replayed } = await world({ outcome }).create();
  const queued = { status: "queued", updated_at: instant };
  t.match(JSON.parse(body), {
    id: examplePass.id,
    status: "pending",
    version: 1,
    job_id: "first-job",
    data: given.data,
    updated_at: instant,
  });
  t.strictSame(JSON.parse(body).providers, { apple: queued, google: queued });
  t.strictSame([jobId, replayed], ["first-job", true]);
});

t.test("the fingerprint is of template, intent and data, whatever the order of its keys", async (t) => {
  const { create, written } = world();
  await create({ data: { member: "Ada", points: "1" } });
  await create({ data: { points: "1", member: "Ada" }, externalRef: "other", traceId: "other" });
  await create({ data: { member: "Ada", points: "2" } });
  await create({ data: { member: 'A","b":"' } });
  await create({ data: { member: "Ada", points: "1" }, templateId: tenantId });
  const [first, ...others] = written.map(({ fingerprint }) => fingerprint);
  t.strictSame(
    others.map((fingerprint) => fingerprint === first),
    [true, false, false, false],
  );
});
