import t from "tap";
import { openConnection, whenReady } from "../../src/redis/connection.ts";
import { command, startSentinels } from "../support/sentinels.ts";
import { until } from "../support/until.ts";

t.test("who only listens goes over to a new master while the old one still hangs", async (t) => {
  const stores = await startSentinels(t);
  const listener = openConnection(stores.url, { name: "listener", blocking: true });
  t.teardown(() => listener.disconnect());
  await whenReady(listener, 30_000);
  await listener.subscribe("news");
  const old = await stores.master();
  old.signal("SIGSTOP");
  const next = await stores.promoted(old);
  await until(
    "it listens to the new master",
    async () => /name=passwright:listener .*sub=1/.test(String(await command(next.url, "CLIENT", "LIST"))),
    10_000,
  );
  t.equal(await command(next.url, "PUBLISH", "news", "you"), 1);
});
