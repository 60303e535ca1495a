import { badParam, stripeError } from "./api-error.ts";
import type { Form } from "./form.ts";

/** Makes of what stands at `param` a value, or refuses it. What is absent is undefined. */
export type Rule<Value> = (given: string | Form | undefined, param: string) => Value;

type Values<Rules> = { [Name in keyof Rules]: Rules[Name] extends Rule<infer Value> ? Value : never };

/** Insists on a value. */
export function required<Value>(rule: Rule<Value | undefined>): Rule<Value> {
  return (given, param) => present(rule(given, param), param);
}

/** The value, or the refusal of a request that lacks it. */
export function present<Value>(value: Value | undefined, param: string): Value {
  if (value !== undefined) return value;
  throw badParam(param, `Missing required param: ${param}.`, "parameter_missing");
}

export function text(longest: number): Rule<string | undefined> {
  return scalar((given, param) => {
    if ([...given].length <= longest) return given;
    throw badParam(param, `Invalid string: ${given.slice(0, 8)}…; must be at most ${longest} characters`);
  });
}

export function whole(least: number, most: number): Rule<number | undefined> {
  return scalar((given, param) => {
    if (!/^-?\d{1,15}$/.test(given)) {
      throw badParam(param, `Invalid integer: ${given}`, "parameter_invalid_integer");
    }
    const number = Number(given);
    if (number >= least && number <= most) return number;
    const bound = number < least ? `greater than or equal to ${least}` : `less than or equal to ${most}`;
    throw badParam(param, `This value must be ${bound}.`, "parameter_invalid_integer");
  });
}

export function oneOf<Word extends string>(...words: readonly Word[]): Rule<Word | undefined> {
  return scalar((given, param) => {
    const word = words.find((candidate) => candidate === given);
    if (word !== undefined) return word;
    const all = words.length === 1 ? words[0] : `${words.slice(0, -1).join(", ")} or ${words.at(-1)}`;
    throw badParam(param, `Invalid ${param}: must be one of ${all}`);
  });
}

/** An http or https address, as Checkout's redirects are. */
export const webAddress: Rule<string | undefined> = scalar((given, param) => {
  if ([...given].length > 5000) throw badParam(param, "Invalid URL: URL must be 5000 characters or less.");
  if (!/^https?:\/\//i.test(given) || !URL.canParse(given)) {
    throw badParam(param, "Not a valid URL", "url_invalid");
  }
  return given;
});

const currencies = new Set(Intl.supportedValuesOf("currency").map((code) => code.toLowerCase()));

export const currency: Rule<string | undefined> = scalar((given, param) => {
  const code = given.toLowerCase();
  if (currencies.has(code)) return code;
  throw badParam(
    param,
    `Invalid currency: ${given}. Stripe currently supports these currencies: usd, eur, …`,
  );
});

/** At most 50 pairs, names of 40 characters, values of 500 (https://docs.stripe.com/api/metadata). */
export const metadata: Rule<Record<string, string>> = (given, param) => {
  if (given === undefined) return {};
  if (typeof given === "string") throw badParam(param, "Invalid object");
  if (given.size > 50) throw badParam(param, "Metadata cannot have more than 50 keys.");
  return Object.fromEntries(
    [...given].map(([name, value]) => {
      const at = `${param}[${name}]`;
      if (typeof value !== "string") throw badParam(at, "Metadata values must be strings.");
      if (name.length > 40) throw badParam(at, "Metadata keys can be at most 40 characters long.");
      if (value.length > 500) throw badParam(at, "Metadata values can have up to 500 characters.");
      return [name, value];
    }),
  );
};

/** Members by name, and no others. */
export function object<Rules extends Record<string, Rule<unknown>>>(
  rules: Rules,
): Rule<Values<Rules> | undefined> {
  return (given, param) => {
    if (given === undefined) return undefined;
    if (typeof given === "string") throw badParam(param, "Invalid object");
    return members(given, rules, param);
  };
}

/** A list by index, in the order of the indexes. */
export function list<Value>(rule: Rule<Value | undefined>): Rule<Value[] | undefined> {
  return (given, param) => {
    if (given === undefined) return undefined;
    if (typeof given === "string" || [...given.keys()].some((index) => !/^\d{1,4}$/.test(index))) {
      throw badParam(param, "Invalid array");
    }
    return [...given]
      .sort(([one], [other]) => Number(one) - Number(other))
      .map(([index, value]) => rule(value, `${param}[${index}]`))
      .filter((value) => value !== undefined);
  };
}

/** What a whole form holds: unknown parameters are named first, all of them, as Stripe does. */
export function members<Rules extends Record<string, Rule<unknown>>>(
  form: Form,
  rules: Rules,
  within = "",
): Values<Rules> {
  const at = (name: string) => (within === "" ? name : `${within}[${name}]`);
  const unknown = [...form.keys()].filter((name) => !Object.hasOwn(rules, name)).map(at);
  if (unknown.length > 0) {
    const message = `Received unknown parameter${unknown.length > 1 ? "s" : ""}: ${unknown.join(", ")}`;
    throw stripeError(400, { message, code: "parameter_unknown", param: unknown[0] ?? "" });
  }
  const entries = Object.entries(rules).map(([name, rule]) => [name, rule(form.get(name), at(name))]);
  return Object.fromEntries(entries) as Values<Rules>;
}

function scalar<Value>(read: (given: string, param: string) => Value): Rule<Value | undefined> {
  return (given, param) => {
    if (given === undefined) return undefined;
    if (typeof given !== "string") throw badParam(param, "Invalid string: must be a value, not an object");
    if (given !== "") return read(given, param);
    throw badParam(
      param,
      `You passed an empty string for '${param}'. We assume empty values are an attempt to unset a parameter; however ` +
        `'${param}' cannot be unset. You should remove '${param}' from your request or supply a non-empty value.`,
      "parameter_invalid_empty",
    );
  };
}
