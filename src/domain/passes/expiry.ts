import { isPassDate } from "../templates/parsing/text-formats.ts";
import type { TemplateContent } from "../templates/template.ts";
import { renderTokens } from "./field-values.ts";

/**
 * When a pass expires by the `expirationDate` of its template's `apple` part, as a W3C date with a time zone (seconds may
 * be absent); null: it does not, or what the pass's values make of it is no date.
 */
export function expirationDate(
  { apple }: Pick<TemplateContent, "apple">,
  values: ReadonlyMap<string, string>,
): string | null {
  const written = apple?.expirationDate;
  const date = typeof written === "string" ? renderTokens(written, values) : "";
  return isPassDate(date) ? date : null;
}
