/** Apple takes no more in one bundle. */
const mostTokens = 10;

/** The tokens of a list with commas, each once. */
export function pageTokensIn(text: string): string[] {
  return [...new Set(text.split(","))];
}

/** What is wrong with such a list, and how to put it right; null: nothing. */
export function pageTokensFault(text: string): string | null {
  const tokens = pageTokensIn(text);
  if (!tokens.every((token) => /^[A-Za-z0-9_-]{1,64}$/.test(token))) {
    return "must be the tokens of pages (the last part of each page_url), with commas between them";
  }
  return tokens.length <= mostTokens
    ? null
    : `names ${tokens.length} passes, and a bundle holds ${mostTokens}: ask for the others in another bundle`;
}
