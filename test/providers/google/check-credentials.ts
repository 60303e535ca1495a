import t from "tap";
import { checkGoogleCredentials } from "../../../src/providers/google/check-credentials.ts";
import { refuse, startGoogleServer } from "./fixtures/google-server.ts";
import { credentialsFor, issuerId } from "./fixtures/service-account.ts";

const clock = { nowMs: Date.now };
const never = new AbortController().signal;

t.test("credentials that work pass, and nothing is written", async (t) => {
  const google = await startGoogleServer();
  t.teardown(() => google.close());
  await checkGoogleCredentials({ clock }, credentialsFor(google.url), never);
  t.strictSame(google.calls, ["POST /token", "GET /genericClass"]);
});

t.test("a refused grant and a foreign issuer are told apart", async (t) => {
  const google = await startGoogleServer();
  t.teardown(() => google.close());
  const credentials = credentialsFor(google.url);
  google.meet("POST /token", { status: 400, body: { error: "invalid_grant" } });
  await t.rejects(checkGoogleCredentials({ clock }, credentials, never), {
    code: "provider_credentials_invalid",
    detail: /refuses the service account .*invalid_grant/,
  });
  google.meet("GET /genericClass", refuse(403, "Permission denied.", "permissionDenied"));
  await t.rejects(checkGoogleCredentials({ clock }, credentials, never), {
    code: "provider_credentials_invalid",
    detail: new RegExp(`the issuer ${issuerId}: Permission denied`),
  });
});
