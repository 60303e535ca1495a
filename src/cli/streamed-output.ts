import { once } from "node:events";

/** Writes to standard output no faster than it is read. False: nobody reads any more (`| head`). */
export async function writeOut(text: string): Promise<boolean> {
  const { stdout } = process;
  if (stdout.destroyed || stdout.writableEnded) return false;
  if (!stdout.write(text)) {
    const stop = new AbortController();
    const { signal } = stop;
    try {
      await Promise.race([once(stdout, "drain", { signal }), once(stdout, "close", { signal })]);
    } catch {
      return false;
    } finally {
      stop.abort();
    }
  }
  return !stdout.destroyed;
}

/** Writes things as one JSON array, each as it comes: no list is too long. Answers how many there were. */
export async function writeJsonArray(items: AsyncIterable<unknown>): Promise<number> {
  let count = 0;
  for await (const item of items) {
    const text = JSON.stringify(item, null, 2).replaceAll("\n", "\n  ");
    if (!(await writeOut(`${count === 0 ? "[\n  " : ",\n  "}${text}`))) return count;
    count += 1;
  }
  await writeOut(count === 0 ? "[]\n" : "\n]\n");
  return count;
}
