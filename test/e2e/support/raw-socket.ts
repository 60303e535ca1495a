import { connect } from "node:net";

/** Sends bytes as they are and resolves with all that came back before the other side closed. */
export function exchangeBytes(url: string, bytes: string): Promise<string> {
  const { hostname, port } = new URL(url);
  return new Promise((resolve, reject) => {
    const socket = connect(Number(port), hostname);
    let received = "";
    socket.setEncoding("latin1");
    socket.setTimeout(20_000, () => socket.destroy(new Error(`still open, after ${received}`)));
    socket.on("data", (chunk) => {
      received += chunk;
    });
    socket.on("close", () => resolve(received));
    socket.on("error", reject);
    socket.write(bytes, "latin1");
  });
}
