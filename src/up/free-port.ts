import { createServer } from "node:net";

/** A port on loopback that is free now: the wanted one if it is, else any. */
export async function freePort(wanted = 0): Promise<number> {
  const port = await tryPort(wanted);
  return port ?? (await tryPort(0)) ?? 0;
}

export async function isFree(port: number): Promise<boolean> {
  return (await tryPort(port)) !== null;
}

function tryPort(port: number): Promise<number | null> {
  return new Promise((resolve) => {
    const server = createServer();
    server.once("error", () => resolve(null));
    server.listen(port, "127.0.0.1", () => {
      const address = server.address();
      server.close(() => resolve(typeof address === "object" && address !== null ? address.port : null));
    });
  });
}
