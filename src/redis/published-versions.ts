import type { PublishedVersion, PublishedVersions } from "../domain/templates/prepare-published.ts";
import type { StoreParts } from "./store.ts";

/** Of a partition in one step, and how soon one comes again that nobody has settled. */
const perStep = 20;
const leaseMs = 60_000;

export function createPublishedVersions({ keys, run }: StoreParts): PublishedVersions {
  return {
    async take(nowMs) {
      const taken = await Promise.all(
        keys.allPartitions.map((partition) =>
          run("take-published", [keys.published(partition)], [nowMs, perStep, leaseMs]),
        ),
      );
      const members = taken as string[][];
      return {
        versions: members.flat().map(versionIn),
        hasMore: members.some((some) => some.length === perStep),
      };
    },
    async settle({ tenantId, entry }, dueAtMs) {
      const key = keys.published(keys.partitionOf(tenantId));
      await run("settle-published", [key], [entry, dueAtMs ?? ""]);
    },
  };
}

function versionIn(entry: string): PublishedVersion {
  const [tenantId = "", templateId = "", version = ""] = entry.split(" ");
  return { tenantId, templateId, version: Number(version), entry };
}
