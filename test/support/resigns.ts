import { listAudit } from "../../src/domain/audit/list.ts";
import type { PushAnswer } from "../../src/domain/devices/push.ts";
import { cancelResign } from "../../src/domain/resigns/cancel.ts";
import { driveResign } from "../../src/domain/resigns/drive.ts";
import type { HeldResign, ResignTask } from "../../src/domain/resigns/resign-task.ts";
import { startResign } from "../../src/domain/resigns/start.ts";
import { createAuditLog } from "../../src/redis/audit.ts";
import { createDeviceStore } from "../../src/redis/devices.ts";
import { createResignTaskStore } from "../../src/redis/resign-tasks.ts";
import type { StoreParts } from "../../src/redis/store.ts";
import { drain } from "./dead-letters.ts";
import { type Issuer, openIssuer, passOf } from "./issuer.ts";
import { never } from "./replays.ts";
import type { TestStore } from "./store.ts";
import { claimOf, completed, openQueue, settle } from "./work.ts";

type Push = (pushToken: string, signal: AbortSignal) => Promise<PushAnswer>;

/** A tenant with passes, some of them on phones, and what signs them anew. `push` is what APNs answers: that it was sent. */
export async function openResigns(store: TestStore) {
  const issuer = await openIssuer(store, { wallets: ["apple"] });
  const devices = createDeviceStore(store);
  const queue = await openQueue(store);
  const { tenantId, templateId } = issuer;
  return {
    issuer,
    devices,
    tenantId,
    /** A pass on so many phones, whose push tokens begin with `token`. */
    async newPass(phones: number, token = "aa"): Promise<string> {
      const { id: passId } = passOf(await issuer.create());
      for (const task of await claimOf(queue, issuer)) await settle(store, task, completed);
      for (let phone = 0; phone < phones; phone += 1) {
        const [deviceId, pushToken] = [`${passId}-${phone}`, `${token}${passId}${phone}`];
        const registration = { tenantId, passId, deviceId, pushToken, templateId, eventId: store.ids.uuid() };
        await devices.register(registration, store.clock.nowMs());
      }
      // Passes of one instant are told apart as well.
      if (Math.random() < 0.5) store.clock.forward(1);
      return passId;
    },
    process: (given: ProcessOptions = {}) => resignProcess(store, issuer, given),
    pass: (passId: string) => issuer.passes.find(tenantId, passId),
    /** What the audit log says, oldest first. */
    async said(): Promise<string[]> {
      const filter = { tenantId, action: null, sinceMs: 0, untilMs: Number.MAX_SAFE_INTEGER, limit: 1000 };
      const entries = await drain(listAudit({ audit: createAuditLog(store) }, filter));
      return entries.reverse().map(({ who, action, result }) => `${who} ${action} ${result}`);
    },
  };
}

type ProcessOptions = {
  through?: StoreParts;
  holder?: string;
  push?: Push;
  /** Happens in each pause; the clock goes on by as much afterwards. */
  meanwhile?(ms: number): Promise<unknown>;
  checkCredentials?(): Promise<void>;
};

/** What one process has. It keeps the tokens that it has pushed to. */
function resignProcess(store: TestStore, issuer: Issuer, given: ProcessOptions) {
  const { through = store, holder = "host:1", push = async () => ({ outcome: "sent" as const }) } = given;
  const { clock } = store;
  const pushed: string[] = [];
  const paused: number[] = [];
  const deps = {
    ...issuer,
    resignTasks: createResignTaskStore(through, { clock, holder }),
    devices: createDeviceStore(through),
    providers: {
      apple: {
        async push(_credentials: unknown, pushToken: string, signal: AbortSignal) {
          const answer = await push(pushToken, signal);
          if (answer.outcome === "sent") pushed.push(pushToken);
          return answer;
        },
      },
    },
    credentialChecks: { apple: given.checkCredentials ?? (async () => {}) },
    async pause(ms: number) {
      paused.push(ms);
      await given.meanwhile?.(ms);
      clock.forward(ms);
    },
  };
  const { tenantId } = issuer;
  return {
    deps,
    resignTasks: deps.resignTasks,
    pushed,
    paused,
    start: async (rate: number | null = null): Promise<ResignTask> =>
      (await startResign(deps, { tenantId, rate, by: "ada@host", signal: never })).task,
    async take(id: string): Promise<HeldResign> {
      const held = await deps.resignTasks.take(id);
      if (held === null) throw new Error("somebody else holds it, or it has ended");
      return held;
    },
    drive: (held: HeldResign, signal = never) => driveResign(deps, held, signal),
    cancel: () => cancelResign(deps, { tenantId, by: "eve@host" }),
    look: (id: string) => deps.resignTasks.find(id),
  };
}
