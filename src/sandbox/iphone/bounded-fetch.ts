import { messageOf, NotReached } from "./refusal.ts";

const patienceMs = 30_000;

export type Answer = { status: number; headers: Headers; body: Buffer };

/** One request, answered with at most `mostBytes`. Throws NotReached, or the signal's reason. */
export async function boundedFetch(
  url: string,
  init: RequestInit & { signal: AbortSignal; mostBytes: number; patienceMs?: number },
): Promise<Answer> {
  const { mostBytes, signal, ...request } = init;
  const limit = AbortSignal.timeout(init.patienceMs ?? patienceMs);
  try {
    const response = await fetch(url, { ...request, signal: AbortSignal.any([signal, limit]) });
    const chunks: Uint8Array[] = [];
    let size = 0;
    for await (const chunk of response.body ?? []) {
      size += chunk.byteLength;
      if (size > mostBytes)
        throw new NotReached(`The answer of ${new URL(url).origin} has more than ${mostBytes} bytes.`);
      chunks.push(chunk);
    }
    return { status: response.status, headers: response.headers, body: Buffer.concat(chunks) };
  } catch (error) {
    signal.throwIfAborted();
    if (error instanceof NotReached) throw error;
    const cause = error instanceof Error && error.cause !== undefined ? error.cause : error;
    throw new NotReached(`${new URL(url).origin} does not answer: ${messageOf(cause)}.`);
  }
}
