import type { Redis } from "ioredis";

/**
 * Lets the commands of one turn of the event loop leave in one write. The client writes each command by itself, and a
 * system call costs more than all else that is done to send it.
 */
export function joinWrites(connection: Redis): void {
  connection.on("connect", () => {
    const socket = connection.stream;
    const write = socket.write.bind(socket);
    let isHeld = false;
    const release = (): void => {
      isHeld = false;
      socket.uncork();
    };
    socket.write = ((...args: Parameters<typeof write>): boolean => {
      if (!isHeld) {
        isHeld = true;
        socket.cork();
        setImmediate(release);
      }
      return write(...args);
    }) as typeof socket.write;
  });
}
