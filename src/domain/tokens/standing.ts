import { PasswrightError } from "../errors.ts";
import type { AccessClaims } from "./token.ts";

/** Where a token's tenant and application stand now, at most a few seconds old. */
export type Standing = "good" | "tenant_suspended" | "application_disabled" | "gone";

export type StandingCheck = (claims: Pick<AccessClaims, "tenantId" | "applicationId">) => Promise<Standing>;

/** Rejects a live token whose tenant or application has lost its standing since it was issued. */
export async function requireGoodStanding(check: StandingCheck, claims: AccessClaims): Promise<void> {
  switch (await check(claims)) {
    case "good":
      return;
    case "tenant_suspended":
      throw new PasswrightError("invalid_client", "The tenant is suspended. Contact the operator.");
    case "application_disabled":
      throw new PasswrightError("unauthorized_client", "The application is disabled. Contact the operator.");
    case "gone":
      throw new PasswrightError("invalid_token", "The tenant or application of this token is gone.");
  }
}
