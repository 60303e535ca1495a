import { randomUUID } from "node:crypto";
import t, { type Test } from "tap";
import { until } from "../../support/until.ts";
import { call } from "../fixtures/calls.ts";
import {
  becomeIssuer,
  genericObject,
  type Issuer,
  press,
  saveClaims,
  savePageOf,
} from "../fixtures/google.ts";
import { listening } from "../fixtures/listener.ts";
import { opensslVerifies } from "../fixtures/openssl.ts";
import { running, settableClock } from "../fixtures/running.ts";

const { controlUrl } = await running(t);
const issuer = await becomeIssuer(controlUrl);

type Message = {
  signature: string;
  intermediateSigningKey: { signedKey: string; signatures: string[] };
  protocolVersion: string;
  signedMessage: string;
};
type Shown = { nonce: string; pending: boolean; attempts: { answer: unknown }[]; flaw: string | null };

/** An object of a class that asks for call-backs at this address. */
async function objectCalling(who: Issuer, url: string | undefined): Promise<string> {
  const name = randomUUID();
  const classId = `${who.issuerId}.class-${name}`;
  const options = url === undefined ? {} : { callbackOptions: { url } };
  await who.wallet("POST", "genericClass", { id: classId, ...options });
  const id = `${who.issuerId}.${name}`;
  await who.wallet("POST", "genericObject", genericObject(id, classId));
  return id;
}

const send = (body: unknown) => call(`${controlUrl}/sandbox/google/callbacks`, { method: "POST", body });
const rootKey = async (): Promise<string> =>
  (await call(`${controlUrl}/gp/m/issuer/keys`)).json.keys[0].keyValue;

/** Four bytes, least significant first, with the length in bytes of the UTF-8 that follows. */
function lengthValue(...parts: string[]): Buffer {
  return Buffer.concat(
    parts.flatMap((part) => {
      const bytes = new TextEncoder().encode(part);
      const length = [0, 8, 16, 24].map((shift) => (bytes.length >> shift) & 0xff);
      return [Buffer.from(length), Buffer.from(bytes)];
    }),
  );
}

/** What OpenSSL says of the signatures of the intermediate key and of the message. */
function verdict(t: Test, key: string, { body, issuerId }: { body: string; issuerId: string }) {
  const { signature, intermediateSigningKey, protocolVersion, signedMessage }: Message = JSON.parse(body);
  const { signedKey, signatures } = intermediateSigningKey;
  const folder = t.testdir();
  const sender = "GooglePayPasses";
  return {
    intermediate: opensslVerifies(folder, {
      key,
      signature: signatures[0] ?? "",
      bytes: lengthValue(sender, protocolVersion, signedKey),
    }),
    message: opensslVerifies(folder, {
      key: JSON.parse(signedKey).keyValue,
      signature,
      bytes: lengthValue(sender, issuerId, protocolVersion, signedMessage),
    }),
    intermediateEndsAtMs: Number(JSON.parse(signedKey).keyExpiration),
    event: JSON.parse(signedMessage),
  };
}

t.test("the root keys are published in Google's form, and may be kept for a while", async (t) => {
  const { status, headers, json } = await call(`${controlUrl}/gp/m/issuer/keys`);
  t.equal(status, 200);
  t.match(headers["cache-control"], /^public, max-age=\d+$/);
  t.match(json.keys, [
    { keyValue: /^[\w+/]+=*$/, protocolVersion: "ECv2SigningOnly", keyExpiration: /^\d{13}$/ },
  ]);
});

t.test("a call-back is signed through an intermediate key, as OpenSSL finds", async (t) => {
  const { heard, url } = await listening(t, 200);
  const id = await objectCalling(issuer, `${url}/callback`);
  const { status, json } = await send({ object_id: id, event_type: "save" });
  t.equal(status, 201);
  t.match(json, {
    event_type: "save",
    object_id: id,
    flaw: null,
    attempts: [{ answer: 200 }],
    pending: false,
  });
  t.match(heard, [{ path: "/callback", headers: { "content-type": /^application\/json/ } }]);
  const body = heard[0]?.body ?? "";
  t.notMatch(body, /=/, "Google writes \\u003d");
  const found = verdict(t, await rootKey(), { body, issuerId: issuer.issuerId });
  t.match(found, { intermediate: true, message: true });
  t.match(found.event, { objectId: id, eventType: "save", count: 1, nonce: json.nonce });
  t.ok(found.event.classId.startsWith(`${issuer.issuerId}.class-`));
  t.ok(found.event.expTimeMillis > Date.now());
  t.ok(found.intermediateEndsAtMs > Date.now());
  t.match(JSON.parse(body).protocolVersion, "ECv2SigningOnly");
});

t.test("the intermediate key is renewed before it ends, and signed by the same root", async (t) => {
  const clock = settableClock();
  const aged = await running(t, { dataDir: t.testdir(), clock });
  const { heard, url } = await listening(t, 200);
  const who = await becomeIssuer(aged.controlUrl);
  const object_id = await objectCalling(who, url);
  const [{ keyValue }] = (await call(`${aged.controlUrl}/gp/m/issuer/keys`)).json.keys;
  for (const _day of "123456789") {
    const body = { object_id, event_type: "save" };
    await call(`${aged.controlUrl}/sandbox/google/callbacks`, { method: "POST", body });
    const found = verdict(t, keyValue, { body: heard.at(-1)?.body ?? "", issuerId: who.issuerId });
    t.match(found, { intermediate: true, message: true });
    t.ok(found.intermediateEndsAtMs > clock.nowMs());
    clock.forward(86_400_000);
  }
  const keys = heard.map(({ body }) => JSON.parse(body).intermediateSigningKey.signedKey);
  t.ok(new Set(keys).size > 1 && new Set(keys).size < keys.length);
});

t.test("each flaw spoils what it says, and nothing else", async (t) => {
  const { heard, url } = await listening(t, 400);
  const id = await objectCalling(issuer, url);
  const key = await rootKey();
  const sent = async (flaw: string) => {
    const { json } = await send({ object_id: id, event_type: "del", flaw });
    t.match(json, { flaw, attempts: [{ answer: 400 }], pending: false });
    const body = heard.at(-1)?.body ?? "";
    const { intermediate, message, ...more } = verdict(t, key, { body, issuerId: issuer.issuerId });
    const live = {
      intermediate: more.intermediateEndsAtMs > Date.now(),
      event: more.event.expTimeMillis > Date.now(),
    };
    return [intermediate, message, live.intermediate, live.event];
  };
  const expected: Record<string, boolean[]> = {
    signature: [true, false, true, true],
    message: [true, false, true, true],
    expired: [true, true, true, false],
    recipient: [true, false, true, true],
    sender: [true, false, true, true],
    protocol: [false, false, true, true],
    "intermediate-signature": [false, true, true, true],
    "intermediate-expired": [true, true, false, true],
  };
  for (const [flaw, facts] of Object.entries(expected)) t.strictSame(await sent(flaw), facts, flaw);
  t.equal((await send({ object_id: id, event_type: "save", flaw: "other" })).status, 400);
  t.equal((await send({ object_id: id, event_type: "saved" })).status, 400);
  t.equal((await send({ object_id: `${issuer.issuerId}.none`, event_type: "save" })).status, 404);
  t.equal((await send({ event_type: "save" })).status, 400);
});

t.test("the same one can be sent once more, under its nonce", async (t) => {
  const { heard, url } = await listening(t, 200);
  const id = await objectCalling(issuer, url);
  const { nonce }: Shown = (await send({ object_id: id, event_type: "save" })).json;
  const again = await call(`${controlUrl}/sandbox/google/callbacks/${nonce}/deliver`, { method: "POST" });
  t.match(again.json, { nonce, attempts: [{ answer: 200 }, { answer: 200 }] });
  const messages = heard.map(({ body }) => JSON.parse(body).signedMessage);
  t.equal(messages.length, 2);
  t.equal(messages[0], messages[1]);
  const unknown = await call(`${controlUrl}/sandbox/google/callbacks/${randomUUID()}/deliver`, {
    method: "POST",
  });
  t.equal(unknown.status, 404);
});

t.test("nobody is called but this machine, and nobody where the class asks for nothing", async (t) => {
  const far = await objectCalling(issuer, "https://passes.example.com/callback");
  t.match((await send({ object_id: far, event_type: "save" })).json, {
    url: "https://passes.example.com/callback",
    attempts: [{ answer: /this machine only/ }],
  });
  await press(savePageOf(controlUrl, issuer, saveClaims(issuer, [far])), "save");
  await until("that was tried once", async () => {
    const { callbacks } = (await call(`${controlUrl}/sandbox/google/callbacks?object_id=${far}`)).json;
    return callbacks.length === 2 && callbacks[1].attempts.length === 1 && !callbacks[1].pending;
  });
  const none = await objectCalling(issuer, undefined);
  t.match((await send({ object_id: none, event_type: "save" })).json, {
    url: null,
    attempts: [{ answer: /no callbackOptions/ }],
  });
});

t.test("the state shows what was sent of an object, and what was answered", async (t) => {
  const { url } = await listening(t, 503);
  const id = await objectCalling(issuer, url);
  await send({ object_id: id, event_type: "save" });
  const state = (await call(`${controlUrl}/sandbox/google/state?id_prefix=${id}`)).json;
  t.match(state.callbacks, [{ object_id: id, url, attempts: [{ answer: 503 }] }]);
  t.equal(state.callbacks.length, 1);
  const listed = (await call(`${controlUrl}/sandbox/google/callbacks?object_id=${id}`)).json;
  t.strictSame(listed.callbacks, state.callbacks);
});

t.test(
  "what happens is told again while the server fails, five times at most, and not when it refuses",
  async (t) => {
    const quick = await running(t, { dataDir: t.testdir(), googleRetryWaitsMs: [0, 0, 0, 0, 0] });
    const who = await becomeIssuer(quick.controlUrl);
    for (const [statuses, tries] of [
      [[500, 503, 200], 3],
      [[500], 5],
      [[400], 1],
      [[302], 1],
    ] as const) {
      const { heard, url } = await listening(t, ...statuses);
      const id = await objectCalling(who, url);
      await press(savePageOf(quick.controlUrl, who, saveClaims(who, [id])), "save");
      const settled = await until("it is settled", async () => {
        const shown = await call(`${quick.controlUrl}/sandbox/google/callbacks?object_id=${id}`);
        return shown.json.callbacks[0]?.pending === false && shown.json.callbacks[0];
      });
      t.equal(settled.attempts.length, tries);
      t.equal(new Set(heard.map(({ body }) => JSON.parse(body).signedMessage)).size, 1);
    }
  },
);

t.test("the root key and open call-backs outlive the sandbox", async (t) => {
  const { heard, url } = await listening(t, 500, 200);
  const dataDir = t.testdir();
  const first = await running(t, { dataDir, googleRetryWaitsMs: [0, 600_000] });
  const who = await becomeIssuer(first.controlUrl);
  const id = await objectCalling(who, url);
  const key = (await call(`${first.controlUrl}/gp/m/issuer/keys`)).json;
  await press(savePageOf(first.controlUrl, who, saveClaims(who, [id])), "save");
  await until("it was told in vain", () => heard.length === 1);
  await first.close();
  const second = await running(t, { dataDir, googleRetryWaitsMs: [0] });
  t.strictSame((await call(`${second.controlUrl}/gp/m/issuer/keys`)).json, key);
  const settled = await until("it is settled", async () => {
    const { callbacks } = (await call(`${second.controlUrl}/sandbox/google/callbacks`)).json;
    return callbacks[0]?.pending === false && callbacks[0];
  });
  t.match(settled.attempts.at(-1), { answer: 200 });
  t.equal(heard.length, 2);
});
