import t from "tap";
import { createCallbackStore } from "../../../src/redis/callbacks.ts";
import { createDeviceStore } from "../../../src/redis/devices.ts";
import { openCommands } from "../../support/command.ts";
import { openIssuer, passOf } from "../../support/issuer.ts";
import { openStore } from "../../support/store.ts";

t.test("what Google says of a pass stands before the phones that have it", async (t) => {
  const store = await openStore(t, { partitions: 16 });
  const run = openCommands(t, store.keys.prefix);
  const issuer = await openIssuer(store);
  const { tenantId, templateId } = issuer;
  const passId = passOf(await issuer.create()).id;
  const devices = () => run("passes devices", [passId, "--tenant", tenantId, "--json"]);
  t.match(await devices(), { code: 4, json: [] });

  const callbacks = createCallbackStore(store);
  const say = (change: "saved" | "removed") => {
    const expiresAtMs = store.clock.nowMs() + 1000;
    const named = { tenantId, passId, templateId, eventId: store.ids.uuid() };
    return callbacks.record({ ...named, change, nonce: change, expiresAtMs }, store.clock.nowMs());
  };
  const savedAt = new Date(store.clock.nowMs()).toISOString();
  await say("saved");
  const google = { wallet: "google", device_id: "google-wallet", registered_at: savedAt, removed_at: null };
  t.match(await devices(), { code: 0, json: [{ ...google, pushed_at: null, fetched_at: null }] });

  store.clock.forward(60_000);
  const removedAt = new Date(store.clock.nowMs()).toISOString();
  await say("removed");
  const phone = {
    tenantId,
    passId,
    templateId,
    deviceId: "2f9a",
    pushToken: "00fc",
    eventId: store.ids.uuid(),
  };
  await createDeviceStore(store).register(phone, store.clock.nowMs());
  t.match((await devices()).json, [
    { ...google, removed_at: removedAt },
    { wallet: "apple", device_id: "2f9a", removed_at: null },
  ]);
  const table = await run("passes devices", [passId, "--tenant", tenantId]);
  t.match(table.stdout, new RegExp(`google-wallet +${savedAt} +- +- +- +${removedAt}`));
});
