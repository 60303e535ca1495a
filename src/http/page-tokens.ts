/** Apple takes no more in one bundle. */
const mostTokens = 10;

const token = "[A-Za-z0-9_-]{1,64}";
/** A list of tokens, as a regular expression has it. */
export const pageTokensPattern = `^${token}(,${token})*$`;
const list = new RegExp(pageTokensPattern);

/** The tokens of a list with commas, each once. */
export function pageTokensIn(text: string): string[] {
  return [...new Set(text.split(","))];
}

/** What is wrong with such a list, and how to put it right; null: nothing. */
export function pageTokensFault(text: string): string | null {
  if (!list.test(text)) {
    return "must be the tokens of pages (the last part of each page_url), with commas between them";
  }
  const tokens = pageTokensIn(text);
  return tokens.length <= mostTokens
    ? null
    : `names ${tokens.length} passes, and a bundle holds ${mostTokens}: ask for the others in another bundle`;
}
