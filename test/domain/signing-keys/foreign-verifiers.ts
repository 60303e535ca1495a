import type { JSONWebKeySet } from "jose";
import t, { type Test } from "tap";
import { createAccessTokens } from "../../../src/crypto/access-tokens.ts";
import { createKeyring } from "../../../src/crypto/keyring.ts";
import { mintSigningKey } from "../../../src/crypto/signing-key-mint.ts";
import { retireExpiredKeys } from "../../../src/domain/signing-keys/retire-expired.ts";
import { rotateKey } from "../../../src/domain/signing-keys/rotate.ts";
import { accessTokenLifetimeSeconds } from "../../../src/domain/tokens/token.ts";
import {
  byJose,
  byJsonwebtoken,
  byOpenssl,
  byPyjwt,
  type ForeignVerifier,
  pyjwtIsMissing,
} from "../../support/foreign-verifiers.ts";
import { dayMs, hourMs, openSigningKeys } from "../../support/signing-keys.ts";
import { openStore } from "../../support/store.ts";

const issuer = "https://passes.example.com";
const tenantId = "0193a0b4-0000-7000-8000-000000000001";
const applicationId = "0193a0b4-0000-7000-8000-00000000000a";

/** A token, with a key set that somebody fetched 24 hours before he meets it. */
type Meeting = { when: string; token: string; keySet: JSONWebKeySet; setAgeMs: number; nowMs: number };

/** Three rotations, as early as they are allowed; tokens before, at and after each, with the oldest key set there may be. */
async function meetings(t: Test): Promise<Meeting[]> {
  const store = await openStore(t);
  const { clock } = store;
  const keys = await openSigningKeys(store, mintSigningKey);
  const keyring = await createKeyring(() => keys.signingKeys.list(), clock);
  const accessTokens = createAccessTokens({ keyring, clock, baseUrl: issuer });
  const found: Meeting[] = [];
  let served: { atMs: number; keySet: JSONWebKeySet }[] = [];

  const serve = async (): Promise<void> => {
    await keyring.refresh();
    served.push({ atMs: clock.nowMs(), keySet: JSON.parse(keyring.published().body) });
  };
  const token = (): Promise<string> => {
    const issuedAt = Math.floor(clock.nowMs() / 1000);
    return accessTokens.sign({
      id: store.ids.uuid(),
      tenantId,
      applicationId,
      scopes: ["passes:read"],
      issuedAt,
      expiresAt: issuedAt + accessTokenLifetimeSeconds,
    });
  };
  /** The token meets the key set that was served 24 hours ago, or the first one there was. */
  const meet = (when: string, text: string): void => {
    const nowMs = clock.nowMs();
    const old = served.findLast(({ atMs }) => atMs <= nowMs - dayMs) ?? served[0];
    if (old === undefined) throw new Error("nothing was served");
    found.push({ when, token: text, keySet: old.keySet, setAgeMs: nowMs - old.atMs, nowMs });
  };

  await serve();
  for (const number of [1, 2, 3]) {
    // Every process serves a new key 5 s after it was made: the last set without it is of just before.
    clock.forward(5000);
    await serve();
    clock.forward(dayMs - hourMs / 2);
    await serve();
    const early = await token();
    meet(`half an hour before rotation ${number}`, early);
    clock.forward(hourMs / 2);
    await rotateKey(keys, { force: false, dryRun: false });
    await serve();
    meet(`at rotation ${number}, with a token of before`, early);
    meet(`at rotation ${number}, with a token of the new key`, await token());
    clock.forward(hourMs / 2 - 1000);
    await retireExpiredKeys(keys);
    await serve();
    meet(`half an hour after rotation ${number}, with the last token of the old key`, early);
    meet(`half an hour after rotation ${number}`, await token());
    clock.forward(-hourMs / 2 + 1000);
    served = served.filter(({ atMs }) => atMs <= clock.nowMs());
  }
  t.equal(new Set(found.map((meeting) => kidOf(meeting.token))).size, 4, "four keys have signed");
  t.ok(found.filter(({ setAgeMs }) => setAgeMs >= dayMs).length >= 9, "with sets that are a day old");
  return found;
}

function kidOf(token: string): string {
  return JSON.parse(Buffer.from(token.split(".")[0] ?? "", "base64url").toString("utf8")).kid;
}

const verifiers: readonly [name: string, verify: ForeignVerifier, skip: false | string][] = [
  ["jose", byJose, false],
  ["jsonwebtoken with jwks-rsa", byJsonwebtoken, false],
  ["OpenSSL", byOpenssl, false],
  ["Debian's PyJWT", byPyjwt, pyjwtIsMissing()],
];

t.test("before, during and after three rotations, with a key set of the day before", async (t) => {
  const all = await meetings(t);
  for (const [name, verify, skip] of verifiers) {
    t.test(`${name} verifies every token`, { skip }, async (t) => {
      for (const { when, token, keySet, nowMs } of all) {
        const claims = await verify(token, { keySet, issuer, audience: issuer, nowMs });
        t.match(claims, { client_id: applicationId, tenant_id: tenantId }, when);
      }
    });
    t.test(
      `${name} refuses one that was changed, and one whose key is not in the set`,
      { skip },
      async (t) => {
        const [first] = all;
        if (first === undefined) throw new Error("there is no token");
        const { token, keySet, nowMs } = first;
        const expected = { keySet, issuer, audience: issuer, nowMs };
        const [header, claims, signature = ""] = token.split(".");
        const forged = `${header}.${claims}.${signature.startsWith("A") ? "B" : "A"}${signature.slice(1)}`;
        await t.rejects(async () => verify(forged, expected));
        const others = { keys: keySet.keys.filter(({ kid }) => kid !== kidOf(token)) };
        await t.rejects(async () => verify(token, { ...expected, keySet: others }));
      },
    );
  }
});
