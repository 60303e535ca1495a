import type { Test } from "tap";
import { ask } from "../support/requests.ts";
import type { Surroundings } from "./surroundings.ts";

export async function keySet(t: Test, { baseUrl, service }: Surroundings) {
  const url = `${baseUrl}/.well-known/jwks.json`;
  const reply = await ask(url);
  const keys: Record<string, string>[] = JSON.parse(reply.text).keys;

  t.test("it is a JWK set that anybody may keep for a day", async (t) => {
    t.equal(reply.status, 200);
    t.match(reply.headers["content-type"], /^application\/jwk-set\+json/);
    t.match(reply.headers["cache-control"], /\bpublic\b/);
    t.match(reply.headers["cache-control"], /\bmax-age=86400\b/);
    t.match(reply.headers.etag, /^"[^"]+"$/);
  });

  t.test("it holds RSA 3072 keys, the public members only, and the next one beside the active", async (t) => {
    t.ok(keys.length >= 2 && keys.length <= 5, `${keys.length} keys`);
    for (const key of keys) {
      t.strictSame(Object.keys(key).sort(), ["alg", "e", "kid", "kty", "n", "use"]);
      t.match(key, { kty: "RSA", alg: "RS256", use: "sig", e: "AQAB" });
      t.equal(Buffer.from(key.n ?? "", "base64url").length * 8, 3072);
    }
    const listed = (await service.cli("keys", "list", "--json")).json();
    const states = Object.fromEntries(
      listed.map(({ kid, state }: { kid: string; state: string }) => [kid, state]),
    );
    t.strictSame(Object.keys(states).sort(), keys.map(({ kid }) => kid).sort());
    t.strictSame(Object.values(states).sort(), ["active", "next"]);
  });

  t.test("who has it already is told so without a body", async (t) => {
    const { etag = "" } = reply.headers;
    for (const condition of [etag, `"other", ${etag}`, `W/${etag}`, "*"]) {
      const again = await ask(url, { headers: { "if-none-match": condition } });
      t.equal(again.status, 304, condition);
      t.equal(again.text, "");
      t.equal(again.headers.etag, etag);
      t.match(again.headers["cache-control"], /max-age=86400/);
    }
    const other = await ask(url, { headers: { "if-none-match": '"other"' } });
    t.equal(other.status, 200);
    t.equal(other.text, reply.text);
  });

  t.test("HEAD says the same without a body", async (t) => {
    const head = await ask(url, { method: "HEAD" });
    t.equal(head.status, 200);
    t.equal(head.text, "");
    for (const name of ["content-type", "cache-control", "etag"]) {
      t.equal(head.headers[name], reply.headers[name], name);
    }
  });
}
