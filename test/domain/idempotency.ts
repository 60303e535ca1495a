import t from "tap";
import { claimKey, idempotencyRetentionSeconds, keyReused } from "../../src/domain/idempotency.ts";

const body = Buffer.from('{"a":1}');
const claim = claimKey("POST", "/api/v1/passes", "key-1", body);

t.test("the same key on the same method and path is the same claim", async (t) => {
  t.strictSame(claimKey("POST", "/api/v1/passes", "key-1", Buffer.from('{"a":1}')), claim);
});

t.test("another method, path or key is another scope", async (t) => {
  for (const [method, path, key] of [
    ["PUT", "/api/v1/passes", "key-1"],
    ["POST", "/api/v1/batches", "key-1"],
    ["POST", "/api/v1/passes", "key-2"],
    ["POST", "/api/v1/passes", "KEY-1"],
    // What separates path and key must not be found within either.
    ["POST", "/api/v1/passes\nkey-1", ""],
    ["POST /api/v1/passes", "", "key-1"],
  ] as const) {
    t.not(claimKey(method, path, key, body).scope, claim.scope, `${method} ${path} ${key}`);
  }
});

t.test("another body under the same key is told apart by its bytes, not by what they mean", async (t) => {
  for (const other of ['{"a":2}', '{"a": 1}', '{"a":1.0}', ""]) {
    const repeat = claimKey("POST", "/api/v1/passes", "key-1", Buffer.from(other));
    t.equal(repeat.scope, claim.scope);
    t.not(repeat.fingerprint, claim.fingerprint, other);
  }
});

t.test("a claim holds neither the key nor anything of the body", async (t) => {
  const text = JSON.stringify(claimKey("POST", "/x", "my-secret-key", Buffer.from("my-secret-body")));
  t.notMatch(text, /secret/);
});

t.test("answers are kept for 24 hours, and a reused key is a conflict", async (t) => {
  t.equal(idempotencyRetentionSeconds, 86_400);
  t.match(keyReused(), { code: "idempotency_key_reused", kind: "conflict" });
});
