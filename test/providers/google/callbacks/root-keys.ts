import t from "tap";
import { readRootKeys } from "../../../../src/providers/google/callbacks/root-keys.ts";
import { newKey } from "../../../support/google-callbacks.ts";

const end = 1_900_000_000_000;
const entry = (change: Record<string, unknown> = {}) => ({
  keyValue: newKey().keyValue,
  protocolVersion: "ECv2SigningOnly",
  keyExpiration: String(end),
  ...change,
});

t.test("keys of our protocol that end are taken, and others left", async (t) => {
  const keys = [
    entry({ protocolVersion: "ECv1", keyExpiration: undefined }),
    entry({ protocolVersion: "ECv2" }),
    entry({ keyExpiration: undefined }),
    entry({ keyExpiration: "soon" }),
    entry({ keyValue: newKey("P-521").keyValue }),
    entry({ keyValue: "AAAA" }),
    entry(),
    null,
    7,
    entry({ keyExpiration: end + 1, more: "of tomorrow" }),
  ];
  const read = readRootKeys(JSON.stringify({ keys, more: [] }));
  t.strictSame(
    read.map(({ expiresAtMs }) => expiresAtMs),
    [end, end + 1],
  );
});

t.test("a document without such a key is none", async (t) => {
  for (const text of ["", "<html>", "[]", "{}", '{"keys":{}}']) {
    t.throws(() => readRootKeys(text), { message: /not JSON such as/ }, text);
  }
  for (const keys of [[], [entry({ protocolVersion: "ECv2" })]]) {
    t.throws(() => readRootKeys(JSON.stringify({ keys })), {
      message: /no key of the protocol ECv2SigningOnly/,
    });
  }
});
