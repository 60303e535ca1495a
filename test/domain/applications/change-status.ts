import t from "tap";
import { disableApplication, enableApplication } from "../../../src/domain/applications/change-status.ts";
import { createApplicationStore } from "../../../src/redis/applications.ts";
import { openStore } from "../../support/store.ts";

const store = await openStore(t);
const applications = createApplicationStore(store);
const tenantId = store.ids.uuid();
const id = store.ids.beside(tenantId);
const named = { tenantId, id };
await applications.create({
  ...named,
  name: "shop",
  type: "backend",
  status: "active",
  secrets: [],
  createdAtMs: 1,
});

t.test("an application is disabled and enabled, and doing it again changes nothing", async (t) => {
  for (const [change, status] of [
    [disableApplication, "disabled"],
    [enableApplication, "active"],
  ] as const) {
    t.match(await change({ applications }, named), { application: { id, status }, changed: true });
    t.match(await change({ applications }, named), { application: { id, status }, changed: false });
    t.match(await applications.find(id), { status, name: "shop" });
  }
});

t.test("another tenant's application, an unknown one, and what is no id are not found", async (t) => {
  for (const wrong of [
    { tenantId: store.ids.uuid(), id },
    { tenantId, id: store.ids.uuid() },
    { tenantId, id: "../x" },
  ]) {
    await t.rejects(disableApplication({ applications }, wrong), { code: "not_found" });
  }
  t.match(await applications.find(id), { status: "active" });
});
