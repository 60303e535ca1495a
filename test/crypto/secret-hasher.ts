import { mock } from "node:test";
import { setImmediate as turn } from "node:timers/promises";
import argon2 from "argon2";
import t, { type Test } from "tap";
import { createSecretHasher } from "../../src/crypto/secret-hasher.ts";
import type { SecretHasher } from "../../src/domain/applications/application.ts";

type Module = typeof import("../../src/crypto/secret-hasher.ts");

t.test("a hash is salted Argon2id with 19 MiB, two passes and one lane", async (t) => {
  const hasher = createSecretHasher();
  const [one, other] = await Promise.all([hasher.hash("secret"), hasher.hash("secret")]);
  for (const hash of [one, other]) {
    const [, algorithm, version, parameters = "", salt = "", tag = ""] = hash.split("$");
    t.strictSame([algorithm, version], ["argon2id", "v=19"]);
    t.strictSame(parameters.split(",").sort(), ["m=19456", "p=1", "t=2"]);
    t.ok(Buffer.from(salt, "base64").length >= 16, "16 bytes of salt (RFC 9106 section 3.1)");
    t.equal(Buffer.from(tag, "base64").length, 32);
  }
  t.not(one, other);
  t.ok(await argon2.verify(one, "secret"), "the library that made it verifies it");
});

t.test("only the secret that was hashed is verified, and nobody's hash never", async (t) => {
  const hasher = createSecretHasher();
  const hash = await hasher.hash("secret");
  t.equal(await hasher.verify(hash, "secret"), true);
  t.equal(await hasher.verify(hash, "Secret"), false);
  t.equal(await hasher.verify(null, "secret"), false);
  t.equal(await hasher.verify(null, ""), false);
});

/** The hasher over the real Argon2, with a look at what it does; `hold` keeps every verification until it is let go. */
async function watched(t: Test, options: { concurrency?: number; cores?: number; hold?: boolean }) {
  const seen = { now: 0, most: 0, hashes: [] as string[], started: [] as string[] };
  const gates: PromiseWithResolvers<void>[] = [];
  const library = {
    ...argon2,
    async verify(hash: string, secret: string) {
      seen.hashes.push(hash);
      seen.started.push(secret);
      seen.now += 1;
      seen.most = Math.max(seen.most, seen.now);
      if (options.hold) {
        const gate = Promise.withResolvers<void>();
        gates.push(gate);
        await gate.promise;
      }
      const matches = options.hold ? false : await argon2.verify(hash, secret);
      seen.now -= 1;
      return matches;
    },
  };
  const os = { availableParallelism: () => options.cores ?? 1 };
  const mocks = { argon2: library, "node:os": os };
  const module = (await t.mockImport("../../src/crypto/secret-hasher.ts", mocks)) as Module;
  const hasher: SecretHasher = module.createSecretHasher(options.concurrency);
  return { hasher, seen, letGo: () => gates.shift()?.resolve() };
}

t.test("nobody's hash costs what everybody's costs: one verification with the same parameters", async (t) => {
  const { hasher, seen } = await watched(t, { concurrency: 1 });
  const hash = await argon2.hash("x", {
    type: argon2.argon2id,
    memoryCost: 19_456,
    timeCost: 2,
    parallelism: 1,
  });
  await hasher.verify(hash, "a");
  await hasher.verify(null, "b");
  await hasher.verify(null, "c");
  const costOf = (phc: string): string => phc.split("$").slice(1, 4).join("$");
  t.strictSame(seen.hashes.map(costOf), Array(3).fill(costOf(hash)));
  t.equal(seen.hashes[1], seen.hashes[2], "the decoy is made once");
});

/** Hashing takes as long as the machine is busy; nobody's wait shall end because of that. */
function withoutWaits(t: Test): void {
  mock.timers.enable({ apis: ["setTimeout"] });
  t.teardown(() => mock.timers.reset());
}

for (const concurrency of [1, 3]) {
  t.test(`at most ${concurrency} at a time are hashed, in the order of asking`, async (t) => {
    withoutWaits(t);
    const { hasher, seen } = await watched(t, { concurrency });
    const hash = await hasher.hash("x");
    const asked = Array.from({ length: 9 }, (_, i) => `secret-${i}`);
    await Promise.all(asked.map((secret) => hasher.verify(hash, secret)));
    t.equal(seen.most, concurrency);
    t.strictSame(seen.started, asked);
  });
}

t.test("of the machine's cores one is left to others, where there are two or more", async (t) => {
  for (const [cores, most] of [
    [1, 1],
    [2, 1],
    [3, 2],
    [16, 2],
  ] as const) {
    const { hasher, seen } = await watched(t, { cores });
    const hash = await hasher.hash("x");
    await Promise.all(Array.from({ length: 6 }, () => hasher.verify(hash, "y")));
    t.equal(seen.most, most, `${cores} cores`);
  }
});

t.test("a verification that fails for a reason of its own lets the next one in", async (t) => {
  withoutWaits(t);
  const hasher = createSecretHasher(1);
  const outcomes = await Promise.allSettled([
    hasher.verify("no hash", "x"),
    hasher.hash("x"),
    hasher.hash("y"),
  ]);
  t.strictSame(
    outcomes.map(({ status }) => status),
    ["rejected", "fulfilled", "fulfilled"],
  );
});

t.test("who waited two seconds is turned away, and the others are not", async (t) => {
  const { hasher, seen, letGo } = await watched(t, { concurrency: 1, hold: true });
  withoutWaits(t);
  const holding = hasher.verify("hash", "holds the only place");
  const tooLong = hasher.verify("hash", "waits too long").catch((error) => error);
  mock.timers.tick(1000);
  const inTime = hasher.verify("hash", "waits a second less");
  mock.timers.tick(999);
  await turn();
  t.strictSame(seen.started, ["holds the only place"]);
  mock.timers.tick(1);
  t.match(await tooLong, { code: "unavailable", kind: "unavailable", retryAfterSeconds: 2 });
  letGo();
  await holding;
  await turn();
  letGo();
  t.equal(await inTime, false);
  t.strictSame(
    seen.started,
    ["holds the only place", "waits a second less"],
    "no place went to who had left",
  );
});

t.test("who finds 32 others waiting is turned away at once", async (t) => {
  const { hasher, seen, letGo } = await watched(t, { concurrency: 1, hold: true });
  const accepted = Array.from({ length: 33 }, () => hasher.verify("hash", "x"));
  await t.rejects(hasher.verify("hash", "one too many"), { code: "unavailable", retryAfterSeconds: 2 });
  for (let done = 0; done < 33; done++) {
    await turn();
    letGo();
  }
  await Promise.all(accepted);
  t.equal(seen.started.length, 33);
});

t.test("a decoy that could not be made is made anew for the next one who needs it", async (t) => {
  let failures = 1;
  const library = {
    ...argon2,
    hash: (secret: string, options: Parameters<typeof argon2.hash>[1]) =>
      failures-- > 0 ? Promise.reject(new Error("no memory")) : argon2.hash(secret, options),
  };
  const module = (await t.mockImport("../../src/crypto/secret-hasher.ts", { argon2: library })) as Module;
  const hasher = module.createSecretHasher(1);
  await t.rejects(hasher.verify(null, "x"), { message: "no memory" });
  t.equal(await hasher.verify(null, "x"), false);
});
