import { PasswrightError, type Shortage } from "../errors.ts";

/** Why passes cannot be paid for. */
export type CreditRefusal = "insufficient_credits" | "contract_cap_reached";

const refusals: readonly string[] = [
  "insufficient_credits",
  "contract_cap_reached",
] satisfies CreditRefusal[];

/** As a store says it: `left` is what there was at that moment, in passes. */
export type CreditsRefused = { outcome: CreditRefusal; left: number };

export function isCreditRefusal(word: string): word is CreditRefusal {
  return refusals.includes(word);
}

/** The same for the caller, with what is missing and the way out. `required`: so many passes were to be paid for. */
export function creditRefusal(
  { outcome, left }: CreditsRefused,
  { required, baseUrl, atMs }: { required: number; baseUrl: string; atMs: number },
): PasswrightError {
  const wanted = `${required === 1 ? "1 is" : `${required} are`} needed, and there ${left === 1 ? "is 1" : `are ${left}`}`;
  return outcome === "insufficient_credits"
    ? refused(
        outcome,
        `The tenant has not enough credits left: ${wanted}. Buy some: POST /api/v1/billing/topup.`,
        { required, balance: left, purchaseUrl: `${baseUrl}/api/v1/billing/topup` },
      )
    : refused(
        outcome,
        `The contract's cap of passes for this calendar month (UTC) does not leave room for it: ${wanted}.`,
        { required, balance: left, resetsAtMs: nextMonth(atMs) },
      );
}

function refused(code: CreditRefusal, detail: string, shortage: Shortage): PasswrightError {
  return new PasswrightError(code, detail, { shortage });
}

function nextMonth(atMs: number): number {
  const now = new Date(atMs);
  return Date.UTC(now.getUTCFullYear(), now.getUTCMonth() + 1);
}
