import type { Package, Plan } from "./catalog.ts";

/** A package as the API and the operators' files write it. */
export function packageResource({ id, name, credits, price }: Package) {
  return { id, name, credits, price: { amount: price.amount, currency: price.currency } };
}

/** A plan as the operators' files write it. */
export function planResource({ id, name, monthlyPasses, interval, price }: Plan) {
  return {
    id,
    name,
    monthly_passes: monthlyPasses,
    interval,
    price: { amount: price.amount, currency: price.currency },
  };
}
