import type { Test } from "tap";
import { scopes } from "../../../src/domain/applications/application.ts";
import { forgedTokens } from "../../support/forged-tokens.ts";
import { type Client, signIn } from "../support/client.ts";
import { openLure } from "../support/lure.ts";
import { ask, type Reply } from "../support/requests.ts";
import { activePrivateKey } from "../support/signing-key.ts";
import { canTravel } from "../tokens/forged-tokens.ts";
import { askAs, everythingOf, guardedRows, openRows, type Row, type Surroundings } from "./surroundings.ts";

export async function credentialsOf(t: Test, surroundings: Surroundings) {
  const { service, baseUrl, masterKey, owner, ownersCredentials, estate } = surroundings;
  const before = await everythingOf(surroundings);
  const lure = await openLure(t);
  const forgeries = forgedTokens({
    token: owner.token,
    privateKey: await activePrivateKey(service, masterKey),
    keySet: (await ask(`${baseUrl}/.well-known/jwks.json`)).text,
    lure: lure.url,
  }).filter(canTravel);
  const tokenFor = async (granted: readonly string[]) =>
    signIn(baseUrl, ownersCredentials, granted.join(" "));

  t.test("without a token: challenged, without an error code", async (t) => {
    for (const row of guardedRows) {
      const reply = await askAs(baseUrl, null, row, row.ask(estate));
      t.equal(reply.status, 401, row.name);
      t.match(reply.headers["www-authenticate"], /^Bearer\b/, row.name);
      t.notMatch(reply.headers["www-authenticate"], /error/, row.name);
      t.match(reply.json, { error: "invalid_token" });
    }
  });

  t.test("with a forged token: refused, whatever it asks for", async (t) => {
    const [forged] = forgeries.filter(({ kind }) => kind === "our public key as the secret of an HMAC");
    for (const row of guardedRows) {
      const reply = await askAs(baseUrl, { token: forged?.token ?? "" }, row, row.ask(estate));
      isRefused(t, reply, row.name);
    }
  });

  const firstOfEachScope = new Map(guardedRows.toReversed().map((row) => [row.needs, row]));
  for (const [needed, row] of firstOfEachScope) {
    t.test(`with any forged token there is, at ${row.name} (${needed})`, async (t) => {
      t.ok(forgeries.length > 150, "of a corpus that is not small");
      for (const { kind, what, token } of forgeries) {
        isRefused(t, await askAs(baseUrl, { token }, row, row.ask(estate)), `${kind}: ${what}`);
      }
    });
  }

  t.test("no address that a token names was asked for anything", async (t) => {
    t.equal(lure.visits(), 0);
  });

  t.test("with a token that lacks just the scope: refused, and the scope is named", async (t) => {
    const lacking = new Map<string, Client>();
    for (const scope of scopes) lacking.set(scope, await tokenFor(scopes.filter((other) => other !== scope)));
    for (const row of guardedRows.filter(({ needs }) => needs !== "token")) {
      const who = lacking.get(row.needs) ?? null;
      const reply = await askAs(baseUrl, who, row, row.ask(estate));
      t.equal(reply.status, 403, `${row.name}: ${reply.text}`);
      t.match(reply.json, { error: "insufficient_scope" }, row.name);
      t.equal(
        reply.headers["www-authenticate"],
        `Bearer realm="passwright", error="insufficient_scope", scope="${row.needs}"`,
      );
    }
  });

  t.test("nothing of all this has changed anything", async (t) => {
    t.strictSame(await everythingOf(surroundings), before);
  });

  t.test("with a token that has the scope and no other: let in", async (t) => {
    const having = new Map<string, Client>();
    for (const scope of scopes) having.set(scope, await tokenFor([scope]));
    for (const row of guardedRows) {
      const who = row.needs === "token" ? [...having.values()] : [having.get(row.needs) ?? null];
      for (const one of who) await succeeds(t, row, one);
    }
  });

  t.test("operations for everybody take nobody, and mind no token", async (t) => {
    for (const row of openRows) {
      await succeeds(t, row, null);
      await succeeds(t, row, { token: "garbage" });
    }
  });

  async function succeeds(t: Test, row: Row, who: Pick<Client, "token"> | null): Promise<void> {
    const reply = await askAs(baseUrl, who, row, row.ask(estate));
    t.equal(reply.status, row.status, `${row.name}: ${reply.text.slice(0, 200)}`);
  }
}

function isRefused(t: Test, reply: Reply, what: string): void {
  t.equal(reply.status, 401, `${what}: ${reply.text}`);
  t.match(reply.json, { error: "invalid_token" }, what);
  t.match(reply.headers["www-authenticate"], /^Bearer\b.*error="invalid_token"/, what);
  t.notMatch(reply.text, /node_modules|\bat .*:\d+/, "nothing of the inside");
}
