import { isoInstant } from "../clock.ts";
import { PasswrightError } from "../errors.ts";
import { fewAtATime } from "../few-at-a-time.ts";
import { removedAtMs } from "../signing-keys/lifetimes.ts";
import { retireExpiredKeys } from "../signing-keys/retire-expired.ts";
import { mostPublishedKeys } from "../signing-keys/signing-key.ts";
import { type Check, counted, type Finding, failed, ok, reasonOf, spanOf, warning } from "./check.ts";
import type { Installation } from "./ports.ts";
import { ofTenants, openedAccess, someTenants, webhooksOf } from "./some-tenants.ts";

const keyRemedy =
  "Add the master key that it was sealed with to PASSWRIGHT_MASTER_KEY (or its file), behind the first one, of every process.";

export const masterKeys: Check<
  Pick<
    Installation,
    "policies" | "signingKeys" | "tenants" | "mostTenants" | "providerConfigurations" | "webhooks"
  >
> = {
  name: "master-keys",
  expects: "the master keys open signing keys, wallet credentials and webhook secrets",
  async look(needs) {
    if (needs.policies.masterKeys === null) {
      return [
        failed(
          "No master key is configured.",
          "Set PASSWRIGHT_MASTER_KEY or PASSWRIGHT_MASTER_KEY_FILE as serve and worker have it.",
        ),
      ];
    }
    const sample = await someTenants(needs);
    const kinds = [
      ["signing key", await attempts([needs.signingKeys], (store) => store.list())],
      ["Apple credential", await attemptsOf(openedAccess(needs, sample.tenants, "apple"))],
      ["Google credential", await attemptsOf(openedAccess(needs, sample.tenants, "google"))],
      [
        "webhook secret",
        await attempts(await webhooksOf(needs, sample.tenants), ({ tenantId, id }) =>
          needs.webhooks.target(tenantId, id),
        ),
      ],
    ] as const;
    const findings = kinds.flatMap(([kind, { count, errors }]): Finding[] => {
      if (errors.length === 0) return [];
      const told = `${errors.length} of ${counted(count, kind)} cannot be opened: ${reasonOf(errors[0])}`;
      return [failed(told, keyRemedy)];
    });
    if (findings.length > 0) return findings;
    return [
      ok(`${counted(needs.policies.masterKeys, "master key")}; every secret opens ${ofTenants(sample)}.`),
    ];
  },
};

type Attempts = { count: number; errors: unknown[] };

/** Tries all. That Redis is away says nothing about a secret, so it ends the check. */
async function attempts<Item>(
  items: readonly Item[],
  open: (item: Item) => Promise<unknown>,
): Promise<Attempts> {
  const errors: unknown[] = [];
  await fewAtATime(items, (item) => open(item).catch((error: unknown) => errors.push(sealedError(error))));
  return { count: items.length, errors };
}

async function attemptsOf(opened: Promise<readonly (object | { error: unknown })[]>): Promise<Attempts> {
  const all = await opened;
  return {
    count: all.length,
    errors: all.flatMap((one) => ("error" in one ? [sealedError(one.error)] : [])),
  };
}

/** What the vault said of a secret; the remedy is the check's own. */
function sealedError(error: unknown): unknown {
  if (!(error instanceof PasswrightError)) return error;
  if (error.code === "unavailable") throw error;
  return error.cause ?? error;
}

/** The scheduler looks every hour, and may be stopped for a while. */
const rotationGraceMs = 2 * 86_400_000;

export const signingKeys: Check<Pick<Installation, "signingKeys" | "policies" | "clock">> = {
  name: "signing-keys",
  expects:
    "there is a next key, and one that signs, for no longer than `PASSWRIGHT_KEY_ROTATION` says; retired keys have gone",
  fixes: "removes retired keys whose time is over, as the scheduler does",
  async look({ signingKeys: store, policies, clock }) {
    const keys = await store.list();
    const nowMs = clock.nowMs();
    if (keys.length === 0) {
      return [warning("There are no signing keys yet.", "The first `passwright serve` makes them.")];
    }
    const findings: Finding[] = [];
    const active = keys.find(({ state }) => state === "active");
    const next = keys.find(({ state }) => state === "next");
    if (active === undefined || next === undefined) {
      findings.push(
        failed(
          `There is no ${active === undefined ? "active" : "next"} signing key: somebody changed the keys by hand.`,
          "Restore the hash PREFIX:signing-keys from a backup, or delete it: the next `passwright serve` makes new ones, and all tokens end.",
        ),
      );
    }
    const ageMs = active === undefined ? 0 : nowMs - (active.activatedAtMs ?? active.publishedAtMs);
    if (policies.keyRotationMs !== null && ageMs > policies.keyRotationMs + rotationGraceMs) {
      findings.push(
        warning(
          `The active key has signed for ${spanOf(ageMs)}; it should be relieved after ${spanOf(policies.keyRotationMs)}.`,
          "Let a worker run with the scheduler (no --only, or one that names it), or give `passwright keys rotate`.",
        ),
      );
    }
    const overdue = keys.filter(
      (key) => nowMs >= (removedAtMs(key) ?? Number.POSITIVE_INFINITY) + rotationGraceMs,
    );
    if (overdue.length > 0) {
      findings.push(
        warning(
          `${counted(overdue.length, "retired key")} should have gone, the oldest at ${isoInstant(Math.min(...overdue.map((key) => removedAtMs(key) ?? 0)))}.`,
          "`passwright doctor --fix` removes them; so does a worker with the scheduler.",
          {
            does: "remove expired signing keys",
            apply: async () =>
              `${counted(await retireExpiredKeys({ signingKeys: store, clock }), "retired key")} removed.`,
          },
        ),
      );
    }
    if (keys.length >= mostPublishedKeys) {
      findings.push(
        warning(
          `${keys.length} keys are published: no other can join them, so none rotates.`,
          "`passwright keys list` shows when the oldest retired one goes; `passwright keys remove` may take it earlier.",
        ),
      );
    }
    if (findings.length > 0) return findings;
    const rotation =
      policies.keyRotationMs === null
        ? "operators rotate"
        : `rotated every ${spanOf(policies.keyRotationMs)}`;
    return [ok(`The active key has signed for ${spanOf(ageMs)}; ${rotation}.`)];
  },
};
