import { createPublicKey } from "node:crypto";
import type { Test } from "tap";
import { forgedTokens as corpus } from "../../support/forged-tokens.ts";
import { askToken } from "../support/client.ts";
import { openLure } from "../support/lure.ts";
import { ask } from "../support/requests.ts";
import { activePrivateKey } from "../support/signing-key.ts";
import type { Surroundings } from "./surroundings.ts";

// What an outsider can try who holds a token of his own and the published keys, and what somebody can who has our
// key and uses it wrongly. Each is to be one and the same 401.

export async function forgedTokens(t: Test, { service, baseUrl, masterKey, credentials }: Surroundings) {
  const token: string = (await askToken(baseUrl, credentials)).json.access_token;
  const keySet = (await ask(`${baseUrl}/.well-known/jwks.json`)).text;
  const privateKey = await activePrivateKey(service, masterKey);
  const lure = await openLure(t);
  const forgeries = corpus({ token, privateKey, keySet, lure: lure.url });
  const tryOut = (forged: string) =>
    ask(`${baseUrl}/api/v1/templates`, { headers: { authorization: `Bearer ${forged}` } });

  t.test(
    "the real one is let in, and its key is one that is served, or nothing here would mean anything",
    async (t) => {
      t.equal((await tryOut(token)).status, 200);
      const { n } = createPublicKey(privateKey).export({ format: "jwk" });
      t.ok(JSON.parse(keySet).keys.some((key: { n: string }) => key.n === n));
    },
  );

  for (const [kind, ofThatKind] of Map.groupBy(forgeries, (forgery) => forgery.kind)) {
    t.test(`refused: ${kind}`, async (t) => {
      for (const { what, token: forged } of ofThatKind.filter(canTravel)) {
        const reply = await tryOut(forged);
        t.equal(reply.status, 401, `${what}: ${reply.text}`);
        t.match(reply.json, { error: "invalid_token" }, what);
        t.match(reply.headers["www-authenticate"], /^Bearer\b.*error="invalid_token"/, what);
        t.notMatch(reply.text, /node_modules|\bat .*:\d+/, "nothing of the inside");
      }
    });
  }

  t.test("a header beyond all bounds is refused by one means or another", async (t) => {
    const outcome = await tryOut("a".repeat(200_000)).then(
      ({ status }) => status,
      () => "cut",
    );
    t.ok([400, 401, 431, "cut"].includes(outcome), String(outcome));
    t.equal((await tryOut(token)).status, 200, "and all goes on");
  });

  t.test("nobody went to see the addresses in the tokens", async (t) => {
    t.equal(lure.visits(), 0);
    await ask(lure.url);
    t.equal(lure.visits(), 1, "though they would have been noticed");
  });
}

/** What HTTP lets through as the value of a header; blanks at its ends are not part of it. */
export function canTravel({ token }: { token: string }): boolean {
  return /^[\x20-\x7e]+$/.test(token) && token.trim() === token;
}
