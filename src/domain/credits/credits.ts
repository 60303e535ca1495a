/** So many that sums of balances stay exact numbers. */
export const largestBalance = 1_000_000_000_000;

export type CreditStore = {
  /** Adds to the balance of a prepaid tenant in one step, in the name of an operator; answers the new balance. */
  add(
    tenantId: string,
    amount: number,
    operator: string,
  ): Promise<
    | { outcome: "added"; balance: number }
    | { outcome: "contract" }
    | { outcome: "unknown" }
    | { outcome: "too_many" }
  >;
};
