import { randomBytes } from "node:crypto";
import type { Test } from "tap";
import { createVault } from "../../src/crypto/vault.ts";
import { type Beginning, backUp } from "../../src/domain/backups/back-up.ts";
import { restoreBackup } from "../../src/domain/backups/restore.ts";
import type { Snapshots } from "../../src/domain/backups/snapshots.ts";
import { systemClock } from "../../src/domain/clock.ts";
import { createIds } from "../../src/domain/ids.ts";
import { createRestorations } from "../../src/redis/backup/restorations.ts";
import { createSnapshots } from "../../src/redis/backup/snapshots.ts";
import { createKeys } from "../../src/redis/keys.ts";
import type { StoreParts } from "../../src/redis/store.ts";
import { keysOf } from "./store.ts";

const ids = createIds({ clock: systemClock, sameHome: () => true });

type Wish = {
  tenantId?: string | null;
  beginning?: Beginning;
  signal?: AbortSignal;
  snapshots?: Snapshots;
  /** Sees each line before it is taken. */
  taking?(line: string): unknown;
};

/** The lines of a backup. */
export async function backedUp(store: StoreParts, wish: Wish = {}): Promise<string[]> {
  const lines: string[] = [];
  await backUp(
    { snapshots: wish.snapshots ?? createSnapshots(store), clock: systemClock, ids, vault: store.vault },
    {
      tenantId: wish.tenantId ?? null,
      product: "0.0.0",
      beginning: wish.beginning ?? null,
      signal: wish.signal ?? new AbortController().signal,
    },
    async (line) => {
      await wish.taking?.(line);
      lines.push(line.slice(0, -1));
    },
  );
  return lines;
}

/** Restores lines; answers what the verb does. `clear` is called for what is in the way. */
export function restored(
  store: StoreParts,
  lines: readonly string[],
  wish: {
    tenantId?: string;
    overwrite?: boolean;
    signal?: AbortSignal;
    clear?(id: string): Promise<void>;
  } = {},
) {
  async function* all() {
    yield* lines;
  }
  return restoreBackup(
    {
      restorations: createRestorations(store, { holder: randomBytes(6).toString("hex") }),
      vault: store.vault,
      clear: wish.clear ?? (async () => {}),
    },
    all(),
    {
      tenantId: wish.tenantId ?? null,
      overwrite: wish.overwrite ?? false,
      signal: wish.signal ?? new AbortController().signal,
    },
  );
}

/** A store beside another one on the same Redis: its own keys, laid out alike, under the same master key (or another). */
export function emptyBeside<Store extends StoreParts>(
  t: Test,
  store: Store,
  change: { partitions?: number; otherMasterKey?: boolean } = {},
): Store {
  const keys = createKeys({
    prefix: `test-${randomBytes(6).toString("hex")}`,
    partitions: change.partitions ?? store.keys.partitions,
  });
  t.teardown(async () => {
    if (store.connection.status !== "ready") return;
    for (const key of await keysOf({ connection: store.connection, keys }))
      await store.connection.unlink(key);
  });
  return { ...store, keys, ...(change.otherMasterKey === true && { vault: createVault([randomBytes(32)]) }) };
}
