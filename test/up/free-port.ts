import { createServer, type Server } from "node:net";
import t from "tap";
import { freePort, isFree } from "../../src/up/free-port.ts";

function listen(port: number): Promise<Server> {
  return new Promise((done, failed) => {
    const server = createServer();
    server.once("error", failed);
    server.listen(port, "127.0.0.1", () => done(server));
  });
}

t.test("any free port can be listened on", async (t) => {
  const port = await freePort();
  t.ok(await isFree(port));
  const server = await listen(port);
  t.notOk(await isFree(port));
  server.close();
});

t.test("the wanted port is taken where it is free, else another", async (t) => {
  const wanted = await freePort();
  t.equal(await freePort(wanted), wanted);
  const server = await listen(wanted);
  t.teardown(() => server.close());
  const other = await freePort(wanted);
  t.not(other, wanted);
  t.ok(other > 0);
});
