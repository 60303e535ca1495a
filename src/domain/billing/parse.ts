import { invalidRequest, PasswrightError, type Violation } from "../errors.ts";
import { type Package, type Plan, type Price, planIntervals } from "./catalog.ts";

/** More than anybody chooses from, and little enough for one record. */
const mostEntries = 1000;
const mostPasses = 1_000_000_000;
/** Stripe charges at most eight digits (https://docs.stripe.com/currencies#minimum-and-maximum-charge-amounts). */
const largestAmount = 99_999_999;

const currencies = new Set(Intl.supportedValuesOf("currency"));

/** An operator's list of packages from JSON text. Rejects with invalid_request that names every mistake by JSON pointer. */
export function parsePackages(text: string): Package[] {
  return parseList(text, (check, entry, path) => {
    const members = check.object(entry, path, ["id", "name", "credits", "price"]);
    if (members === null) return null;
    return {
      id: check.id(members.id, `${path}/id`),
      name: check.name(members.name, `${path}/name`),
      credits: check.whole(members.credits, `${path}/credits`, mostPasses),
      price: check.price(members.price, `${path}/price`),
    };
  });
}

/** The same for plans. */
export function parsePlans(text: string): Plan[] {
  return parseList(text, (check, entry, path) => {
    const members = check.object(entry, path, ["id", "name", "monthly_passes", "interval", "price"]);
    if (members === null) return null;
    return {
      id: check.id(members.id, `${path}/id`),
      name: check.name(members.name, `${path}/name`),
      monthlyPasses: check.whole(members.monthly_passes, `${path}/monthly_passes`, mostPasses),
      interval: check.oneOf(members.interval, `${path}/interval`, planIntervals),
      price: check.price(members.price, `${path}/price`),
    };
  });
}

function parseList<Entry>(
  text: string,
  read: (check: ListCheck, entry: unknown, path: string) => Entry | null,
): Entry[] {
  const list = parseJson(text);
  if (!Array.isArray(list)) throw notAList("must be a JSON array");
  if (list.length > mostEntries) throw notAList(`must not have more than ${mostEntries} entries`);
  const check = new ListCheck();
  const entries = list.map((entry, index) => read(check, entry, `/${index}`));
  if (check.violations.length > 0) throw invalidRequest(check.violations);
  return entries.filter((entry) => entry !== null);
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch (error) {
    throw notAList(`must be JSON: ${(error as Error).message}`);
  }
}

function notAList(message: string): PasswrightError {
  return new PasswrightError("invalid_request", `The list ${message}`, { details: [{ path: "", message }] });
}

/** Collects what is wrong. What it returns for a faulty member is of the right type, and thrown away with the rest. */
class ListCheck {
  readonly violations: Violation[] = [];
  private readonly placeOfId = new Map<string, string>();

  object(value: unknown, path: string, known: readonly string[]): Record<string, unknown> | null {
    if (typeof value !== "object" || value === null || Array.isArray(value)) {
      return this.fault(path, "must be an object", null);
    }
    for (const name of Object.keys(value)) {
      const pointer = name.replaceAll("~", "~0").replaceAll("/", "~1");
      if (!known.includes(name)) this.fault(`${path}/${pointer}`, "is not a known member", null);
    }
    return value as Record<string, unknown>;
  }

  id(value: unknown, path: string): string {
    if (typeof value !== "string" || !/^[a-z0-9-]{1,64}$/.test(value)) {
      return this.fault(path, "must be 1 to 64 of a-z, 0-9 and -", "");
    }
    const earlier = this.placeOfId.get(value);
    if (earlier !== undefined) return this.fault(path, `must be unique, but is that of ${earlier} too`, "");
    this.placeOfId.set(value, path);
    return value;
  }

  name(value: unknown, path: string): string {
    const isName =
      typeof value === "string" &&
      value.isWellFormed() &&
      value.trim() !== "" &&
      [...value].length <= 100 &&
      !/\p{Cc}/u.test(value);
    return isName ? value : this.fault(path, "must be 1 to 100 characters, without control characters", "");
  }

  whole(value: unknown, path: string, most: number): number {
    const fits = typeof value === "number" && Number.isInteger(value) && value >= 1 && value <= most;
    return fits ? value : this.fault(path, `must be a whole number from 1 to ${most}`, 1);
  }

  oneOf<Word extends string>(value: unknown, path: string, words: readonly [Word, ...Word[]]): Word {
    const word = words.find((candidate) => candidate === value);
    return word ?? this.fault(path, `must be one of ${words.join(", ")}`, words[0]);
  }

  price(value: unknown, path: string): Price {
    const members = this.object(value, path, ["amount", "currency"]);
    if (members === null) return { amount: 1, currency: "" };
    return {
      amount: this.whole(members.amount, `${path}/amount`, largestAmount),
      currency: this.currency(members.currency, `${path}/currency`),
    };
  }

  /** Upper case as ISO 4217 writes it, or lower case as Stripe does. */
  private currency(value: unknown, path: string): string {
    const isCode =
      typeof value === "string" && /^([A-Z]{3}|[a-z]{3})$/.test(value) && currencies.has(value.toUpperCase());
    return isCode ? value : this.fault(path, "must be a currency code of ISO 4217, such as EUR or eur", "");
  }

  private fault<Value>(path: string, message: string, instead: Value): Value {
    this.violations.push({ path, message });
    return instead;
  }
}
