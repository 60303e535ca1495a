import { PasswrightError } from "../errors.ts";

/** Why passes cannot be paid for. */
export type CreditRefusal = "insufficient_credits" | "contract_cap_reached";

/** The same for the caller, with the way out. */
export function creditRefusal(refusal: CreditRefusal): PasswrightError {
  return refusal === "insufficient_credits"
    ? new PasswrightError(
        "insufficient_credits",
        "The tenant has not enough credits left. Buy some: POST /api/v1/billing/topup.",
      )
    : new PasswrightError(
        "contract_cap_reached",
        "The contract's cap of passes for this calendar month (UTC) does not leave room for it.",
      );
}
