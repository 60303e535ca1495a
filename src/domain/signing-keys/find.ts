import { PasswrightError } from "../errors.ts";
import type { SigningKey } from "./signing-key.ts";

/** The key of that id, or not_found. */
export function findKey(keys: readonly SigningKey[], kid: string): SigningKey {
  const key = keys.find((candidate) => candidate.kid === kid);
  if (key === undefined) throw new PasswrightError("not_found", `There is no signing key ${kid}.`);
  return key;
}

/** The key that signs and the one that will; there is one of each from the first start on. */
export function activeAndNext(keys: readonly SigningKey[]): { active: SigningKey; next: SigningKey } {
  const active = keys.find(({ state }) => state === "active");
  const next = keys.find(({ state }) => state === "next");
  if (active === undefined || next === undefined) {
    throw new PasswrightError(
      "invalid_state",
      "There are no signing keys yet. The first start of `passwright serve` makes them.",
    );
  }
  return { active, next };
}
