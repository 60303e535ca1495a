import { PasswrightError } from "../../domain/errors.ts";
import { isObject, type JsonObject } from "./author-part.ts";
import type { ClassJob } from "./pass-classes.ts";
import type { WalletApi } from "./wallet-api.ts";

/**
 * Why Google refuses objects: of a class that its reviewers have rejected it takes none, and says the reason only in the
 * class. Answers the error with that reason, or the error as it is.
 */
export async function withReview(
  api: WalletApi,
  { error, ofClass }: { error: unknown; ofClass: ClassJob },
  signal: AbortSignal,
): Promise<unknown> {
  const isRefusal = error instanceof PasswrightError && error.code === "provider_rejected";
  if (!isRefusal || ofClass.kind === "generic") return error;
  const { credentials, kind, id } = ofClass;
  const stored = await api.read({ credentials, collection: `${kind}Class`, id }, signal).catch(() => null);
  if (stored === null || !/^rejected$/i.test(String(stored.reviewStatus))) return error;
  return new PasswrightError(
    "provider_rejected",
    `Google's review has rejected the class ${id} (${said(stored)}). ` +
      "Change the template by that and publish it again, which sends the class for review anew, then retry the job.",
    { cause: error },
  );
}

function said({ review }: JsonObject): string {
  const comments = isObject(review) ? review.comments : undefined;
  return typeof comments === "string" && comments.trim() !== ""
    ? comments.replace(/\s+/g, " ").trim().slice(0, 400)
    : "without a reason";
}
