import type { Installation } from "./installation.ts";
import type { Ledger } from "./ledger.ts";
import type { Fact } from "./receiver.ts";

/** What is found at the end of a tenant, against what it was promised. */
export type Finding = {
  ledger: Ledger;
  installation: Installation;
  /** Everything that is wrong, in words. */
  problems: string[];
  /** Every event that must have been told. */
  facts: Set<Fact>;
  /** Jobs that were accepted, and those behind what a batch did. */
  jobs: Set<string>;
  ends: { completed: number; failed: number; cancelled: number; beganAgain: number };
};

/** As `deadletter export` gives it. */
export type DeadLetter = {
  kind: "webhook" | "job";
  tenant_id: string;
  event_type: string | null;
  delivery_id?: string;
  job_id?: string;
  reason: string;
  payload: { data?: { id: string; version?: number } } | null;
};

/** A 200, or a problem. */
export async function get(
  { ledger, problems }: Finding,
  path: string,
): Promise<ReturnType<typeof JSON.parse>> {
  const answer = await ledger.caller.ask({ method: "GET", path });
  if (answer.status === 200) return answer.json;
  problems.push(`${ledger.name}: GET ${path} answers ${answer.status} ${answer.text}`);
  return null;
}

/** All items of a list, page by page. */
export async function getAll(finding: Finding, path: string): Promise<ReturnType<typeof JSON.parse>[]> {
  const items = [];
  for (let page = 1; ; page += 1) {
    const list = await get(finding, `${path}?page=${page}&page_size=100`);
    items.push(...(list?.data ?? []));
    if (list === null || list.data.length === 0 || items.length >= list.total) return items;
  }
}

export async function inParallel<Item>(
  items: Iterable<Item>,
  work: (item: Item) => Promise<void>,
): Promise<void> {
  const left = items[Symbol.iterator]();
  const shared = { [Symbol.iterator]: () => left };
  await Promise.all(
    Array.from({ length: 8 }, async () => {
      for (const item of shared) await work(item);
    }),
  );
}
