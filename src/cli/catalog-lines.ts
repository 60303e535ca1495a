import type { Package, Plan, Price } from "../domain/billing/catalog.ts";
import { tableLines } from "./table.ts";

export function packageLines(packages: readonly Package[]): string[] {
  return tableLines(
    ["id", "name", "credits", "price"],
    packages.map(({ id, name, credits, price }) => [id, name, credits, priceText(price)]),
  );
}

export function planLines(plans: readonly Plan[]): string[] {
  return tableLines(
    ["id", "name", "passes a month", "price"],
    plans.map(({ id, name, monthlyPasses, interval, price }) => [
      id,
      name,
      monthlyPasses,
      `${priceText(price)} a ${interval}`,
    ]),
  );
}

/** `19.90 EUR`: minor units as the currency divides them. */
function priceText({ amount, currency }: Price): string {
  const code = currency.toUpperCase();
  const { maximumFractionDigits: digits = 2 } = new Intl.NumberFormat("en", {
    style: "currency",
    currency: code,
  }).resolvedOptions();
  return `${(amount / 10 ** digits).toFixed(digits)} ${code}`;
}
