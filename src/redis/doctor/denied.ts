import { asUnavailable } from "../connection.ts";

/** Null where the server does not let this user ask that, or has no such command; rejects when it is away. */
export async function unlessDenied<Answer>(answer: Promise<Answer>): Promise<Answer | null> {
  try {
    return await answer;
  } catch (error) {
    if (error instanceof Error && /^(?:NOPERM|ERR unknown (?:sub)?command)/i.test(error.message)) return null;
    throw asUnavailable(error);
  }
}
