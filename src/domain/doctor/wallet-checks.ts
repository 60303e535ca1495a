import { isoInstant } from "../clock.ts";
import { PasswrightError } from "../errors.ts";
import { expiryThreshold } from "../providers/certificate-expiry.ts";
import type { Credentials } from "../providers/configuration.ts";
import { isGooglesOwn, whyNotPublic } from "../providers/public-address.ts";
import type { WalletKey } from "../templates/template.ts";
import type { Tenant } from "../tenants/tenant.ts";
import {
  type Check,
  counted,
  type Finding,
  failed,
  ok,
  reasonOf,
  spanOf,
  unknown,
  warning,
} from "./check.ts";
import type { Installation } from "./ports.ts";
import { type OpenedAccess, ofTenants, openedAccess, someTenants } from "./some-tenants.ts";

type Needs = Pick<Installation, "tenants" | "mostTenants" | "providerConfigurations">;

/** Accounts that are tried, so that a check ends in time; each takes a second or so. */
const mostAccounts = 10;

export const appleCertificates: Check<Needs & Pick<Installation, "clock" | "appleExpiry">> = {
  name: "apple-certificates",
  expects:
    "no tenant's Pass Type ID certificate, nor the WWDR certificate above it, ends within 30 days; within 60 it is said, within 7 it is wrong",
  async look(needs) {
    const nowMs = needs.clock.nowMs();
    const sample = await someTenants(needs);
    const { readable, sealed } = sorted(await openedAccess(needs, sample.tenants, "apple"));
    const findings = readable.flatMap(({ tenant, credentials }): Finding[] => {
      const remedy = `Renew it at developer.apple.com, then: passwright providers set apple --tenant ${tenant.id}`;
      try {
        const { certificateMs, wwdrMs } = needs.appleExpiry(credentials);
        const name = credentials.passTypeIdentifier;
        return [
          ...ending(
            `The certificate ${name} of the tenant ${tenant.id}`,
            certificateMs - nowMs,
            certificateMs,
            remedy,
          ),
          ...ending(
            `The WWDR certificate of ${name} of the tenant ${tenant.id}`,
            wwdrMs - nowMs,
            wwdrMs,
            `Take the present one from https://www.apple.com/certificateauthority/, then: passwright providers set apple --tenant ${tenant.id}`,
          ),
        ];
      } catch (error) {
        return [
          failed(`The certificates of the tenant ${tenant.id} cannot be read: ${reasonOf(error)}`, remedy),
        ];
      }
    });
    if (sealed.length > 0) findings.push(unopened(sealed.length, "Apple"));
    if (findings.length > 0) return findings;
    return [ok(`${counted(readable.length, "certificate")} ${ofTenants(sample)}, none ends soon.`)];
  },
};

export const google: Check<Needs & Pick<Installation, "reach">> = {
  name: "google-wallet",
  expects:
    "Google's token endpoint and Wallet API can be reached, and accept the tenants' service accounts (10 at most)",
  only: "online",
  async look(needs) {
    const sample = await someTenants(needs);
    const { readable, sealed } = sorted(await openedAccess(needs, sample.tenants, "google"));
    const tried = onePer(
      readable,
      ({ clientEmail, issuerId, apiUrl }) => `${clientEmail} ${issuerId} ${apiUrl}`,
    );
    const findings = await tryAll(tried.slice(0, mostAccounts), async ({ tenant, credentials }) => {
      try {
        await needs.reach.google(credentials);
        return [];
      } catch (error) {
        const told = `Google Wallet, as the tenant ${tenant.id} uses it: ${reasonOf(error)}`;
        return [failed(told, remedyFor(error, tenant.id))];
      }
    });
    if (sealed.length > 0) findings.push(unopened(sealed.length, "Google"));
    if (findings.length > 0) return findings;
    if (tried.length === 0) return [ok("No tenant uses Google Wallet.")];
    return [
      ok(
        `${Math.min(tried.length, mostAccounts)} of ${counted(tried.length, "service account")} tried, all accepted.`,
      ),
    ];
  },
};

export const publicAddress: Check<Needs & Pick<Installation, "policies">> = {
  name: "public-address",
  expects:
    "where a tenant uses Google Wallet, `PASSWRIGHT_BASE_URL` is a public https address: Google fetches the pictures of passes there",
  async look(needs) {
    const sample = await someTenants(needs);
    const { readable } = sorted(await openedAccess(needs, sample.tenants, "google"));
    const concerned = readable.filter(({ credentials }) => isGooglesOwn(credentials));
    if (concerned.length === 0) return [ok("No tenant uses Google's own Google Wallet.")];
    const why = whyNotPublic(needs.policies.baseUrl);
    if (why === null) return [ok(`Google can fetch pictures from ${needs.policies.baseUrl}.`)];
    return [
      warning(
        `PASSWRIGHT_BASE_URL ${why}: passes of ${counted(concerned.length, "tenant")} go to Google without pictures, and Google refuses classes that need a logo.`,
        "Give serve, worker and doctor the public https address as PASSWRIGHT_BASE_URL.",
      ),
    ];
  },
};

export const googleDemoMode: Check<Needs> = {
  name: "google-demo-mode",
  expects:
    "it is known which tenants' issuers are in Google's demo mode, where only test accounts can save passes",
  async look(needs) {
    const sample = await someTenants(needs);
    const { readable } = sorted(await openedAccess(needs, sample.tenants, "google"));
    const demos = readable.filter(({ credentials }) => credentials.demoMode === true);
    if (demos.length === 0) return [ok(`No issuer ${ofTenants(sample)} is said to be in demo mode.`)];
    return demos.map(({ tenant, credentials }) =>
      ok(
        `The issuer ${credentials.issuerId} of the tenant ${tenant.id} is in demo mode: only its test accounts can save passes. Once Google has granted it publishing access: passwright providers set google --tenant ${tenant.id} --no-demo-mode`,
      ),
    );
  },
};

export const apns: Check<Needs & Pick<Installation, "reach">> = {
  name: "apns",
  expects: "Apple's push service can be reached",
  only: "online",
  async look(needs) {
    const sample = await someTenants(needs);
    const { readable } = sorted(await openedAccess(needs, sample.tenants, "apple"));
    const origins = [...new Set(readable.map(({ credentials }) => credentials.apnsUrl))].slice(
      0,
      mostAccounts,
    );
    if (origins.length === 0) return [ok("No tenant uses Apple Wallet.")];
    const findings = await tryAll(origins, async (origin) => {
      try {
        await needs.reach.wallet(origin);
        return [];
      } catch (error) {
        return [failed(`${origin}: ${reasonOf(error)}`, "Let this machine reach it, outward on that port.")];
      }
    });
    return findings.length > 0 ? findings : [ok(`${origins.join(", ")} can be reached.`)];
  },
};

function remedyFor(error: unknown, tenantId: string): string {
  const known = error instanceof PasswrightError ? error.remedy : undefined;
  if (error instanceof PasswrightError && error.kind !== "invalid") {
    return (
      known ??
      "Let this machine reach oauth2.googleapis.com and walletobjects.googleapis.com; see status.cloud.google.com."
    );
  }
  return `${known ?? "Correct the service account at Google."} If there are new credentials: passwright providers set google --tenant ${tenantId}`;
}

function ending(what: string, leftMs: number, endMs: number, remedy: string): Finding[] {
  const threshold = expiryThreshold(leftMs);
  if (threshold === null) return [];
  if (leftMs <= 0)
    return [failed(`${what} has expired, on ${isoInstant(endMs)}: no pass can be signed.`, remedy)];
  const told = `${what} ends in ${spanOf(leftMs)}, on ${isoInstant(endMs)}.`;
  switch (threshold.urgency) {
    case "critical":
      return [failed(told, remedy)];
    case "warning":
      return [warning(told, remedy)];
    case "notice":
      return [ok(`${told} ${remedy}`)];
  }
}

function unopened(count: number, wallet: string): Finding {
  return unknown(
    `${counted(count, "configuration")} of ${wallet} could not be opened.`,
    "See what master-keys says.",
  );
}

type Access<Wallet extends WalletKey> = { tenant: Tenant; credentials: Credentials[Wallet] };

function sorted<Wallet extends WalletKey>(opened: readonly OpenedAccess<Wallet>[]) {
  const readable: Access<Wallet>[] = [];
  const sealed: unknown[] = [];
  for (const one of opened) {
    if ("error" in one) sealed.push(one.error);
    else readable.push(one);
  }
  return { readable, sealed };
}

function onePer<Wallet extends WalletKey>(
  accesses: readonly Access<Wallet>[],
  key: (credentials: Credentials[Wallet]) => string,
): Access<Wallet>[] {
  return [...new Map(accesses.map((access) => [key(access.credentials), access])).values()];
}

async function tryAll<Item>(
  items: readonly Item[],
  attempt: (item: Item) => Promise<Finding[]>,
): Promise<Finding[]> {
  return (await Promise.all(items.map(attempt))).flat();
}
