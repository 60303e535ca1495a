import { X509Certificate } from "node:crypto";
import { openCredentialChecks } from "../app.ts";
import type { Clock } from "../domain/clock.ts";
import type { AppleCredentials, GoogleCredentials } from "../domain/providers/provider.ts";
import { askSandbox } from "./sandbox-client.ts";

type AppleAnswer = { certificate: string; key: string; wwdr: string; apns_url: string };
type GoogleAnswer = { issuer_id: string; service_account: object; api_url: string };

/** A Pass Type ID certificate that the sandbox's authority issues, checked like a real one. */
export async function sandboxAppleCredentials(clock: Clock, sandboxUrl: string): Promise<AppleCredentials> {
  const answer = await askSandbox<AppleAnswer>(sandboxUrl, "/credentials/apple", {});
  const checks = await openCredentialChecks();
  return checks.apple(
    { clock },
    { certificate: answer.certificate, key: answer.key, wwdr: answer.wwdr, apnsUrl: answer.apns_url },
  );
}

/** A service account and an issuer that the sandbox's Google knows, checked like real ones. */
export async function sandboxGoogleCredentials(clock: Clock, sandboxUrl: string): Promise<GoogleCredentials> {
  const answer = await askSandbox<GoogleAnswer>(sandboxUrl, "/credentials/google", {});
  const checks = await openCredentialChecks();
  const credentials = checks.google({
    serviceAccount: JSON.stringify(answer.service_account),
    issuerId: answer.issuer_id,
    apiUrl: answer.api_url,
  });
  await checks.googleOnline({ clock }, credentials, AbortSignal.timeout(30_000));
  return credentials;
}

/** What may be shown of Apple credentials. */
export function appleSummary(credentials: AppleCredentials): Record<string, string> {
  return {
    pass_type_identifier: credentials.passTypeIdentifier,
    team_identifier: credentials.teamIdentifier,
    expires_at: new X509Certificate(credentials.certificate).validToDate.toISOString(),
    apns_url: credentials.apnsUrl,
    ...(credentials.pushKey !== undefined && { push_key_id: credentials.pushKey.keyId }),
  };
}

/** What may be shown of Google credentials. */
export function googleSummary(credentials: GoogleCredentials): Record<string, string> {
  return {
    issuer_id: credentials.issuerId,
    client_email: credentials.clientEmail,
    api_url: credentials.apiUrl,
  };
}
