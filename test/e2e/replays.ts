import { join } from "node:path";
import { Redis } from "ioredis";
import t, { type Test } from "tap";
import type { Credentials } from "./support/client.ts";
import { eventually } from "./support/eventually.ts";
import { createTenant } from "./support/operator.ts";
import { newReference } from "./support/passes.ts";
import { metricsAnywhere, newMasterKey, startPasswright } from "./support/passwright.ts";
import { createReceiver, deliveriesTo, instruct } from "./support/sandbox.ts";
import { atTerminal } from "./support/terminal.ts";
import { typedClient } from "./support/typed-client.ts";

const settings = {
  ...metricsAnywhere,
  PASSWRIGHT_TOKEN_RATE_LIMIT: "10000/1m",
  PASSWRIGHT_MASTER_KEY: newMasterKey(),
  PASSWRIGHT_WEBHOOK_RETRY_SCHEDULE: "0s",
  PASSWRIGHT_OPERATOR: "the tests",
};
const service = await startPasswright(t, { settings, dataDir: join(t.testdir(), "data") });

type Task = { id: string; status: string; replayed: number; held_by: string | null };

/** A tenant with so many dead deliveries, whose receiver takes everything by now. */
async function dead(name: string, count: number) {
  const credentials: Credentials = await createTenant(service, { name });
  const passwright = typedClient(service.announced.base_url, credentials);
  const secret = `whsec_${newMasterKey()}`;
  const receiver = await createReceiver(service, secret);
  await instruct(service, receiver, { status: 503 });
  await passwright.webhooks.create({ url: receiver.url, events: ["pass.created"], secret });
  const [template] = (await passwright.templates.list()).data.filter(
    ({ template_type }) => template_type === "LoyaltyCard",
  );
  for (let each = 0; each < count; each += 1) {
    await passwright.passes.create({
      template_id: template?.id ?? "",
      intent: "loyalty_card",
      external_ref: newReference(),
      data: { member: "Ada" },
    });
  }
  const scope = ["--tenant", credentials.tenant_id];
  const letters = async (): Promise<unknown[]> =>
    JSON.parse((await service.cli("deadletter", "list", ...scope, "--json")).stdout);
  await eventually(async () => ((await letters()).length === count ? true : undefined));
  await instruct(service, receiver, { status: 200 });
  return {
    scope,
    letters,
    /** The delivery ids of what arrived, each as often as it did. */
    async arrived(): Promise<string[]> {
      const deliveries = await deliveriesTo(service, receiver);
      return deliveries
        .filter(({ status }) => status === 200)
        .map(({ headers }) => headers["x-service-delivery"] ?? "");
    },
  };
}

/** A replay at a terminal of its own, once it has moved its first letters. */
async function beginReplay(t: Test, args: readonly string[]) {
  const { redis_url } = service.announced;
  const terminal = atTerminal(t, { ...settings, PASSWRIGHT_REDIS_URL: redis_url }, [
    ...["deadletter", "replay", ...args, "--json"],
  ]);
  const id = await eventually(async () => /Replay ([0-9a-f-]{36})/.exec(terminal.stderr())?.[1]);
  await eventually(async () => ((await movedBy(id)) >= 3 ? true : undefined));
  return { id, ...terminal, answer: (): Task => terminal.answer() };
}

/** Straight from Redis: a command takes so long to start that a replay may be over by then. */
const redis = new Redis(service.announced.redis_url);
t.teardown(() => redis.disconnect());

async function movedBy(id: string): Promise<number> {
  const counts = await redis.keys(`pw:{p*}:replay:${id}`);
  const moved = await Promise.all(counts.map((key) => redis.hget(key, "replayed")));
  return moved.reduce((sum, count) => sum + Number(count ?? 0), 0);
}

/** Who drove it last. */
function holderOf(id: string): Promise<string | null> {
  return redis.hget(`pw:{operators}:replay:${id}`, "holder");
}

async function taskOf(id: string) {
  return (await service.cli("deadletter", "task", id, "--json")).json();
}

const ended = (id: string) =>
  eventually(async () => {
    const task = await taskOf(id);
    return task.finished_at === null ? undefined : task;
  });

t.test(
  "a worker goes on with a replay whose terminal was killed, at its rate, and sends nothing twice",
  async (t) => {
    const count = 40;
    const { scope, letters, arrived } = await dead("Killed", count);
    const replay = await beginReplay(t, [...scope, "--rate", "4"]);
    replay.child.kill("SIGKILL");
    await replay.exited;
    const before = await taskOf(replay.id);
    t.match(before, { matched: count, requested_by: "the tests", filter: { tenant_id: scope[1] } });
    t.ok(before.replayed < count, `${before.replayed} were replayed until then`);

    const task = await ended(replay.id);
    t.match(task, {
      status: "completed",
      replayed: count,
      overtaken: 0,
      already_gone: 0,
      refused: {},
      remaining: 0,
    });
    const seconds = (Date.parse(task.finished_at) - Date.parse(task.started_at)) / 1000;
    // Each of its two drivers may begin with a letter and catch up with a tenth of a second.
    t.ok(seconds >= (count - 2) / 4 - 0.2, `${count} in ${seconds} s`);
    t.strictSame(await letters(), []);
    const ids = await eventually(async () => {
      const found = await arrived();
      return found.length >= count ? found : undefined;
    });
    t.equal(ids.length, count);
    t.equal(new Set(ids).size, count);
    const said = (await service.cli("audit", "list", ...scope, "--action", "deadletter", "--json")).json();
    t.match(said, [
      {
        action: "deadletter.replay",
        result: "done",
        who: "the tests",
        details: { matched: count, replayed: count },
      },
      { action: "deadletter.replay", result: "started", target: { id: replay.id } },
    ]);
    t.equal(said.length, 2);
  },
);

t.test(
  "a terminal that stood still finds its replay in other hands, and looks on until it ends",
  async (t) => {
    const count = 40;
    const { scope, arrived } = await dead("Paused", count);
    const replay = await beginReplay(t, [...scope, "--rate", "5"]);
    const resumed = service.cli("deadletter", "replay", "--resume", replay.id, "--json");
    const holder = (await taskOf(replay.id)).held_by;
    replay.child.kill("SIGSTOP");
    await eventually(async () => {
      const { held_by: now } = await taskOf(replay.id);
      return now !== null && now !== holder ? true : undefined;
    });
    replay.child.kill("SIGCONT");
    const [code] = await replay.exited;
    t.equal(code, 0, replay.stderr());
    const { unknown_ids: _, ...answer } = replay.answer() as Task & { unknown_ids: number };
    t.match(answer, { status: "completed", replayed: count });
    t.match((await resumed).json(), answer, "who resumed it saw the same");
    const ids = await eventually(async () => {
      const found = await arrived();
      return found.length >= count ? found : undefined;
    });
    t.equal(ids.length, count);
    t.equal(new Set(ids).size, count);
  },
);

t.test("Ctrl-C leaves a replay to the workers, and cancel ends it there", async (t) => {
  const count = 40;
  const { scope, letters } = await dead("Left", count);
  const replay = await beginReplay(t, [...scope, "--rate", "1"]);
  replay.child.kill("SIGINT");
  const [code] = await replay.exited;
  t.equal(code, 3, replay.stderr());
  t.match(replay.stderr(), `passwright deadletter cancel ${replay.id}`);
  t.match(replay.answer(), { id: replay.id, held_by: null, status: "interrupted" });
  const terminal = `:${replay.child.pid}`;
  await eventually(async () => ((await holderOf(replay.id))?.endsWith(terminal) ? undefined : true));
  const cancelled = (await service.cli("deadletter", "cancel", replay.id, "--json")).json();
  t.match(cancelled, { status: "cancelled", cancelled_by: "the tests" });
  t.ok(cancelled.replayed >= 3 && cancelled.replayed < count);
  t.equal((await letters()).length, count - cancelled.replayed);
  t.strictSame(await taskOf(replay.id), cancelled, "it goes on nowhere");
});
