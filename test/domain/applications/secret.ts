import { randomBytes } from "node:crypto";
import t from "tap";
import { isWellFormedSecret, newSecret, secretHint } from "../../../src/domain/applications/secret.ts";

const pepper = randomBytes(32);
const base62 = "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz";

t.test("a secret is pws_, 43 random base62 characters and a checksum of 8", async (t) => {
  const made = Array.from({ length: 1000 }, () => newSecret(pepper));
  t.ok(made.every((secret) => /^pws_[0-9A-Za-z]{51}$/.test(secret)));
  t.ok(made.every((secret) => isWellFormedSecret(secret, [pepper])));
  t.equal(new Set(made).size, made.length);
  const drawn = new Set(made.flatMap((secret) => [...secret.slice(4, 47)]));
  t.equal(drawn.size, 62, "every character of the alphabet is drawn");
  t.equal(new Set(made.map(secretHint)).size, made.length, "checksums tell secrets apart");
});

t.test("a secret with any one character changed is refused", async (t) => {
  const secret = newSecret(pepper);
  for (let at = 0; at < secret.length; at += 1) {
    const other = secret[at] === "a" ? "b" : "a";
    const forged = secret.slice(0, at) + other + secret.slice(at + 1);
    if (isWellFormedSecret(forged, [pepper])) t.fail(`accepted with another character at ${at}`);
  }
  t.pass("none was accepted");
});

t.test("guessed secrets are refused", async (t) => {
  const draw = (length: number): string =>
    Array.from(randomBytes(length), (byte) => base62[byte % 62]).join("");
  const accepted = Array.from({ length: 20_000 }, () => `pws_${draw(51)}`).filter((guess) =>
    isWellFormedSecret(guess, [pepper]),
  );
  t.strictSame(accepted, []);
});

t.test("what only looks like a secret is refused", async (t) => {
  const secret = newSecret(pepper);
  const texts = ["", "pws_", secret.slice(0, -1), `${secret}0`, ` ${secret}`, `${secret}\n`];
  texts.push(secret.slice(4), secret.replace("pws_", "PWS_"), `${secret.slice(0, -1)}é`, "x".repeat(100_000));
  for (const text of texts) t.notOk(isWellFormedSecret(text, [pepper]), JSON.stringify(text.slice(0, 70)));
});

t.test("secrets made under any of several peppers are known, and under a stranger's none", async (t) => {
  const peppers = [randomBytes(32), pepper, randomBytes(32)];
  for (const maker of peppers) t.ok(isWellFormedSecret(newSecret(maker), peppers));
  t.notOk(isWellFormedSecret(newSecret(randomBytes(32)), peppers));
  t.notOk(isWellFormedSecret(newSecret(pepper), []));
});

t.test("the hint is the checksum", async (t) => {
  const secret = newSecret(pepper);
  t.equal(secretHint(secret), secret.slice(-8));
});
