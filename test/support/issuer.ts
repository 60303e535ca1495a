import { randomUUID } from "node:crypto";
import type { Clock } from "../../src/domain/clock.ts";
import type { WebhookEventType } from "../../src/domain/events/event.ts";
import { claimKey } from "../../src/domain/idempotency.ts";
import type { Ids } from "../../src/domain/ids.ts";
import { type CreatedPass, type CreatePassInput, createPass } from "../../src/domain/passes/create.ts";
import type { Credentials } from "../../src/domain/providers/configuration.ts";
import type { TemplateContent, WalletKey } from "../../src/domain/templates/template.ts";
import { createTenant } from "../../src/domain/tenants/create.ts";
import type { Billing } from "../../src/domain/tenants/tenant.ts";
import { createIdempotencyStore } from "../../src/redis/idempotency.ts";
import { createPassStore } from "../../src/redis/passes.ts";
import { createProviderConfigurationStore } from "../../src/redis/provider-configurations.ts";
import type { StoreParts } from "../../src/redis/store.ts";
import { createTemplateStore } from "../../src/redis/templates.ts";
import { createTenantStore } from "../../src/redis/tenants.ts";
import { createWebhookStore } from "../../src/redis/webhooks.ts";

export const baseUrl = "https://passes.example.com";

/** Texts that must never be readable in the store. */
export const plainSecrets = {
  appleKey: "-----BEGIN PRIVATE KEY----- apple plaintext",
  googleKey: "-----BEGIN PRIVATE KEY----- google plaintext",
};

export const credentials: Credentials = {
  apple: {
    certificate: "certificate",
    key: plainSecrets.appleKey,
    wwdr: "wwdr",
    passTypeIdentifier: "pass.com.example",
    teamIdentifier: "A1B2C3D4E5",
    apnsUrl: "https://api.push.apple.com",
  },
  google: {
    issuerId: "3388000000012345678",
    clientEmail: "wallet@example.iam.gserviceaccount.com",
    privateKey: plainSecrets.googleKey,
    tokenUrl: "https://oauth2.googleapis.com/token",
    apiUrl: "https://walletobjects.googleapis.com",
  },
};

/** One required Placeholder, `name`, and one with a default, `points`. */
export const content: TemplateContent = {
  fields: [
    { key: "name", label: "Name", kind: "Placeholder" },
    { key: "points", label: "Points", kind: "Placeholder", default: "0", max_length: 6 },
  ],
  header: {
    organization_name: "Example",
    description: "A card",
    background_color: "#ffffff",
    foreground_color: "#000000",
    label_color: "#333333",
    images: ["icon.png"],
  },
  body: { header: [], primary: ["name"], secondary: ["points"], auxiliary: [], back: [] },
  barcode: null,
};

export const icon = Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a, 0x00, 0xff]);

export type Issuer = Awaited<ReturnType<typeof openIssuer>>;

/**
 * A tenant that can create passes: with an opening balance (1000 credits), a published loyalty card, and enabled
 * configurations of the given wallets (both).
 */
export async function openIssuer(
  store: StoreParts & { clock: Clock; ids: Ids },
  options: { billing?: Billing; wallets?: readonly WalletKey[] } = {},
) {
  const { ids, clock } = store;
  const tenants = createTenantStore(store);
  const templates = createTemplateStore(store);
  const providerConfigurations = createProviderConfigurationStore(store);
  const passes = createPassStore(store);
  const tenant = await createTenant(
    { tenants, ids, clock },
    { name: "Example", billing: options.billing ?? { mode: "prepaid", credits: 1000 } },
  );
  const templateId = ids.uuid();
  await templates.publish({
    template: {
      id: templateId,
      tenantId: tenant.id,
      name: "Card",
      type: "LoyaltyCard",
      description: null,
      providers: ["apple", "google"],
      status: "active",
      latestVersion: 1,
      createdAtMs: clock.nowMs(),
    },
    content,
    images: new Map([["icon.png", icon]]),
    publishedAtMs: clock.nowMs(),
  });
  const given = { tenantId: tenant.id, enabled: true, sandbox: true, summary: {}, updatedAtMs: 0 };
  for (const wallet of options.wallets ?? (["apple", "google"] as const)) {
    await providerConfigurations.save({ ...given, wallet }, credentials[wallet]);
  }
  const idempotency = createIdempotencyStore(store);
  const deps = { templates, providerConfigurations, passes, idempotency, ids, clock, baseUrl };

  return {
    ...deps,
    tenants,
    tenantId: tenant.id,
    templateId,
    partition: store.keys.partitionOf(tenant.id),
    /** Creates a pass; what is not given is valid, and `externalRef` new. `through` is another process's store. */
    create(input: Partial<CreatePassInput> = {}, through: StoreParts = store): Promise<CreatedPass> {
      return createPass(
        { ...deps, passes: through === store ? passes : createPassStore(through) },
        {
          tenantId: tenant.id,
          templateId,
          intent: "loyalty_card",
          externalRef: randomUUID(),
          data: { name: "Ada" },
          idempotency: null,
          workClass: "interactive",
          traceId: "4bf92f3577b34da6a3ce929d0e0e4736",
          ...input,
        },
      );
    },
    balance: () => tenants.balance(tenant.id, clock.nowMs()),
    /** Registers a webhook for these events; answers its id. */
    async subscribe(...events: WebhookEventType[]): Promise<string> {
      const id = ids.uuid();
      await createWebhookStore(store).create({
        webhook: {
          id,
          tenantId: tenant.id,
          url: "https://hooks.example.com/passes",
          events,
          isActive: true,
          secretPrefix: "corr",
          createdAtMs: clock.nowMs(),
        },
        secret: "correct horse battery",
        idempotency: null,
        response: "{}",
      });
      return id;
    },
  };
}

/** The claim of a POST /passes with this Idempotency-Key and this body. */
export function keyOf(key: string, body: unknown) {
  return claimKey("POST", "/api/v1/passes", key, Buffer.from(JSON.stringify(body)));
}

/** The pass that an accepted request answered with. */
export function passOf(accepted: Pick<CreatedPass, "body">): { id: string; job_id: string } {
  return JSON.parse(accepted.body);
}
