import { isLoopback } from "../../domain/loopback.ts";
import type { GoogleCredentials } from "../../domain/providers/provider.ts";

/**
 * Where Google reports saves and deletions of a tenant's passes, or undefined where it could not: it calls https only.
 * The sandbox, which is behind credentials with an API on this machine, calls this machine over plain http as well.
 */
export function callbackUrl(
  baseUrl: string,
  tenantId: string,
  { apiUrl }: Pick<GoogleCredentials, "apiUrl">,
): string | undefined {
  const isCalled = new URL(baseUrl).protocol === "https:" || (isLoopback(baseUrl) && isLoopback(apiUrl));
  return isCalled ? `${baseUrl}/google/${tenantId}/callback` : undefined;
}
