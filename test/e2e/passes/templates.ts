import type { Test } from "tap";
import { instant, uuidV7 } from "../support/shapes.ts";
import type { Surroundings } from "./surroundings.ts";

const intents: Record<string, string> = {
  LoyaltyCard: "loyalty_card",
  EventTicket: "event_ticket",
  Coupon: "coupon",
  BoardingPass: "boarding_pass",
  GiftCard: "gift_card",
  MembershipCard: "membership_card",
  Generic: "generic",
};

const itemMembers = [
  "created_at",
  "id",
  "intent",
  "is_system_template",
  "latest_version",
  "name",
  "status",
  "template_type",
  "tenant_id",
];

type Field = { key: string; kind: string; default?: string; change_message?: string };

export async function templates(t: Test, surroundings: Surroundings) {
  const { client, stranger, strangerTemplate, templates } = surroundings;

  t.test("a list item has the documented members, and its intent follows from its type", async (t) => {
    const { json } = await client.get("/api/v1/templates");
    t.equal(json.total, 7);
    for (const item of json.data) {
      t.strictSame(Object.keys(item).sort(), itemMembers);
      t.match(item, { id: uuidV7, tenant_id: null, status: "active", is_system_template: true });
      t.match(item, { latest_version: 1, created_at: instant, intent: intents[item.template_type] });
    }
  });

  t.test("filters by type and status narrow the list", async (t) => {
    const one = await client.get("/api/v1/templates?template_type=Coupon&status=active");
    t.equal(one.json.total, 1);
    t.match(one.json.data, [{ template_type: "Coupon" }]);
    t.match((await client.get("/api/v1/templates?status=archived")).json, { total: 0, data: [] });
  });

  t.test("a tenant sees its own templates and the system's, newest first", async (t) => {
    const { json } = await stranger.get("/api/v1/templates");
    t.equal(json.total, 8);
    t.match(json.data[0], {
      id: strangerTemplate,
      tenant_id: stranger.tenantId,
      name: "Another's card",
      is_system_template: false,
    });
  });

  for (const [type, id] of Object.entries(templates)) {
    const at = `/api/v1/templates/${id}`;
    t.test(`${type}: the detail adds description and providers`, async (t) => {
      const { status, json } = await client.get(at);
      t.equal(status, 200);
      t.strictSame(Object.keys(json).sort(), [...itemMembers, "description", "providers"].sort());
      t.strictSame([...json.providers].sort(), ["apple", "google"]);
    });

    t.test(`${type}: the snapshot has what the editor made`, async (t) => {
      const { status, json } = await client.get(`${at}/versions/latest`);
      t.equal(status, 200);
      t.match(json, { template_id: id, version: 1, created_at: instant });
      const optional = ["apple", "google"].filter((name) => name in json);
      const members = ["template_id", "version", "created_at", "fields", "header", "body", "barcode"];
      t.strictSame(Object.keys(json).sort(), [...members, ...optional].sort());
      t.match(json.barcode.format, /^(qr|pdf417|aztec|code128)$/);
      const fields: Field[] = json.fields;
      for (const { kind } of fields) t.match(kind, /^(Static|Placeholder|Computed)$/);
      t.ok(
        fields.some(({ kind, change_message }) => kind === "Placeholder" && change_message !== undefined),
        "an iPhone can tell of a change",
      );
      const keys = fields.map(({ key }) => key);
      t.equal(new Set(keys).size, keys.length);
      for (const [group, shown] of Object.entries(json.body as Record<string, string[]>)) {
        t.match(group, /^(header|primary|secondary|auxiliary|back)$/);
        for (const key of shown) t.ok(keys.includes(key), `${key} is a field`);
      }
      const tokens = [...json.barcode.message.matchAll(/\{\{([\w.-]+)\}\}/g)].map(([, key]) => key);
      for (const key of tokens) t.ok(keys.includes(key), `${key} in the barcode is a field`);
    });

    t.test(
      `${type}: the sample has tokens for Placeholders, defaults of Static fields, nothing Computed`,
      async (t) => {
        const { status, json } = await client.get(`${at}/sample`);
        t.equal(status, 200);
        t.strictSame(Object.keys(json).sort(), ["data", "external_ref", "intent", "template_id"]);
        t.match(json, { template_id: id, intent: intents[type], external_ref: /^\S/ });
        const { fields }: { fields: Field[] } = (await client.get(`${at}/versions/latest`)).json;
        const expected = fields
          .filter(({ kind }) => kind !== "Computed")
          .map(({ key, kind, default: value = "" }) => [key, kind === "Static" ? value : `{{${key}}}`]);
        t.strictSame(json.data, Object.fromEntries(expected));
      },
    );
  }
}
