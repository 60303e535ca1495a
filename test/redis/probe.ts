import t from "tap";
import { redisProbe } from "../../src/redis/probe.ts";
import { freePort, startRedisServer } from "../support/redis-server.ts";

t.test("a Redis that is there answers, one that is not or hangs does not", async (t) => {
  const server = await startRedisServer(t);
  await t.resolves(redisProbe.ping(server.url));
  server.signal("SIGSTOP");
  await t.rejects(redisProbe.ping(server.url));
  server.signal("SIGCONT");
  await t.rejects(redisProbe.ping(`redis://127.0.0.1:${await freePort()}`));
});

t.test("a Redis is shut down by whoever owns its data, and by nobody else", async (t) => {
  const server = await startRedisServer(t);
  await redisProbe.shutdown(server.url, "/somewhere/else");
  await t.resolves(redisProbe.ping(server.url));
  await redisProbe.shutdown(server.url, server.folder);
  await t.rejects(redisProbe.ping(server.url), "it is gone when the call returns");
  await t.resolves(redisProbe.shutdown(server.url, server.folder), "and once more does no harm");
});
