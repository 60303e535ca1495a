import { PasswrightError } from "../../domain/errors.ts";
import type { WalletApi, WalletCall, Written } from "./wallet-api.ts";

/**
 * Makes the resource be as the body says, whoever else writes it meanwhile: insert, and patch where the id is
 * taken; or patch, and insert where nothing bears it. (To look first and write then loses races.)
 * `first` is the likelier of the two, and costs one request when the guess is right.
 * Answers `not_found` when an insert found no class for its object.
 */
export async function insertOrPatch(
  api: WalletApi,
  call: WalletCall & { first: "insert" | "patch" },
  signal: AbortSignal,
): Promise<Exclude<Written, { outcome: "exists" }>> {
  let verb = call.first;
  let reason = "";
  // The third attempt is for somebody who inserts between our patch and our insert.
  for (let attempt = 1; attempt <= 3; attempt++) {
    const answer = await api[verb](call, signal);
    if (answer.outcome === "written") return answer;
    if (verb === "insert" && answer.outcome === "not_found") return answer;
    reason = answer.reason;
    verb = verb === "insert" ? "patch" : "insert";
  }
  // Google keeps ids unique over all kinds of an issuer: a template that changed its kind ends here.
  const detail = `${call.collection} ${call.body.id} both exists and does not; is the id one of another kind? ${reason}`;
  throw new PasswrightError("provider_rejected", detail);
}
