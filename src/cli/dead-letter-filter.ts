import { Flags } from "@oclif/core";
import type { App } from "../app.ts";
import { parseDuration } from "../config.ts";
import { parseDateTime } from "../domain/date-time.ts";
import { deadLetterKinds } from "../domain/deadletters/dead-letter.ts";
import type { DeadLetterFilter } from "../domain/deadletters/select.ts";
import { invalidRequest } from "../domain/errors.ts";
import { findTenantEvenDeleting } from "../domain/tenants/find.ts";

/** Which dead letters a command is about. */
export const deadLetterFlags = {
  tenant: Flags.string({ description: "those of one tenant", helpValue: "ID", exclusive: ["all-tenants"] }),
  "all-tenants": Flags.boolean({ description: "those of all tenants" }),
  kind: Flags.option({ options: deadLetterKinds, description: "only deliveries, or only jobs" })(),
  endpoint: Flags.string({ description: "only deliveries to this webhook", helpValue: "WEBHOOK" }),
  reason: Flags.string({ description: "only with this reason, such as http_503", helpValue: "CODE" }),
  since: Flags.string({
    description: "only from then on: RFC 3339, or so long ago (2h, 7d)",
    helpValue: "TIME",
  }),
  until: Flags.string({ description: "only up to then: RFC 3339, or so long ago", helpValue: "TIME" }),
  limit: Flags.integer({ description: "so many at most, the oldest", min: 1, helpValue: "N" }),
};

/** Where a list goes on that `--limit` cut. */
export const afterFlag = Flags.string({
  description: "only those behind this one in the list: the last that was seen",
  helpValue: "ID",
});

type Given = {
  tenant?: string | undefined;
  "all-tenants": boolean;
  kind?: (typeof deadLetterKinds)[number] | undefined;
  endpoint?: string | undefined;
  reason?: string | undefined;
  since?: string | undefined;
  until?: string | undefined;
  limit?: number | undefined;
  after?: string | undefined;
};

/**
 * The filter that flags and arguments say. A scope must be named: a tenant, all of them, or the letters themselves.
 * Rejects with invalid_request without one, and with not_found for a tenant that there is not.
 */
export async function readDeadLetterFilter(
  app: Pick<App, "tenants" | "clock">,
  flags: Given,
  argv: readonly unknown[],
): Promise<DeadLetterFilter> {
  const words = argv.map(String);
  if (flags.tenant === undefined && !flags["all-tenants"] && words.length === 0) {
    throw invalidRequest([
      { path: "--tenant", message: "ID is needed, or --all-tenants, or the ids of dead letters" },
    ]);
  }
  const nowMs = app.clock.nowMs();
  const filter: DeadLetterFilter = {
    tenantId: null,
    kind: flags.kind ?? null,
    endpoint: flags.endpoint ?? null,
    reason: flags.reason ?? null,
    sinceMs: flags.since === undefined ? 0 : instantOf("--since", flags.since, nowMs),
    untilMs: flags.until === undefined ? Number.MAX_SAFE_INTEGER : instantOf("--until", flags.until, nowMs),
    limit: flags.limit ?? Number.POSITIVE_INFINITY,
    ids: words.length === 0 ? null : await idsOf(words),
    after: flags.after ?? null,
  };
  if (flags.tenant !== undefined) filter.tenantId = (await findTenantEvenDeleting(app, flags.tenant)).id;
  return filter;
}

/** An instant that a flag names: RFC 3339, or so long ago. */
export function instantOf(flag: string, text: string, nowMs: number): number {
  const instant = parseDateTime(text);
  if (instant !== null) return instant;
  try {
    return nowMs - parseDuration(text);
  } catch {
    const message = `must be an RFC 3339 date-time or a duration such as 30m, 2h or 7d, not «${text}»`;
    throw invalidRequest([{ path: flag, message }]);
  }
}

/** Of the ids that were named, how many are no dead letter (any more), or do not match. */
export function unknownIds({ ids, limit }: DeadLetterFilter, matched: number): number {
  return ids === null ? 0 : Math.max(0, Math.min(new Set(ids).size, limit) - matched);
}

/** `-` stands for the words of standard input. */
async function idsOf(words: readonly string[]): Promise<string[]> {
  const ids: string[] = [];
  for (const word of words) {
    if (word !== "-") {
      ids.push(word);
      continue;
    }
    let text = "";
    process.stdin.setEncoding("utf8");
    for await (const chunk of process.stdin) text += chunk;
    for (const id of text.split(/\s+/)) if (id !== "") ids.push(id);
  }
  return ids;
}
