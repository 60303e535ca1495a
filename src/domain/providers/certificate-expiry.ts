import type { Clock } from "../clock.ts";
import { fewAtATime } from "../few-at-a-time.ts";
import type { TenantStore } from "../tenants/tenant.ts";
import type { Credentials, ProviderConfigurationStore } from "./configuration.ts";

const dayMs = 86_400_000;

/**
 * How many days before a certificate ends it is spoken of, and how seriously. To renew one takes somebody with an account at
 * Apple, and `passwright providers resign` some time.
 */
export const expiryThresholds = [
  { days: 7, urgency: "critical" },
  { days: 30, urgency: "warning" },
  { days: 60, urgency: "notice" },
] as const;

export type ExpiryThreshold = (typeof expiryThresholds)[number];

/** The nearest threshold that has been crossed, also of what has ended; null while there is time. */
export function expiryThreshold(leftMs: number): ExpiryThreshold | null {
  return expiryThresholds.find(({ days }) => leftMs <= days * dayMs) ?? null;
}

/** A certificate of a tenant: the one that signs its passes, or Apple's intermediate above that. */
export type CertificateExpiry = {
  tenantId: string;
  passTypeIdentifier: string;
  certificate: "signing" | "wwdr";
  endsAtMs: number;
};

/** When Apple's two certificates end. Throws when they are none. */
export type AppleExpiry = (credentials: Credentials["apple"]) => { certificateMs: number; wwdrMs: number };

export type CertificateDeps = {
  tenants: Pick<TenantStore, "list">;
  providerConfigurations: Pick<ProviderConfigurationStore, "credentials">;
  appleExpiry: AppleExpiry;
  clock: Clock;
};

const pageSize = 100;

/**
 * The certificates of all tenants that have Apple Wallet enabled, a page of tenants at a time. Those that cannot be opened are
 * left out: `passwright doctor` speaks of them.
 */
export async function* certificateExpiries(
  deps: Omit<CertificateDeps, "clock">,
): AsyncGenerator<CertificateExpiry[]> {
  for (let page = 1; ; page += 1) {
    const { items, total } = await deps.tenants.list({ page, pageSize });
    yield (await fewAtATime(items, ({ id }) => expiriesOf(deps, id))).flat();
    if (page * pageSize >= total) return;
  }
}

async function expiriesOf(
  deps: Omit<CertificateDeps, "clock">,
  tenantId: string,
): Promise<CertificateExpiry[]> {
  const credentials = await deps.providerConfigurations.credentials(tenantId, "apple").catch(() => null);
  if (credentials === null) return [];
  try {
    const { certificateMs, wwdrMs } = deps.appleExpiry(credentials);
    const named = { tenantId, passTypeIdentifier: credentials.passTypeIdentifier };
    return [
      { ...named, certificate: "signing", endsAtMs: certificateMs },
      { ...named, certificate: "wwdr", endsAtMs: wwdrMs },
    ];
  } catch {
    return [];
  }
}

/** Of each tenant the certificate that ends first: without it nothing is signed, whichever of the two it is. */
export function firstOfEach(expiries: readonly CertificateExpiry[]): CertificateExpiry[] {
  const byTenant = new Map<string, CertificateExpiry>();
  for (const one of expiries) {
    const known = byTenant.get(one.tenantId);
    if (known === undefined || one.endsAtMs < known.endsAtMs) byTenant.set(one.tenantId, one);
  }
  return [...byTenant.values()];
}

/** The tenants whose first certificate ends soonest, `most` of them, the soonest first. */
export async function soonestExpiries(
  deps: Omit<CertificateDeps, "clock">,
  most: number,
): Promise<CertificateExpiry[]> {
  let soonest: CertificateExpiry[] = [];
  for await (const some of certificateExpiries(deps)) {
    soonest = [...soonest, ...firstOfEach(some)].sort((a, b) => a.endsAtMs - b.endsAtMs).slice(0, most);
  }
  return soonest;
}
