import { callbackKeys } from "./callback-checks.ts";
import type { Check } from "./check.ts";
import { consumers, dataFormat, groups, partitions, scripts, tenantRecords } from "./layout-checks.ts";
import { ledgers } from "./ledger-checks.ts";
import { deletions, orphans } from "./leftover-checks.ts";
import type { Installation } from "./ports.ts";
import { deadLetters, oldestWork, queueRoom, workers } from "./queue-checks.ts";
import { masterKeys, signingKeys } from "./secret-checks.ts";
import { appendOnly, clockSkew, eviction, fsync, lastWrites, reachable, release } from "./server-checks.ts";
import { apns, appleCertificates, google, googleDemoMode, publicAddress } from "./wallet-checks.ts";
import { webhookEgress } from "./webhook-checks.ts";

/** All that `passwright doctor` looks at, in the order in which it tells. */
export const checks: readonly Check<Installation>[] = [
  reachable,
  release,
  eviction,
  appendOnly,
  fsync,
  lastWrites,
  clockSkew,

  dataFormat,
  partitions,
  tenantRecords,
  groups,
  consumers,
  scripts,

  masterKeys,
  signingKeys,

  workers,
  oldestWork,
  queueRoom,
  deadLetters,

  appleCertificates,
  google,
  callbackKeys,
  publicAddress,
  googleDemoMode,
  apns,
  webhookEgress,

  ledgers,
  deletions,
  orphans,
];

/** The checks as a Markdown table, for docs/operations.md. */
export function checksTable(): string {
  const rows = checks.map(({ name, expects, only, fixes = "" }) => {
    const when = only === "online" ? "not with `--offline`" : only === "deep" ? "only with `--deep`" : "";
    return `| \`${name}\` | ${expects} | ${when} | ${fixes} |`;
  });
  return ["| check | what must be so | when | `--fix` |", "|---|---|---|---|", ...rows].join("\n");
}
