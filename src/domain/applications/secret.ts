import { createHmac, randomInt, timingSafeEqual } from "node:crypto";

const alphabet = "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz";
const prefix = "pws_";
/** 62^43 is just above 2^256. */
const randomLength = 43;
const checksumLength = 8;
const shape = /^pws_[0-9A-Za-z]{51}$/;

/**
 * A new application secret: `pws_`, 43 random base62 characters, and a checksum of 8 keyed with `pepper`.
 * The prefix lets scanners find leaked secrets; the checksum lets us refuse garbage without paying for a hash.
 */
export function newSecret(pepper: Buffer): string {
  let random = "";
  for (let i = 0; i < randomLength; i++) random += alphabet.charAt(randomInt(alphabet.length));
  return prefix + random + checksum(random, pepper);
}

/** Whether a text looks like a secret, whoever made it. */
export function hasSecretShape(text: string): boolean {
  return shape.test(text);
}

/** Whether a text can be a secret that one of these peppers made. Says nothing about whose. */
export function isWellFormedSecret(secret: string, peppers: readonly Buffer[]): boolean {
  if (!shape.test(secret)) return false;
  const random = secret.slice(prefix.length, prefix.length + randomLength);
  const given = Buffer.from(secret.slice(prefix.length + randomLength));
  return peppers.some((pepper) => timingSafeEqual(given, Buffer.from(checksum(random, pepper))));
}

/** The keyed checksum at the end of a well-formed secret. */
export function secretHint(secret: string): string {
  return secret.slice(-checksumLength);
}

function checksum(random: string, pepper: Buffer): string {
  // 62^8 is about 2^47.6: the first 48 bits of the MAC, reduced, are uniform enough for a checksum.
  let number = createHmac("sha256", pepper).update(random).digest().readUIntBE(0, 6);
  let text = "";
  for (let i = 0; i < checksumLength; i++) {
    text += alphabet.charAt(number % alphabet.length);
    number = Math.floor(number / alphabet.length);
  }
  return text;
}
