import { createAnswerCheck } from "../../support/openapi.ts";
import { type Ask, ask, type Reply } from "./requests.ts";

type Check = ReturnType<typeof createAnswerCheck>;

/** Of each service that was asked, the check of its answers against its own document. */
const checks = new Map<string, Promise<Check>>();

/** Throws where an answer is not as the service's OpenAPI document says of the operation. */
export async function requireDocumented(
  baseUrl: string,
  { path, method, body }: Pick<Ask, "method" | "body"> & { path: string },
  reply: Reply,
): Promise<void> {
  const check = await (checks.get(baseUrl) ?? fetchCheck(baseUrl));
  // A service that went down meanwhile has no document to show.
  if (check === undefined) return;
  const { pathname } = new URL(path, baseUrl);
  const faults = check(method ?? (body === undefined ? "GET" : "POST"), pathname, reply);
  if (faults.length > 0) throw new Error(`not as documented: ${faults.join("; ")}\n${reply.text}`);
}

async function fetchCheck(baseUrl: string): Promise<Check | undefined> {
  const fetched = ask(`${baseUrl}/openapi.json`).then(({ json }) => createAnswerCheck(json));
  checks.set(baseUrl, fetched);
  return fetched.catch(() => {
    checks.delete(baseUrl);
    return undefined;
  });
}
