import t from "tap";
import { createMessages } from "../../../src/providers/google/messages.ts";
import { createGoogleProvider } from "../../../src/providers/google/provider.ts";
import { createWalletApi, type WalletApi } from "../../../src/providers/google/wallet-api.ts";
import { sampleJob, samplePass } from "./fixtures/sample-pass.ts";
import { startGoogleSandbox } from "./fixtures/sandbox-issuer.ts";

const never = new AbortController().signal;
const clock = { nowMs: Date.now };
const api = createWalletApi({ clock });
const provider = createGoogleProvider({
  clock,
  imageUrl: (_owner, sha) => `https://passes.example.com/${sha}`,
});
const sandbox = await startGoogleSandbox(t);
t.teardown(async () => {
  await api.close();
  await provider.close();
});

type Held = { id: string; header: string; body: string; messageType: string };

/** A pass of an issuer of its own, and what shows messages on it or on its class. */
async function start(changes: Partial<WalletApi> = {}) {
  const { credentials, state } = await sandbox.openIssuer();
  const pass = samplePass();
  await provider.issue(sampleJob({ pass }), credentials, never);
  const messages = createMessages({ ...api, ...changes });
  const ids = await state();
  const targets = {
    object: { credentials, collection: "loyaltyObject", id: ids.objects[0]?.id ?? "" },
    class: { credentials, collection: "loyaltyClass", id: ids.classes[0]?.id ?? "" },
  };
  return {
    targets,
    show: (id: string, body = `body of ${id}`, on: "object" | "class" = "object", signal = never) =>
      messages.show(targets[on], { id, header: "Hello", body }, signal),
    held: async (on: "objects" | "classes" = "objects") =>
      ((await state())[on][0]?.resource.messages ?? []) as Held[],
  };
}

const names = (messages: Held[]) => messages.map(({ id }) => id);
const numbers = (from: number, to: number) => Array.from({ length: to - from + 1 }, (_, i) => `m${from + i}`);

t.test("a message whose answer was lost is shown once, whoever asks again", async (t) => {
  let lost = 0;
  const { show, held } = await start({
    async addMessage(call, signal) {
      const answer = await api.addMessage(call, signal);
      if (lost++ === 0) throw new Error("the answer is lost");
      return answer;
    },
  });
  await t.rejects(show("a"), { message: "the answer is lost" });
  t.equal(await show("a"), "shown");
  t.equal(await show("a"), "shown");
  t.match(await held(), [{ id: "a", header: "Hello", body: "body of a", messageType: "TEXT_AND_NOTIFY" }]);
  t.equal(lost, 1, "it was added once");
});

t.test("another text under the same id takes the place of the first", async (t) => {
  for (const on of ["object", "class"] as const) {
    const { show, held } = await start();
    for (const id of ["a", "b", "c"]) await show(id, "first", on);
    t.equal(await show("b", "second", on), "shown");
    t.match(await held(on === "object" ? "objects" : "classes"), [
      { id: "a", body: "first" },
      { id: "b", body: "second", messageType: "TEXT_AND_NOTIFY" },
      { id: "c", body: "first" },
    ]);
  }
});

t.test("of more than ten messages the newest ten stand", async (t) => {
  for (const on of ["object", "class"] as const) {
    const { show, held } = await start();
    for (const id of numbers(1, 12)) await show(id, undefined, on);
    t.strictSame(names(await held(on === "object" ? "objects" : "classes")), numbers(3, 12));
  }
});

t.test("a worker that ends between making room and showing loses nothing but the oldest", async (t) => {
  let ends = false;
  const { show, held } = await start({
    async addMessage(call, signal) {
      if (ends) throw new Error("ended");
      return api.addMessage(call, signal);
    },
  });
  for (const id of numbers(1, 10)) await show(id);
  ends = true;
  await t.rejects(show("m11"), { message: "ended" });
  t.strictSame(names(await held()), numbers(2, 10));
  ends = false;
  await show("m11");
  t.strictSame(names(await held()), numbers(2, 11));
});

t.test("messages sent at once make room for each other", async (t) => {
  const { show, held } = await start();
  for (const id of numbers(1, 10)) await show(id);
  await Promise.all(numbers(11, 15).map((id) => show(id)));
  t.strictSame(names(await held()), numbers(6, 15));
});

t.test("what may not notify any more is shown silently, and stays so when asked again", async (t) => {
  const { show, held } = await start();
  const outcomes = [];
  for (const id of ["a", "b", "c", "d", "d"]) outcomes.push(await show(id));
  t.strictSame(outcomes, ["shown", "shown", "shown", "shown_silently", "shown_silently"]);
  t.strictSame(names(await held()), ["a", "b", "c", "d"]);
});

t.test("an id that nobody bears is an outcome, and an attempt that has ended asks for nothing", async (t) => {
  const { targets, show, held } = await start();
  const messages = createMessages(api);
  const missing = { ...targets.object, id: `${targets.object.id}x` };
  t.equal(await messages.show(missing, { id: "a", header: "h", body: "b" }, never), "not_found");
  await t.rejects(show("a", "b", "object", AbortSignal.abort()), { code: "provider_unavailable" });
  t.strictSame(await held(), []);
});
