import t from "tap";
import { withEndpointSlots } from "../../src/daemon/endpoint-slots.ts";
import type { Task } from "../../src/domain/jobs/work.ts";

const never = new AbortController().signal;

function taskTo(webhook: string, id: string): Task {
  return {
    ...{ lease: id, partition: 0, workClass: "webhooks", tenantId: "tenant", kind: "delivery", id },
    ...{ lane: "send", attempt: 1, record: { webhook } },
  };
}

/** A handler whose work ends when the test says so. */
function byHand() {
  const begun: string[] = [];
  const ends = new Map<string, () => void>();
  const handler = async ({ id }: Task) => {
    begun.push(id);
    await new Promise<void>((resolve) => ends.set(id, resolve));
    return { outcome: id };
  };
  return { handler, begun, end: (id: string) => ends.get(id)?.() };
}

t.test("to one webhook go so many at a time, the others wait in their order", async (t) => {
  const { handler, begun, end } = byHand();
  const deliver = withEndpointSlots(2, handler);
  const works = ["1", "2", "3", "4"].map((id) => deliver(taskTo("a", id), never));
  const elsewhere = deliver(taskTo("b", "5"), never);
  await new Promise((resolve) => setImmediate(resolve));
  t.strictSame(begun, ["1", "2", "5"], "another webhook has slots of its own");
  end("2");
  t.strictSame(await works[1], { outcome: "2" });
  await new Promise((resolve) => setImmediate(resolve));
  t.strictSame(begun, ["1", "2", "5", "3"]);
  end("1");
  end("3");
  end("5");
  await Promise.all([works[0], works[2], elsewhere]);
  await new Promise((resolve) => setImmediate(resolve));
  t.equal(begun.at(-1), "4");
  end("4");
  await works[3];
  const again = deliver(taskTo("a", "6"), never);
  await new Promise((resolve) => setImmediate(resolve));
  t.equal(begun.at(-1), "6", "all slots came back");
  end("6");
  await again;
});

t.test("who is ended while waiting leaves at once and takes no slot along", async (t) => {
  const { handler, begun, end } = byHand();
  const deliver = withEndpointSlots(1, handler);
  const first = deliver(taskTo("a", "1"), never);
  const ending = new AbortController();
  const second = deliver(taskTo("a", "2"), ending.signal);
  const third = deliver(taskTo("a", "3"), never);
  ending.abort(new Error("stopping"));
  await t.rejects(second, { message: "stopping" });
  await t.rejects(deliver(taskTo("a", "4"), AbortSignal.abort(new Error("stopped"))), { message: "stopped" });
  end("1");
  await first;
  await new Promise((resolve) => setImmediate(resolve));
  t.strictSame(begun, ["1", "3"]);
  end("3");
  await third;
});

t.test("work that fails gives its slot back", async (t) => {
  const deliver = withEndpointSlots(1, async () => {
    throw new Error("no");
  });
  await t.rejects(deliver(taskTo("a", "1"), never), { message: "no" });
  await t.rejects(deliver(taskTo("a", "2"), never), { message: "no" });
});
