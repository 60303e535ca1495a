import { randomBytes } from "node:crypto";
import t, { type Test } from "tap";
import { masterKeys, signingKeys } from "../../../src/domain/doctor/secret-checks.ts";
import type { SigningKey } from "../../../src/domain/signing-keys/signing-key.ts";
import { credentialsFor } from "../../providers/google/fixtures/service-account.ts";
import { openExamined } from "../../support/examination.ts";
import { dayMs, mintHollowKey } from "../../support/signing-keys.ts";

/** Something of each kind that is sealed: signing keys, credentials of both wallets, a webhook's secret. */
async function sealedThings(t: Test) {
  const examined = await openExamined(t);
  const { id: tenantId } = await examined.addTenant();
  await seed(examined, { active: 1 });
  const configuration = { tenantId, enabled: true, sandbox: false, summary: {}, updatedAtMs: 0 };
  await examined.providerConfigurations.save(
    { ...configuration, wallet: "apple" },
    {
      ...{ certificate: "", key: "", wwdr: "", apnsUrl: "https://api.push.apple.com" },
      ...{ passTypeIdentifier: "pass.example", teamIdentifier: "A1B2C3D4E5" },
    },
  );
  await examined.providerConfigurations.save(
    { ...configuration, wallet: "google" },
    credentialsFor("https://walletobjects.googleapis.com"),
  );
  const webhookId = await examined.addWebhook(tenantId, "https://hooks.example.com/passes");
  return { ...examined, tenantId, webhookId };
}

/** Signing keys so many days old: how long the active one has signed, when the retired ones were relieved. */
async function seed(
  { signingKeys: store }: Pick<Awaited<ReturnType<typeof openExamined>>, "signingKeys">,
  days: { active?: number; retired?: readonly number[]; withoutNext?: boolean },
) {
  const ago = (count: number): number => Date.now() - count * dayMs;
  const key = async (state: SigningKey["state"], sinceMs: number, retiredAtMs: number | null = null) => ({
    ...(await mintHollowKey()),
    ...{
      state,
      publishedAtMs: sinceMs - dayMs,
      activatedAtMs: state === "next" ? null : sinceMs,
      retiredAtMs,
    },
  });
  await store.seed([
    ...(days.active === undefined ? [] : [await key("active", ago(days.active))]),
    ...(days.withoutNext ? [] : [await key("next", ago(1))]),
    ...(await Promise.all((days.retired ?? []).map((count) => key("retiring", ago(count + 90), ago(count))))),
  ]);
}

t.test("with the right master key every kind of secret opens", async (t) => {
  const { open } = await sealedThings(t);
  t.match(await masterKeys.look(await open()), [
    { status: "ok", message: "1 master key; every secret opens of 1 tenant." },
  ]);
});

t.test("with another master key each kind that cannot be opened is named", async (t) => {
  const { open } = await sealedThings(t);
  const wrong = await open({ PASSWRIGHT_MASTER_KEY: randomBytes(32).toString("base64") });
  const message = (kind: string) =>
    new RegExp(`^1 of 1 ${kind} cannot be opened: .*master key that is not configured`);
  t.match(await masterKeys.look(wrong), [
    { status: "failed", message: message("signing key"), remedy: /behind the first one/ },
    { status: "failed", message: message("Apple credential") },
    { status: "failed", message: message("Google credential") },
    { status: "failed", message: message("webhook secret") },
  ]);
});

t.test("a single secret that was altered is found among those that open", async (t) => {
  const { open, connection, keys, tenantId, webhookId } = await sealedThings(t);
  const key = keys.webhook(tenantId, webhookId);
  const sealed = (await connection.hget(key, "secret")) ?? "";
  await connection.hset(key, "secret", `${sealed.slice(0, -4)}AAAA`);
  t.match(await masterKeys.look(await open()), [{ status: "failed", message: /^1 of 1 webhook secret/ }]);
});

t.test("no master key at all is wrong, and nothing else is tried", async (t) => {
  const { open } = await sealedThings(t);
  t.match(await masterKeys.look(await open({ PASSWRIGHT_MASTER_KEY: "" })), [
    { status: "failed", message: /No master key/, remedy: /PASSWRIGHT_MASTER_KEY_FILE/ },
  ]);
});

t.test("signing keys that rotate in time are well, none at all is no fault yet", async (t) => {
  const examined = await openExamined(t);
  t.match(await signingKeys.look(examined), [{ status: "warning", remedy: /The first `passwright serve`/ }]);
  await seed(examined, { active: 30, retired: [1] });
  t.match(await signingKeys.look(examined), [
    { status: "ok", message: /signed for 30 days; rotated every 90 days/ },
  ]);
});

t.test("a key that has signed for too long is warned of, unless operators rotate", async (t) => {
  const examined = await openExamined(t);
  await seed(examined, { active: 120 });
  t.match(await signingKeys.look(examined), [
    { status: "warning", message: /120 days.*90 days/, remedy: /keys rotate/ },
  ]);
  const off = await examined.open({ PASSWRIGHT_KEY_ROTATION: "off" });
  t.match(await signingKeys.look(off), [{ status: "ok", message: /operators rotate/ }]);
});

t.test("a missing active or next key is wrong", async (t) => {
  const withoutNext = await openExamined(t);
  await seed(withoutNext, { active: 1, withoutNext: true });
  t.match(await signingKeys.look(withoutNext), [{ status: "failed", message: /no next signing key/ }]);
  const withoutActive = await openExamined(t);
  await seed(withoutActive, {});
  t.match(await signingKeys.look(withoutActive), [{ status: "failed", message: /no active signing key/ }]);
});

t.test("retired keys that should have gone are told, and the fix removes them", async (t) => {
  const examined = await openExamined(t);
  await seed(examined, { active: 1, retired: [1, 30, 60] });
  const found = await signingKeys.look(examined);
  t.match(found, [
    { status: "warning", message: /^2 retired keys should have gone/ },
    { status: "warning", message: /^5 keys are published/ },
  ]);
  t.equal(await found[0]?.fix?.apply(), "2 retired keys removed.");
  t.match(await signingKeys.look(examined), [{ status: "ok" }]);
});
