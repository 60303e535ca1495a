/** What every wallet keeps to (domain/providers/provider.ts), run for each of them. */
import t, { type Test } from "tap";
import { type ErrorKind, PasswrightError } from "../../src/domain/errors.ts";
import type { PassToIssue, Provider } from "../../src/domain/providers/provider.ts";
import { openAppleWallet } from "./contract/apple-wallet.ts";
import { openGoogleWallet } from "./contract/google-wallet.ts";
import { sampleJob, samplePass, sampleTemplate } from "./google/fixtures/sample-pass.ts";

/** What a person sees of a pass: its texts, and whether it is good. */
export type Shown = { texts: string; isVoid: boolean };

/** A wallet with credentials for a tenant of its own. */
export type Wallet<Credentials> = {
  provider: Provider<Credentials>;
  /** The same wallet as another process opens it. */
  another(): Provider<Credentials>;
  credentials: Credentials;
  broken: Credentials;
  /** How a pass that was issued looks by now; null: it is not there. */
  shown(job: PassToIssue): Promise<Shown | null>;
  /** How many passes the wallet has. */
  count(): Promise<number>;
  /** Makes a message stand on a pass, as domain/messages does. */
  message(job: PassToIssue, message: { id: string; header: string; body: string }): Promise<PassToIssue>;
  /** Faults of the wallet's own server, where it is asked; each is met once. `lost`: what was asked for was done. */
  faults?: Record<"unavailable" | "rate limited" | "answer lost" | "message lost", () => Promise<void>>;
};

const never = new AbortController().signal;
/** What nobody but this pass has. */
const first = samplePass({ data: { points: "1111" } });
const later = (version: number, points: string) => samplePass({ version, data: { points } });

async function refused(work: Promise<unknown>): Promise<PasswrightError> {
  const error = await work.then(
    () => new Error("it was not refused"),
    (reason: unknown) => reason,
  );
  if (error instanceof PasswrightError) return error;
  throw error;
}

const isRetried = (kind: ErrorKind) => ["unavailable", "rate_limited", "bug"].includes(kind);

function contract<Credentials>(t: Test, open: () => Promise<Wallet<Credentials>>): void {
  const start = async (wallet?: Wallet<Credentials>) => {
    const opened = wallet ?? (await open());
    t.teardown(() => opened.provider.close());
    return {
      ...opened,
      issue: (changes: Partial<PassToIssue> = {}, signal = never, by = opened.provider) =>
        by.issue(sampleJob({ pass: first, ...changes }), opened.credentials, signal),
      sees: (changes: Partial<PassToIssue> = {}) => opened.shown(sampleJob({ pass: first, ...changes })),
    };
  };

  t.test("a pass that is issued can be saved, and shows what it says", async (t) => {
    const { issue, sees, count, provider } = await start();
    const { saveLink } = await issue();
    t.match(
      saveLink,
      provider.key === "apple" ? /^\/p\/page\/pass\.pkpass$/ : /^https:\/\/pay\.google\.com\//,
    );
    t.match(await sees(), { texts: /1111/, isVoid: false });
    t.equal(await count(), 1);
  });

  t.test("issuing again, here or elsewhere, changes nothing", async (t) => {
    const { issue, sees, count, another } = await start();
    const link = await issue();
    const before = await sees();
    const other = another();
    t.strictSame(await issue(), link);
    t.strictSame(await issue({}, never, other), link);
    await other.close();
    t.strictSame(await sees(), before);
    t.equal(await count(), 1);
  });

  t.test("issuing it several times at once makes one pass", async (t) => {
    const { issue, sees, count, another } = await start();
    const other = another();
    const links = await Promise.all([issue(), issue({}, never, other), issue(), issue({}, never, other)]);
    await other.close();
    t.equal(new Set(links.map(({ saveLink }) => saveLink)).size, 1);
    t.match(await sees(), { texts: /1111/ });
    t.equal(await count(), 1);
  });

  t.test("an update shows the newest data, under the same link, and nothing of the old", async (t) => {
    const { issue, sees } = await start();
    const link = await issue();
    const pass = later(2, "2222");
    t.strictSame(await issue({ pass }), link);
    const shown = await sees({ pass });
    t.match(shown, { texts: /2222/, isVoid: false });
    t.notMatch(shown?.texts, "1111");
  });

  t.test("an update of a pass that never arrived makes it", async (t) => {
    const { issue, sees } = await start();
    const pass = later(3, "3333");
    await issue({ pass });
    t.match(await sees({ pass }), { texts: /3333/ });
  });

  t.test("a new version of the template shows with the pass that takes it", async (t) => {
    const { issue, sees } = await start();
    await issue();
    const { header } = sampleTemplate().version.content;
    const template = sampleTemplate(
      "MembershipCard",
      { header: { ...header, organization_name: "New name" } },
      { version: 2 },
    );
    const pass = samplePass({ id: "another", version: 2, templateVersion: 2, data: { points: "2222" } });
    const own = { ...template, template: { ...template.template, id: "another-template" } };
    await issue({ pass, template: own });
    t.match(await sees({ pass, template: own }), { texts: /New name/ });
  });

  t.test("a revoked pass is void, also when that is said twice, or before it was ever made", async (t) => {
    const { issue, sees } = await start();
    await issue();
    for (const _ of [1, 2]) await issue({ voided: true });
    t.match(await sees({ voided: true }), { isVoid: true });
    const pass = samplePass({ id: "never-made" });
    await issue({ pass, voided: true });
    t.match(await sees({ pass, voided: true }), { isVoid: true });
  });

  t.test("an attempt that is ended leaves nothing that the next one trips over", async (t) => {
    const { issue, sees, count } = await start();
    await t.rejects(issue({}, AbortSignal.abort(new Error("stop"))));
    t.equal(await count(), 0);
    await issue();
    t.match(await sees(), { texts: /1111/ });
  });

  t.test(
    "what a wallet refuses, and bad credentials, are not tried again; both say what is wrong",
    async (t) => {
      const { provider, broken, credentials } = await start();
      const bare = sampleTemplate("LoyaltyCard", {}, { images: new Map(), version: 9 });
      const rejected = await refused(provider.issue(sampleJob({ template: bare }), credentials, never));
      t.equal(rejected.code, "provider_rejected");
      const denied = await refused(provider.issue(sampleJob(), broken, never));
      t.equal(denied.code, "provider_credentials_invalid");
      for (const { kind, detail } of [rejected, denied]) {
        t.notOk(isRetried(kind));
        t.ok(detail.length > 20, detail);
      }
      t.ok(await provider.issue(sampleJob(), credentials, never), "and the good ones go on working");
    },
  );

  t.test("a message is shown once, and the next one beside it or in its place", async (t) => {
    const { issue, message, shown } = await start();
    await issue();
    const greeting = { id: "m1", header: "Hello", body: "We have moved." };
    let job = await message(sampleJob({ pass: first }), greeting);
    job = await message(job, greeting);
    const once = (await shown(job))?.texts ?? "";
    t.equal(once.split("We have moved.").length - 1, 1);
    job = await message(job, { id: "m2", header: "Hello", body: "We have opened." });
    t.match((await shown(job))?.texts, /We have opened\./);
  });

  t.test("closing is final, and harmless to repeat", async (t) => {
    const { another, credentials } = await start();
    const provider = another();
    await provider.issue(sampleJob(), credentials, never);
    await provider.close();
    await provider.close();
    t.pass();
  });
}

t.test("apple", async (t) => {
  const open = await openAppleWallet(t);
  contract(t, open);
});

t.test("google", async (t) => {
  const open = await openGoogleWallet(t);
  contract(t, open);
  const faulty = async () => {
    const wallet = await open();
    t.teardown(() => wallet.provider.close());
    if (wallet.faults === undefined) throw new Error("this wallet has no server");
    const issue = () => wallet.provider.issue(sampleJob({ pass: first }), wallet.credentials, never);
    return { ...wallet, faults: wallet.faults, issue };
  };

  for (const [fault, code] of [
    ["unavailable", "provider_unavailable"],
    ["rate limited", "provider_rate_limited"],
  ] as const) {
    t.test(`a wallet that is ${fault} is tried again, and then takes the pass`, async (t) => {
      const { faults, issue, shown } = await faulty();
      await faults[fault]();
      const error = await refused(issue());
      t.equal(error.code, code);
      t.ok(isRetried(error.kind));
      t.equal(typeof error.retryAfterSeconds, code === "provider_rate_limited" ? "number" : "undefined");
      await issue();
      t.match(await shown(sampleJob({ pass: first })), { texts: /1111/ });
    });
  }

  t.test("a pass, and a message, whose answer is lost are there once after the next attempt", async (t) => {
    const { faults, issue, message, shown, count } = await faulty();
    await faults["answer lost"]();
    t.equal((await refused(issue())).code, "provider_unavailable");
    await issue();
    t.equal(await count(), 1);
    const job = sampleJob({ pass: first });
    const greeting = { id: "m1", header: "Hello", body: "We have moved." };
    await message(job, { ...greeting, id: "m0", body: "Before." });
    await faults["message lost"]();
    await refused(message(job, greeting));
    await message(job, greeting);
    t.equal(((await shown(job))?.texts ?? "").split("We have moved.").length - 1, 1);
  });
});
