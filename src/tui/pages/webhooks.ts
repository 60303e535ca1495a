import type { TenantStore } from "../../domain/tenants/tenant.ts";
import type { Breakers, EndpointHealth } from "../../domain/webhooks/breaker.ts";
import type { DeliveryStore, Webhook, WebhookStore } from "../../domain/webhooks/webhook.ts";
import { type Fact, mostRows, type Page, type Place, type Row } from "../page.ts";
import { count, duration, instant } from "../shown.ts";
import { deliveryLines } from "./delivery-lines.ts";

/** Deliveries of one webhook that are shown, and webhooks of one tenant. */
const shownOfOne = 50;

/** Tenants whose webhooks are shown together while none is chosen. */
const tenantsTogether = 25;

/** How endpoints answer: of the tenant that is chosen, else those in trouble and the newest tenants'. */
export function createWebhooks(deps: {
  tenants: Pick<TenantStore, "list">;
  webhooks: Pick<WebhookStore, "list" | "find">;
  breakers: Pick<Breakers, "health" | "depth" | "troubled">;
  deliveries: Pick<DeliveryStore, "list" | "find" | "body">;
  nowMs(): number;
}): (place: Place) => Promise<Page> {
  return async ({ path: [opened, deliveryId], scope }) => {
    if (opened === undefined) return list(scope?.id ?? null);
    const [tenantId = "", webhookId = ""] = opened.split(" ");
    return deliveryId === undefined ? webhookPage(tenantId, webhookId) : deliveryPage(tenantId, deliveryId);
  };

  async function list(tenantId: string | null): Promise<Page> {
    const [depth, webhooks] = await Promise.all([
      deps.breakers.depth(),
      tenantId === null ? together() : ofTenant(tenantId),
    ]);
    const rows = await Promise.all(webhooks.slice(0, mostRows).map(rowOf));
    return {
      facts: [
        {
          name: "Breakers",
          text: `${depth.open} open, ${count(depth.parked)} deliveries parked`,
          tone: depth.open > 0 ? "warning" : "good",
        },
        {
          name: "Shown",
          text: tenantId === null ? "those in trouble, and the newest tenants'" : "all of the tenant",
        },
      ],
      columns: [
        { title: "health" },
        { title: "fails", align: "right" },
        { title: "parked", align: "right" },
        { title: "probe", align: "right" },
        { title: "address", isLong: true },
        { title: "tenant", isLong: true },
        { title: "id", isLong: true },
      ],
      rows,
      empty: "No webhooks.",
    };
  }

  async function ofTenant(tenantId: string): Promise<Webhook[]> {
    return (await deps.webhooks.list(tenantId, { page: 1, pageSize: shownOfOne })).items;
  }

  async function together(): Promise<Webhook[]> {
    const [troubled, tenants] = await Promise.all([
      deps.breakers.troubled(mostRows),
      deps.tenants.list({ page: 1, pageSize: tenantsTogether }),
    ]);
    const found = await Promise.all([
      ...troubled.map(({ tenantId, webhookId }) => deps.webhooks.find(tenantId, webhookId)),
      ...tenants.items.map(({ id }) => ofTenant(id)),
    ]);
    const webhooks = found.flat().filter((webhook) => webhook !== null);
    return [...new Map(webhooks.map((webhook) => [webhook.id, webhook])).values()];
  }

  async function rowOf(webhook: Webhook): Promise<Row> {
    const { tenantId, id, isActive } = webhook;
    const health = await deps.breakers.health(tenantId, id);
    return {
      id: `${tenantId} ${id}`,
      cells: [
        isActive ? wordFor(health) : "inactive",
        count(health.failuresInARow),
        count(health.parked),
        untilProbe(health),
        webhook.url,
        tenantId,
        id,
      ],
      opens: true,
      ...(health.breaker !== "closed" && { tone: "bad" as const }),
      ...(health.breaker === "closed" && health.failuresInARow > 0 && { tone: "warning" as const }),
      ...(!isActive && { tone: "faint" as const }),
    };
  }

  function untilProbe({ nextProbeAtMs }: EndpointHealth): string {
    if (nextProbeAtMs === null) return "-";
    return nextProbeAtMs > deps.nowMs() ? `in ${duration(nextProbeAtMs - deps.nowMs())}` : "due";
  }

  async function webhookPage(tenantId: string, webhookId: string): Promise<Page> {
    const [webhook, health, deliveries] = await Promise.all([
      deps.webhooks.find(tenantId, webhookId),
      deps.breakers.health(tenantId, webhookId),
      deps.deliveries.list({ tenantId, webhookId, nowMs: deps.nowMs() }, { page: 1, pageSize: shownOfOne }),
    ]);
    const since: Fact[] =
      health.failingSinceMs === null
        ? []
        : [{ name: "Failing since", text: instant(health.failingSinceMs), tone: "bad" }];
    return {
      facts: [
        { name: "Webhook", text: webhookId },
        { name: "Address", text: webhook?.url ?? "it was deleted" },
        { name: "Breaker", text: wordFor(health), tone: health.breaker === "closed" ? "good" : "bad" },
        ...since,
        { name: "Deliveries", text: `${count(deliveries.total)} in 30 days, ${count(health.parked)} parked` },
      ],
      columns: [
        { title: "status" },
        { title: "event" },
        { title: "tries", align: "right" },
        { title: "answer" },
        { title: "took", align: "right" },
        { title: "created" },
        { title: "id", isLong: true },
      ],
      rows: deliveries.items.map(({ id, status, eventType, attempts, createdAtMs }) => {
        const last = attempts.at(-1);
        return {
          id,
          cells: [
            status,
            eventType,
            String(attempts.length),
            last === undefined ? "-" : String(last.statusCode ?? last.error ?? "-"),
            last === undefined ? "-" : `${last.durationMs} ms`,
            instant(createdAtMs),
            id,
          ],
          opens: true,
          ...(status === "dead_lettered" && { tone: "bad" as const }),
          ...(status === "retrying" && { tone: "warning" as const }),
        };
      }),
      empty: "No deliveries in the last 30 days.",
    };
  }

  async function deliveryPage(tenantId: string, id: string): Promise<Page> {
    const lines = await deliveryLines(deps, await deps.deliveries.find(tenantId, id));
    return {
      facts: [{ name: "Delivery", text: id }],
      columns: [],
      rows: [],
      empty: "",
      lines: lines ?? ["Its record is gone."],
    };
  }
}

function wordFor({ breaker, failuresInARow }: EndpointHealth): string {
  if (breaker === "half_open") return "probing";
  return breaker === "open" ? "open" : failuresInARow > 0 ? "failing" : "healthy";
}
