/**
 * What Redis says when its user lacks a right, in whatever form: to a command, to one of a transaction (ioredis keeps
 * what was said to each), or to one within a script. null for everything else.
 */
export function rightRefused(error: Error & { previousErrors?: unknown }): string | null {
  const { message, previousErrors } = error;
  const [, missing] = /\bNOPERM (.*)/.exec(message) ?? [];
  if (missing !== undefined) return missing;
  if (/The user executing the script can't run this command/.test(message)) {
    return "this user has no permissions to run a command that a script needs";
  }
  if (!Array.isArray(previousErrors)) return null;
  return previousErrors.map((each) => rightRefused(each)).find((each) => each !== null) ?? null;
}
