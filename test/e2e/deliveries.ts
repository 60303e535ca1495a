import t from "tap";
import { signIn } from "./support/client.ts";
import { runCommand } from "./support/command.ts";
import { eventually } from "./support/eventually.ts";
import { nothingLogged } from "./support/logs.ts";
import { newReference } from "./support/passes.ts";
import { metricsAnywhere, newMasterKey, startPasswright } from "./support/passwright.ts";
import { createReceiver, deliveriesTo, instruct, rootCertificate } from "./support/sandbox.ts";

const settings = {
  ...metricsAnywhere,
  PASSWRIGHT_MASTER_KEY: newMasterKey(),
  PASSWRIGHT_WEBHOOK_RETRY_SCHEDULE: "0s,100ms",
};
const service = await startPasswright(t, { settings });
const { base_url: baseUrl, template_id, redis_url, sandbox_url: _, ...credentials } = service.announced;
const client = await signIn(baseUrl, credentials);
const ofTenant = ["--tenant", credentials.tenant_id];
const store = { ...settings, PASSWRIGHT_REDIS_URL: redis_url };
/** As an operator types it, with the settings that let the workers reach the sandbox. */
const operator = (...args: string[]) =>
  runCommand([...args, ...ofTenant], {
    settings: {
      ...store,
      PASSWRIGHT_WEBHOOK_CA_FILE: rootCertificate(service),
      PASSWRIGHT_WEBHOOK_ALLOW_CIDRS: "127.0.0.0/8,::1/128",
    },
  });

const secret = "correct horse battery";
const receiver = await createReceiver(service, secret);
const registered = await client.post("/api/v1/webhooks", {
  ...{ url: receiver.url, secret, events: ["pass.revoked", "pass.created"] },
});
const webhookId: string = registered.json.id;
const nobody = "0199d1c5-8a4e-7c3b-9f00-5b1f6a2d7e10";

t.test("an operator sees a tenant's webhooks, and of a secret no more than the tenant does", async (t) => {
  const listed = await operator("webhooks", "list", "--json");
  const shown = listed.json() as { health: object }[];
  t.strictSame(
    shown.map(({ health: _, ...webhook }) => webhook),
    (await client.get("/api/v1/webhooks")).json.data,
  );
  for (const { health } of shown) t.match(health, { breaker: "closed", failures_in_a_row: 0, parked: 0 });
  const table = await operator("webhooks", "list");
  t.match(
    table.stdout,
    new RegExp(`^${webhookId} +yes +closed +0 +0 +corr… +pass.revoked,pass.created +${receiver.url}$`, "m"),
  );
  t.notMatch(listed.stdout + table.stdout, secret);
});

t.test(
  "a test reaches the receiver as a delivery that both signatures vouch for, and leaves no trace",
  async (t) => {
    const result = await operator("webhooks", "test", webhookId, "--json");
    const told = result.json();
    t.match(told, {
      delivered: true,
      status_code: 200,
      event_type: "pass.revoked",
      error: null,
      remedy: null,
    });
    const [delivery, ...others] = await deliveriesTo(service, receiver);
    t.equal(others.length, 0);
    t.match(delivery, {
      status: 200,
      signatures: { x_service_signature: { valid: true }, standard_webhooks: { valid: true } },
      headers: { "x-service-event": "pass.revoked", "x-service-delivery": told.delivery_id },
    });
    t.equal(JSON.parse(delivery?.body ?? "").data.id, "00000000-0000-0000-0000-000000000000");
    const history = await operator("deliveries", "list", "--webhook", webhookId, "--json");
    t.strictSame([history.code, history.stdout.trim()], [4, "[]"]);
  },
);

t.test("a test that fails exits with 1, and says what to do", async (t) => {
  await instruct(service, receiver, { status: 302, fail_first: 1 });
  const moved = await operator("webhooks", "test", webhookId, "--event", "pass.created");
  t.equal(moved.code, 1);
  t.match(moved.stdout, /^status_code +302$/m);
  t.match(moved.stdout, /^error +answered 302\nremedy +Redirects are not followed/m);
  // Without the workers' settings, loopback is no address for a webhook.
  const strict = await runCommand(["webhooks", "test", webhookId, ...ofTenant, "--json"], {
    settings: store,
  });
  t.equal(strict.code, 1);
  t.match(JSON.parse(strict.stdout), {
    delivered: false,
    status_code: null,
    error: /not a public address/,
    remedy: /PASSWRIGHT_WEBHOOK_ALLOW_CIDRS/,
  });
});

t.test("a dead delivery is found, looked at, and sent again once its receiver is well", async (t) => {
  await instruct(service, receiver, { status: 500 });
  const accepted = await client.post("/api/v1/passes", {
    ...{ template_id, intent: "loyalty_card", external_ref: newReference(), data: { member: "Zoë" } },
  });
  const list = (status: string) =>
    operator("deliveries", "list", "--webhook", webhookId, "--status", status, "--json");
  const [dead] = await eventually(async () => {
    const { code, stdout } = await list("dead_lettered");
    return code === 0 ? JSON.parse(stdout) : undefined;
  });
  t.match(dead, { event_type: "pass.created", attempts: [{ status_code: 500 }, { status_code: 500 }] });
  t.equal((await list("delivered")).code, 4);

  const before = (await operator("deliveries", "show", dead.id, "--json")).json();
  const { body, ...record } = before;
  t.strictSame(record, { ...dead, webhook_id: webhookId });
  t.equal(JSON.parse(body).data.id, accepted.json.id);
  const shown = await operator("deliveries", "show", dead.id);
  t.match(shown.stdout, /^2 +\S+ +500 +\d+ ms +answered 500$/m);
  t.ok(shown.stdout.includes(body));

  await instruct(service, receiver, { status: 200 });
  const resent = (await operator("deliveries", "resend", dead.id, "--json")).json();
  t.equal(resent.id, dead.id);
  const after = await eventually(async () => {
    const now = (await operator("deliveries", "show", dead.id, "--json")).json();
    return now.status === "delivered" ? now : undefined;
  });
  t.match(after.attempts, [...dead.attempts, { number: 3, status_code: 200, error: null }]);
  const received = (await deliveriesTo(service, receiver)).filter(
    ({ headers }) => headers["x-service-delivery"] === dead.id,
  );
  t.strictSame(
    received.map((each) => [each.status, each.body]),
    [500, 500, 200].map((status) => [status, body]),
  );
  t.equal((await list("dead_lettered")).code, 4);
});

t.test(
  "what is refused says why: 1 for what cannot be, 2 for wrong usage, 4 for what is not there",
  async (t) => {
    const [delivered] = (await operator("deliveries", "list", "--webhook", webhookId, "--json")).json();
    const off = { method: "PATCH", body: { is_active: false } } as const;
    t.equal((await client.ask(`/api/v1/webhooks/${webhookId}`, off)).status, 200);
    const inactive = await operator("deliveries", "resend", delivered.id, "--json");
    t.match([inactive.code, JSON.parse(inactive.stdout).error], [1, "invalid_state"]);
    for (const [code, ...args] of [
      [4, "webhooks", "test", nobody],
      [4, "deliveries", "show", nobody],
      [4, "deliveries", "resend", nobody],
      [4, "deliveries", "list", "--webhook", nobody],
      [2, "webhooks", "test", webhookId, "--event", "message.sent"],
      [2, "deliveries", "list", "--webhook", webhookId, "--limit", "0"],
      [2, "deliveries", "list", "--webhook", webhookId, "--status", "lost"],
      [2, "deliveries", "list"],
    ] as const) {
      t.equal((await operator(...args)).code, code, args.join(" "));
    }
  },
);

t.test("no secret was logged on the way", async (t) => {
  nothingLogged(t, service, { "a webhook's secret": secret });
});
