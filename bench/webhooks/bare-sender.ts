/** The floor: undici posts bodies that lie in memory, without a queue, a signature or a word about what came of it. */
import { Agent } from "undici";

export type Bare = { url: string; ids: string[]; body: string };

const [ca = "", concurrency = ""] = process.argv.slice(2);
const agent = new Agent({
  connections: Number(concurrency),
  allowH2: false,
  connect: ca === "" ? {} : { ca },
});

process.on("message", async ({ url, ids, body }: Bare) => {
  const { origin, pathname: path } = new URL(url);
  const rest = ids.values();
  const post = async (): Promise<void> => {
    for (const id of rest) {
      const headers = { "Content-Type": "application/json", "webhook-id": id };
      const response = await agent.request({ origin, path, method: "POST", headers, body });
      await response.body.dump();
    }
  };
  await Promise.all(Array.from({ length: Number(concurrency) }, post));
});
process.send?.("ready");
process.on("disconnect", () => process.exit());
