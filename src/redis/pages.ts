import type { Page, PageRequest } from "../domain/page.ts";
import { asUnavailable, type Connection } from "./connection.ts";

/** One page of the members of a sorted set, highest score first, and how many there are. */
export async function newestFirst(
  connection: Connection,
  index: string,
  { page, pageSize }: PageRequest,
): Promise<Page<string>> {
  try {
    const start = (page - 1) * pageSize;
    const [total, items] = await Promise.all([
      connection.zcard(index),
      connection.zrevrange(index, start, start + pageSize - 1),
    ]);
    return { items, total };
  } catch (error) {
    throw asUnavailable(error);
  }
}

/** The same of those members alone whose score is `sinceMs` or more. */
export async function newestSince(
  connection: Connection,
  { index, sinceMs }: { index: string; sinceMs: number },
  { page, pageSize }: PageRequest,
): Promise<Page<string>> {
  try {
    const [total, items] = await Promise.all([
      connection.zcount(index, sinceMs, "+inf"),
      connection.zrevrangebyscore(index, "+inf", sinceMs, "LIMIT", (page - 1) * pageSize, pageSize),
    ]);
    return { items, total };
  } catch (error) {
    throw asUnavailable(error);
  }
}

/** The same over several sorted sets in different slots. Reads as much of each as the page reaches: for operators' lists. */
export async function newestFirstAcross(
  connection: Connection,
  indexes: readonly string[],
  { page, pageSize }: PageRequest,
): Promise<Page<string>> {
  try {
    const parts = await Promise.all(
      indexes.map(async (index) => ({
        total: await connection.zcard(index),
        scored: await connection.zrevrange(index, 0, page * pageSize - 1, "WITHSCORES"),
      })),
    );
    const all: { id: string; score: number }[] = [];
    for (const { scored } of parts) {
      for (let i = 0; i + 1 < scored.length; i += 2) {
        all.push({ id: scored[i] ?? "", score: Number(scored[i + 1]) });
      }
    }
    all.sort((a, b) => b.score - a.score || (a.id < b.id ? 1 : -1));
    return {
      items: all.slice((page - 1) * pageSize, page * pageSize).map(({ id }) => id),
      total: parts.reduce((sum, part) => sum + part.total, 0),
    };
  } catch (error) {
    throw asUnavailable(error);
  }
}
