import { existsSync, readFileSync, renameSync, writeFileSync } from "node:fs";
import type { AddressInfo, Server } from "node:net";

export type PortName = "control" | "apns" | "webhooks";
export type Ports = Partial<Record<PortName, number>>;

/** The ports that the last run listened on, so that addresses survive a restart. */
export function rememberedPorts(file: string): Ports {
  if (!existsSync(file)) return {};
  try {
    const value = JSON.parse(readFileSync(file, "utf8")) as Ports;
    return typeof value === "object" && value !== null ? value : {};
  } catch {
    // Only a convenience is lost.
    return {};
  }
}

export function rememberPorts(file: string, ports: Required<Ports>): void {
  writeFileSync(`${file}.new`, `${JSON.stringify(ports)}\n`);
  renameSync(`${file}.new`, file);
}

/**
 * Listens on `wanted` when it is not 0, or fails; else on `remembered` if that is free, else on any free port.
 * Returns the port.
 */
export async function listen(
  server: Server,
  host: string,
  choice: { wanted: number; remembered: number | undefined },
): Promise<number> {
  const { wanted, remembered } = choice;
  if (wanted !== 0 || remembered === undefined) return listenOn(server, host, wanted);
  try {
    return await listenOn(server, host, remembered);
  } catch (error) {
    const code = error instanceof Error && "code" in error ? error.code : undefined;
    if (code !== "EADDRINUSE" && code !== "EACCES" && code !== "ERR_SOCKET_BAD_PORT") throw error;
    return listenOn(server, host, 0);
  }
}

function listenOn(server: Server, host: string, port: number): Promise<number> {
  return new Promise((resolve, reject) => {
    server.once("error", reject);
    server.listen(port, host, () => {
      server.off("error", reject);
      resolve((server.address() as AddressInfo).port);
    });
  });
}
