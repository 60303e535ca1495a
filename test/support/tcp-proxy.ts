import { connect, createServer, type Socket } from "node:net";
import type { Test } from "tap";

export type TcpProxy = {
  url: string;
  /** From now on the connections that are open carry nothing, and say nothing: a firewall that forgot them. */
  mute(): void;
  /** The same, and new connections are accepted and carry nothing either: a network that is gone. */
  swallow(): void;
  /** New connections are served again. Those that were muted or swallowed stay silent. */
  carry(): void;
  /** Ends the connections that are open. New ones are served. */
  cut(): void;
  /** Lets so many more bytes of the target's answers through, then cuts. */
  cutAfter(bytes: number): void;
  /** How many connections were opened so far. */
  opened(): number;
};

/** A relay in front of a Redis, through which a test can break connections without touching either end. */
export async function openProxy(t: Test, target: string): Promise<TcpProxy> {
  const { hostname, port } = new URL(target);
  const pairs = new Set<[Socket, Socket]>();
  let opened = 0;
  let swallowing = false;
  let allowance = Number.POSITIVE_INFINITY;
  const server = createServer((near) => {
    opened += 1;
    const far = connect(Number(port), hostname);
    const pair: [Socket, Socket] = [near, far];
    pairs.add(pair);
    for (const socket of pair) {
      socket.on("error", () => {});
      socket.on("close", () => {
        pairs.delete(pair);
        near.destroy();
        far.destroy();
      });
    }
    if (swallowing) return;
    near.pipe(far);
    far.on("data", (chunk) => {
      near.write(chunk.subarray(0, Math.min(chunk.length, allowance)));
      allowance -= chunk.length;
      if (allowance > 0) return;
      allowance = Number.POSITIVE_INFINITY;
      near.end();
    });
  });
  await new Promise<void>((ready) => server.listen(0, "127.0.0.1", ready));
  const cut = (): void => {
    for (const [near] of [...pairs]) near.destroy();
  };
  const mute = (): void => {
    for (const [near, far] of pairs) {
      near.unpipe(far);
      near.pause();
      far.pause();
    }
  };
  t.teardown(() => {
    cut();
    server.close();
  });
  const address = server.address();
  if (address === null || typeof address === "string") throw new Error("the proxy listens on no port");
  return {
    url: `redis://127.0.0.1:${address.port}`,
    mute,
    swallow() {
      swallowing = true;
      mute();
    },
    carry() {
      swallowing = false;
    },
    cut,
    cutAfter(bytes) {
      allowance = bytes;
    },
    opened: () => opened,
  };
}
