/** What something costs. `amount` is in the currency's minor units (cents); `currency` is ISO 4217, as it was written. */
export type Price = { amount: number; currency: string };

/** Credits to be bought once, by a prepaid tenant. */
export type Package = { id: string; name: string; credits: number; price: Price };

export const planIntervals = ["month", "year"] as const;
export type PlanInterval = (typeof planIntervals)[number];

/** Passes of every month, paid once in each interval. */
export type Plan = {
  id: string;
  name: string;
  monthlyPasses: number;
  interval: PlanInterval;
  price: Price;
};

/** What is on sale: the operator's two lists, each replaced whole, in the order in which they were written. */
export type CatalogStore = {
  packages(): Promise<Package[]>;
  plans(): Promise<Plan[]>;
  setPackages(packages: readonly Package[]): Promise<void>;
  setPlans(plans: readonly Plan[]): Promise<void>;
};
