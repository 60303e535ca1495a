import t, { type Test } from "tap";
import type { PasswrightError } from "../../../src/domain/errors.ts";
import { checkGoogleCredentials } from "../../../src/providers/google/check-credentials.ts";
import { refuse, startGoogleServer } from "./fixtures/google-server.ts";
import { clientEmail, credentialsFor, issuerId } from "./fixtures/service-account.ts";

const clock = { nowMs: Date.now };
const never = new AbortController().signal;

async function started(t: Test) {
  const google = await startGoogleServer();
  t.teardown(() => google.close().catch(() => {}));
  const credentials = credentialsFor(google.url);
  return {
    google,
    credentials,
    check: (given = credentials, at = clock) => checkGoogleCredentials({ clock: at }, given, never),
    /** What is said when the next such call is refused so. */
    async said(call: string, answer: Parameters<typeof google.meet>[1]): Promise<PasswrightError> {
      google.meet(call, answer);
      return checkGoogleCredentials({ clock }, credentials, never).then(
        () => t.fail("it was not refused"),
        (error) => error,
      );
    },
  };
}

const grantError = (description: string, error = "invalid_grant") => ({
  ...{ status: 400, body: { error, error_description: description } },
  headers: { date: "Sat, 21 Nov 2026 06:43:46 GMT" },
});

t.test("credentials that work pass, and nothing is written", async (t) => {
  const { google, check } = await started(t);
  await check();
  t.strictSame(google.calls, ["POST /token", "GET /genericClass"]);
});

t.test("each reason for which a token is refused has its own words, and says what helps", async (t) => {
  const { said } = await started(t);
  t.match(await said("POST /token", grantError("Invalid JWT Signature.")), {
    code: "provider_credentials_invalid",
    detail: `Google refuses the key of the service account ${clientEmail}: Invalid JWT Signature. (invalid_grant). It was revoked`,
    remedy: /^Make a new key of the account/,
  });
  t.match(await said("POST /token", grantError("Invalid grant: account not found")), {
    code: "provider_credentials_invalid",
    detail: `Google knows no service account ${clientEmail}: Invalid grant: account not found (invalid_grant). It was deleted`,
    remedy: /^Restore or enable it/,
  });
  const clockSkew = grantError(
    "Invalid JWT: Token must be a short-lived token (60 minutes) and in a reasonable timeframe. Check your iat and exp values in the JWT claim.",
  );
  t.match(await said("POST /token", clockSkew), {
    code: "provider_unavailable",
    detail: /time of this machine wrong.*Its clock says 20..-.*, and Google's 2026-11-21T06:43:46.000Z\.$/,
    remedy: /^Set the clock of this machine right/,
  });
  t.match(await said("POST /token", grantError("", "invalid_grant")), {
    code: "provider_credentials_invalid",
    detail: `Google refuses the service account ${clientEmail}: HTTP 400 (invalid_grant)`,
  });
});

t.test("an account that may not act for the issuer is told apart from a wrong issuer", async (t) => {
  const { google, said } = await started(t);
  const denied = refuse(403, "Permission denied.", "permissionDenied");
  const issuers = (...ids: string[]) => ({
    ...{ status: 200, body: { resources: ids.map((id) => ({ issuerId: id, name: "x" })) } },
  });
  google.meet("GET /issuer", issuers());
  t.match(await said("GET /genericClass", denied), {
    code: "provider_credentials_invalid",
    detail: `Google denies ${clientEmail} the issuer ${issuerId}: Permission denied. (permissionDenied). ${clientEmail} is a user of no issuer.`,
    remedy: `Add ${clientEmail} to the users of the issuer`,
  });
  google.meet("GET /issuer", issuers("3388000000000000042"));
  t.match(await said("GET /genericClass", denied), {
    detail: new RegExp(`is a user of 3388000000000000042, not of ${issuerId}`),
    remedy: /^Give another issuer id; or add/,
  });
  google.meet("GET /issuer", denied);
  t.match(await said("GET /genericClass", denied), {
    detail: `Google denies ${clientEmail} the issuer ${issuerId}: Permission denied. (permissionDenied)`,
    remedy: new RegExp(
      `^Add ${clientEmail} to the users of the issuer.*; or see whether ${issuerId} is the right`,
    ),
  });
  for (const status of [400, 404]) {
    google.meet("GET /issuer", denied);
    t.match(await said("GET /genericClass", refuse(status, "Issuer not found.", "notFound")), {
      code: "provider_credentials_invalid",
      detail: `Google knows no issuer ${issuerId}: Issuer not found. (notFound)`,
      remedy: /^The issuer's number stands at https:/,
    });
  }
});

t.test("an API that is not enabled is named with its project and the page where it is enabled", async (t) => {
  const { said } = await started(t);
  const url =
    "https://console.developers.google.com/apis/api/walletobjects.googleapis.com/overview?project=123456";
  const message = `Google Wallet API has not been used in project 123456 before or it is disabled. Enable it by visiting ${url} then retry.`;
  const told = {
    code: "provider_credentials_invalid",
    detail: new RegExp(
      `^The Google Wallet API is not enabled in the project 123456 of ${clientEmail}: .*has not been used`,
    ),
    remedy: `Enable it at ${url}, and wait some minutes.`,
  };
  t.match(await said("GET /genericClass", refuse(403, message, "accessNotConfigured")), told);
  const details = [
    {
      "@type": "type.googleapis.com/google.rpc.ErrorInfo",
      ...{ reason: "SERVICE_DISABLED", domain: "googleapis.com" },
      metadata: { consumer: "projects/123456", service: "walletobjects.googleapis.com", activationUrl: url },
    },
  ];
  const body = {
    error: { code: 403, status: "PERMISSION_DENIED", message: "It has not been used.", details },
  };
  t.match(await said("GET /genericClass", { status: 403, body }), told);
});

t.test("quota, and who could not be reached, are no fault of the credentials", async (t) => {
  const { google, credentials, check, said } = await started(t);
  t.match(await said("GET /genericClass", refuse(403, "Quota exceeded.", "dailyLimitExceeded")), {
    code: "provider_rate_limited",
    detail: `Google limits the rate of ${clientEmail}: Quota exceeded. (dailyLimitExceeded)`,
    remedy: /PASSWRIGHT_GOOGLE_RATE_LIMIT/,
  });
  const nowhere = "http://127.0.0.1:1";
  await t.rejects(check({ ...credentials, tokenUrl: `${nowhere}/token` }), {
    code: "provider_unavailable",
    detail: "Google's token endpoint at 127.0.0.1:1 could not be reached (ECONNREFUSED)",
    remedy: /may reach 127\.0\.0\.1:1/,
  });
  await t.rejects(check({ ...credentials, apiUrl: nowhere }), {
    code: "provider_unavailable",
    detail: "Google's Wallet API at 127.0.0.1:1 could not be reached (ECONNREFUSED)",
  });
  t.match(
    await said("GET /genericClass", { status: 302, headers: { location: `${google.url}/elsewhere` } }),
    {
      detail: /HTTP 302/,
    },
  );
  t.notOk(google.calls.includes("GET /elsewhere"), "no redirect takes a token along");
});
