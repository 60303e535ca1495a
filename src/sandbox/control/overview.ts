import type { Issuers } from "../google/issuers.ts";
import { type ServiceAccount, standingOf } from "../google/service-accounts.ts";
import { totalOf } from "../stripe/order-rules.ts";
import { money } from "../stripe/pay-page.ts";
import type { ControlParts } from "./control.ts";
import type { Overview } from "./page.ts";

/** What the page shows of it all. */
export function overview(parts: ControlParts): Overview {
  const { urls, authority, receivers, devices, wallet, checkoutSessions } = parts;
  const { total, notifications } = devices.pushes();
  const stored = wallet.all();
  const classes = stored.filter(({ type }) => type.endsWith("Class")).length;
  return {
    addresses: [
      ["Control, Google Wallet and Stripe", urls.control],
      ["APNs", urls.apns],
      ["Webhook receivers", urls.webhooks],
      ["Root certificate", authority.caFile],
    ],
    receivers: receivers.all().map(({ name }) => {
      const deliveries = receivers.deliveries(name);
      const last = deliveries.kept.at(-1);
      return {
        name,
        total: deliveries.total,
        last: last === undefined ? "" : `${last.at}, answered ${last.status}`,
      };
    }),
    pushes: { total, last: notifications },
    google: stored
      .toSorted((one, other) => one.updatedAt.localeCompare(other.updatedAt))
      .map(({ type, resource, updatedAt, hasUsers = false }) => ({
        type,
        id: String(resource.id),
        title: titleOf(resource),
        updatedAt,
        saved: hasUsers,
      })),
    callbacks: parts.callbacks.all().map(({ at, event, attempts }) => ({
      at,
      event: event.eventType,
      object: event.objectId,
      answers: attempts.map(({ answer }) => answer).join(", "),
    })),
    troubles: [...accountTroubles(parts.accounts.values()), ...demoIssuers(parts.issuers)],
    googleTotals: { classes, objects: stored.length - classes },
    checkouts: checkoutSessions.all().map((session) => ({
      id: session.id,
      at: new Date(session.created * 1000).toISOString(),
      total: money(totalOf(session.order.items), session.order.items[0]?.currency ?? ""),
      status: checkoutSessions.statusOf(session),
    })),
  };
}

function accountTroubles(accounts: Iterable<ServiceAccount>): Overview["troubles"] {
  return [...accounts].flatMap((given) => {
    const { account, key, walletApi, isIssuerUser } = standingOf(given);
    const found = [
      account !== "enabled" && `account ${account}`,
      key !== "valid" && `key ${key}`,
      walletApi !== "enabled" && `Wallet API ${walletApi}`,
      !isIssuerUser && "no user of the issuer",
    ].filter((trouble) => trouble !== false);
    return found.length === 0 ? [] : [{ whose: given.clientEmail, what: found.join(", ") }];
  });
}

const demoIssuers = (issuers: Issuers): Overview["troubles"] =>
  issuers
    .all()
    .filter(({ isDemo }) => isDemo)
    .map(({ issuerId }) => ({ whose: issuerId, what: "demo mode" }));

/** Whatever a person would recognise a class or object by. */
function titleOf(resource: Record<string, unknown>): string {
  const title =
    resource.header ?? resource.eventName ?? resource.programName ?? resource.title ?? resource.issuerName;
  if (typeof title === "string") return title;
  return String((title as { defaultValue?: { value?: string } } | undefined)?.defaultValue?.value ?? "");
}
