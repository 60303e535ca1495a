import { PasswrightError } from "../../../src/domain/errors.ts";
import type { Providers } from "../../../src/domain/passes/carry-out.ts";
import type { PassToIssue, Provider } from "../../../src/domain/providers/provider.ts";
import type { WalletKey } from "../../../src/domain/templates/template.ts";
import type { Data } from "./model.ts";

/** What the wallets make of a pass whose `name` begins with the word; everything else they take. */
export const fates = {
  fine: [],
  apple_refuses: ["apple"],
  google_refuses: ["google"],
  both_refuse: ["apple", "google"],
  /** Unavailable at first, and then not. */
  busy: [],
  /** Unavailable for as long as anybody asks. */
  google_is_away: ["google"],
} as const satisfies Record<string, readonly WalletKey[]>;
export type Fate = keyof typeof fates;

export function fateOf(data: Data): Fate {
  const word = (data.name ?? "").split(" ")[0] ?? "";
  return Object.hasOwn(fates, word) ? (word as Fate) : "fine";
}

/** Attempts at one operation that find a busy wallet unavailable; fewer than the schedule has. */
const busyAttempts = 2;

export type Wallets = Providers & {
  /** What a wallet holds of a pass. */
  holds(wallet: WalletKey, passId: string): { data: Data; voided: boolean } | undefined;
  /** What should never have happened. */
  complaints: string[];
};

/** Wallets that do as the pass's data says, and watch that a pass is brought to each one operation at a time. */
export function createWallets(): Wallets {
  const held = new Map<string, { data: Data; voided: boolean; revision: number }>();
  const inHand = new Set<string>();
  const tries = new Map<string, number>();
  const complaints: string[] = [];

  async function issue(wallet: WalletKey, { pass, voided }: PassToIssue) {
    const key = `${wallet} ${pass.id}`;
    if (inHand.has(key)) complaints.push(`two operations at a time: ${key}`);
    inHand.add(key);
    // Lets others in between, as a wallet that is asked over a network does.
    await new Promise((resolve) => setImmediate(resolve));
    inHand.delete(key);
    const fate = fateOf(pass.data);
    const attempt = (tries.get(`${key} ${pass.revision}`) ?? 0) + 1;
    tries.set(`${key} ${pass.revision}`, attempt);
    if (fate === "busy" && attempt <= busyAttempts)
      throw new PasswrightError("provider_unavailable", "Busy.");
    if (!voided && (fates[fate] as readonly WalletKey[]).includes(wallet)) {
      if (fate === "google_is_away") throw new PasswrightError("provider_unavailable", "Away.");
      throw new PasswrightError("provider_rejected", "Refused.");
    }
    const before = held.get(key);
    if (before !== undefined && before.revision > pass.revision)
      complaints.push(`an older one came late: ${key}`);
    if (before?.voided === true && !voided) complaints.push(`a void pass came back: ${key}`);
    held.set(key, { data: pass.data, voided, revision: pass.revision });
    return { saveLink: `https://${wallet}.example/${pass.id}` };
  }

  const provider = (key: WalletKey): Provider<unknown> => ({
    key,
    issue: (job) => issue(key, job),
    async close() {},
  });
  return {
    apple: provider("apple"),
    google: provider("google"),
    holds: (wallet, passId) => held.get(`${wallet} ${passId}`),
    complaints,
  };
}
