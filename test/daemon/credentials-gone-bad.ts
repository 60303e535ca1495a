import { randomBytes } from "node:crypto";
import t, { type Test } from "tap";
import { createVault } from "../../src/crypto/vault.ts";
import type { PushAnswer } from "../../src/domain/devices/push.ts";
import { retryJob } from "../../src/domain/jobs/retry.ts";
import type { Task } from "../../src/domain/jobs/work.ts";
import { carryOutPass } from "../../src/domain/passes/carry-out.ts";
import { updatePass } from "../../src/domain/passes/update.ts";
import type { AppleCredentials } from "../../src/domain/providers/provider.ts";
import { pushAnswer } from "../../src/providers/apple/apns/answers.ts";
import { createAppleProvider } from "../../src/providers/apple/provider.ts";
import { createDeviceStore } from "../../src/redis/devices.ts";
import { createJobHistory } from "../../src/redis/job-history.ts";
import { createPassWork } from "../../src/redis/pass-work.ts";
import { createProviderConfigurationStore } from "../../src/redis/provider-configurations.ts";
import {
  createAuthority,
  type LeafOptions,
  passTypeIdentifier,
  teamIdentifier,
} from "../providers/apple/fixtures/authority.ts";
import { openDeadLetters } from "../support/dead-letters.ts";
import { baseUrl, openIssuer, passOf } from "../support/issuer.ts";
import { never, openReplays } from "../support/replays.ts";
import { dayMs } from "../support/signing-keys.ts";
import { openStore } from "../support/store.ts";
import { claimOf, openQueue } from "../support/work.ts";

const authority = createAuthority(t.testdir());
const made = (name: string, options: LeafOptions = {}): AppleCredentials => ({
  ...authority.leaf(name, { kind: "ec", days: 100, ...options }),
  ...{ wwdr: authority.intermediate, passTypeIdentifier, teamIdentifier },
  apnsUrl: "https://api.push.apple.com",
});
const first = made("first");
const renewed = made("renewed", { beginsInDays: 90, days: 365 });

const jobRetrySchedule = [0, 5000, 30_000];

/** A pass that is in both wallets, whose Apple credentials are real; Google takes all. What APNs says, the test says. */
async function issued(t: Test) {
  const store = await openStore(t);
  store.clock.setTo(Date.now());
  const issuer = await openIssuer(store);
  const { tenantId, templateId, providerConfigurations } = issuer;
  const set = (credentials: AppleCredentials, through = providerConfigurations) =>
    through.save(
      { ...{ tenantId, wallet: "apple", enabled: true, sandbox: false, summary: {} }, updatedAtMs: 0 },
      credentials,
    );
  await set(first);
  const queue = await openQueue(store);
  let answer = (): PushAnswer => ({ outcome: "sent" });
  const apns = { push: async () => answer(), close() {} };
  const deps = {
    ...issuer,
    passWork: createPassWork(store, store.clock),
    providers: {
      apple: createAppleProvider({ clock: store.clock, apns }),
      google: {
        key: "google" as const,
        issue: async () => ({ saveLink: "https://g" }),
        close: async () => {},
      },
    },
    devices: createDeviceStore(store),
    queue,
    jobRetrySchedule,
    baseUrl,
  };
  const { id: passId } = passOf(await issuer.create());
  /** Does all that waits, and what that puts off, until nothing is left; the outcomes of each wallet. */
  const work = async (given: Partial<typeof deps> = {}) => {
    const outcomes: Record<string, string[]> = { apple: [], google: [] };
    for (let round = 0; round < 20; round += 1) {
      const tasks: Task[] = await claimOf(queue, issuer);
      for (const task of tasks) {
        outcomes[task.lane]?.push((await carryOutPass({ ...deps, ...given }, task, never)).outcome);
      }
      const { nextDueAtMs } = await queue.promoteDue(store.clock.nowMs());
      if (tasks.length === 0 && nextDueAtMs === null) return outcomes;
      if (nextDueAtMs !== null) {
        store.clock.setTo(Math.max(nextDueAtMs, store.clock.nowMs()));
        await queue.promoteDue(store.clock.nowMs());
      }
    }
    throw new Error("it does not come to an end");
  };
  t.strictSame(await work(), { apple: ["completed"], google: ["completed"] });
  const registration = {
    tenantId,
    passId,
    deviceId: "aa",
    pushToken: "0a",
    templateId,
    eventId: store.ids.uuid(),
  };
  await deps.devices.register(registration, store.clock.nowMs());

  const replays = openReplays(store);
  return {
    store,
    providerConfigurations,
    set,
    work,
    answers(given: typeof answer) {
      answer = given;
    },
    pass: () => issuer.passes.find(tenantId, passId),
    letters: () => openDeadLetters(store).list(),
    replays,
    /** Updates the pass; answers the job. */
    async update(): Promise<string> {
      const accepted = { workClass: "interactive", idempotency: null, traceId: "t" } as const;
      const data = { points: randomBytes(3).toString("hex") };
      const { body } = await updatePass(issuer, { tenantId, name: { passId }, data, ...accepted });
      return JSON.parse(body).job_id;
    },
    retry: (jobId: string) =>
      retryJob(
        { ...replays.deps, jobHistory: createJobHistory(store, store.clock), ids: store.ids },
        { tenantId, jobId, by: "ada@host", replayLimit: 10, signal: never },
      ),
  };
}

/** After new credentials, `jobs retry` completes what failed, and so does the next update. */
async function comesBack(t: Test, at: Awaited<ReturnType<typeof issued>>, jobId: string): Promise<void> {
  t.match((await at.retry(jobId)).replay, { replayed: 1 });
  t.strictSame(await at.work(), { apple: ["completed"], google: [] });
  t.match(await at.pass(), { status: "active", providers: { apple: { status: "completed", error: null } } });
  t.strictSame(await at.letters(), []);
  await at.update();
  t.strictSame(await at.work(), { apple: ["completed"], google: ["completed"] });
}

t.test("a certificate that has expired since fails Apple's part at once, and says what to do", async (t) => {
  const at = await issued(t);
  at.store.clock.forward(101 * dayMs);
  const jobId = await at.update();
  t.strictSame(await at.work(), { apple: ["failed"], google: ["completed"] });
  const error = {
    code: "provider_credentials_invalid",
    description: /^The Apple certificate expired on \d{4}-.*passwright providers set apple/,
  };
  t.match(await at.pass(), { status: "partial", providers: { apple: { status: "failed", error } } });
  t.strictSame(await at.letters(), [], "ten thousand of them would shut the tenant out");
  t.match((await at.retry(jobId)).replay, { replayed: 1 });
  t.strictSame(await at.work(), { apple: ["failed"], google: [] }, "nothing is better yet");
  await at.set(renewed);
  await comesBack(t, at, jobId);
});

t.test("a certificate that was revoked at APNs does, too", async (t) => {
  const at = await issued(t);
  const body = JSON.stringify({ reason: "BadCertificate" });
  at.answers(() => pushAnswer({ status: 403, body, retryAfter: null }, 0));
  const jobId = await at.update();
  t.strictSame(await at.work(), { apple: ["failed"], google: ["completed"] });
  const error = { code: "provider_credentials_invalid", description: /BadCertificate.*was it revoked/ };
  t.match(await at.pass(), { status: "partial", providers: { apple: { status: "failed", error } } });
  at.answers(() => ({ outcome: "sent" }));
  await comesBack(t, at, jobId);
});

t.test("a record whose certificate is for another pass type than it says signs nothing", async (t) => {
  const at = await issued(t);
  await at.set({ ...first, passTypeIdentifier: "pass.example.other" });
  const jobId = await at.update();
  t.strictSame(await at.work(), { apple: ["failed"], google: ["completed"] });
  const error = { code: "provider_credentials_invalid", description: /another pass type identifier or team/ };
  t.match(await at.pass(), { status: "partial", providers: { apple: { error } } });
  await at.set(first);
  await comesBack(t, at, jobId);
});

t.test(
  "credentials that the master keys do not open are tried as often as the schedule says, then kept",
  async (t) => {
    const at = await issued(t);
    const stranger = { ...at.store, vault: createVault([randomBytes(32)]) };
    const providerConfigurations = createProviderConfigurationStore(stranger);
    // Google's would be as unreadable.
    const google = (await at.providerConfigurations.openCredentials(
      (await at.pass())?.tenantId ?? "",
      "google",
    )) as never;
    const half: typeof providerConfigurations = {
      ...providerConfigurations,
      credentials: async (tenantId, wallet) =>
        wallet === "google" ? google : providerConfigurations.credentials(tenantId, wallet),
    };
    const jobId = await at.update();
    t.strictSame(await at.work({ providerConfigurations: half }), {
      apple: ["retrying", "retrying", "failed"],
      google: ["completed"],
    });
    const error = {
      code: "provider_credentials_unreadable",
      description: /for apple cannot be decrypted.*PASSWRIGHT_MASTER_KEY.*providers set apple/,
    };
    t.match(await at.pass(), { status: "partial", providers: { apple: { status: "failed", error } } });
    t.match(await at.letters(), [{ reason: "provider_credentials_unreadable" }]);
    await at.set(first);
    await comesBack(t, at, jobId);
  },
);
