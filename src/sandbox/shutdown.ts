import type { Server, Socket } from "node:net";

/**
 * Prepares a server's end: the returned function stops it and cuts every connection, those included that are
 * idle, in the middle of an answer, or not yet through their TLS handshake. It resolves when all are gone.
 */
export function prepareShutdown(server: Server): () => Promise<void> {
  const sockets = new Set<Socket>();
  server.on("connection", (socket: Socket) => {
    sockets.add(socket);
    socket.once("close", () => sockets.delete(socket));
  });
  return () =>
    new Promise((resolve) => {
      if (server.listening) server.close(() => resolve());
      else resolve();
      for (const socket of sockets) socket.destroy();
    });
}
