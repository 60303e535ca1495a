import { createServer } from "node:net";

/** A port on loopback that is free now: the wanted one if it is, else any. */
export async function freePort(wanted = 0): Promise<number> {
  const port = await tryPort(wanted);
  return port ?? (await tryPort(0)) ?? 0;
}

/** Whether nobody listens on the port, and the address is one of this machine. */
export async function isFree(port: number, host?: string): Promise<boolean> {
  return (await tryPort(port, host)) !== null;
}

function tryPort(port: number, host = "127.0.0.1"): Promise<number | null> {
  return new Promise((resolve) => {
    const server = createServer();
    server.once("error", () => resolve(null));
    server.listen(port, host, () => {
      const address = server.address();
      server.close(() => resolve(typeof address === "object" && address !== null ? address.port : null));
    });
  });
}
