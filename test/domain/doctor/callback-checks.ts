import { writeFileSync } from "node:fs";
import { join } from "node:path";
import t, { type Test } from "tap";
import { callbackKeys } from "../../../src/domain/doctor/callback-checks.ts";
import { credentialsFor } from "../../providers/google/fixtures/service-account.ts";
import { openExamined } from "../../support/examination.ts";
import { googleSigner } from "../../support/google-callbacks.ts";

const https = { PASSWRIGHT_BASE_URL: "https://passes.example.com" };
const hourMs = 3_600_000;

/** An installation with a tenant of Google's, and keys in a file that end in so many hours. */
async function opened(
  t: Test,
  given: { sandbox?: boolean; hours?: number; settings?: Record<string, string> } = {},
) {
  const file = join(t.testdir(), "keys.json");
  const signer = googleSigner({ issuerId: "1", nowMs: () => Date.now() });
  const keyExpiration = String(Date.now() + (given.hours ?? 48) * hourMs);
  writeFileSync(file, JSON.stringify(signer.keysDocument({ keyExpiration })));
  const settings = { ...https, PASSWRIGHT_GOOGLE_CALLBACK_KEYS_FILE: file, ...given.settings };
  const examined = await openExamined(t, { settings });
  const { id: tenantId } = await examined.addTenant();
  const configuration = { tenantId, wallet: "google", enabled: true, updatedAtMs: 0, summary: {} } as const;
  await examined.providerConfigurations.save(
    { ...configuration, sandbox: given.sandbox === true },
    credentialsFor("https://walletobjects.googleapis.com"),
  );
  return examined;
}

t.test("keys must last for a day", async (t) => {
  t.match(await callbackKeys.look(await opened(t)), [{ status: "ok", message: /ends on 20/ }]);
  t.match(await callbackKeys.look(await opened(t, { hours: 23 })), [
    { status: "warning", remedy: /KEYS_FILE/ },
  ]);
  t.match(await callbackKeys.look(await opened(t, { hours: -1 })), [
    { status: "failed", message: /no call-back can be verified/ },
  ]);
});

t.test("keys that are not to be had are told, and why", async (t) => {
  const url = "http://127.0.0.1:9/keys";
  const settings = { PASSWRIGHT_GOOGLE_CALLBACK_KEYS_FILE: "", PASSWRIGHT_GOOGLE_CALLBACK_KEYS_URL: url };
  t.match(await callbackKeys.look(await opened(t, { settings })), [
    {
      status: "failed",
      message: `call-backs: ${url}: connect ECONNREFUSED`,
      remedy: /Let this machine reach/,
    },
  ]);
});

t.test("nobody looks for keys that nobody needs", async (t) => {
  const away = {
    PASSWRIGHT_GOOGLE_CALLBACK_KEYS_FILE: "",
    PASSWRIGHT_GOOGLE_CALLBACK_KEYS_URL: "http://127.0.0.1:9/",
  };
  const plain = await opened(t, { settings: { ...away, PASSWRIGHT_BASE_URL: "http://127.0.0.1:8080" } });
  t.match(await callbackKeys.look(plain), [{ status: "ok", message: /is not https/ }]);
  const sandbox = await opened(t, { sandbox: true, settings: away });
  t.match(await callbackKeys.look(sandbox), [{ status: "ok", message: /^None of 1 tenant/ }]);
});
