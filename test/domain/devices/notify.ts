import t from "tap";
import type { DeviceStore, Registration, Told } from "../../../src/domain/devices/device.ts";
import { notifyDevices } from "../../../src/domain/devices/notify.ts";
import type { PushAnswer } from "../../../src/domain/devices/push.ts";
import { PasswrightError } from "../../../src/domain/errors.ts";

const pass = { tenantId: "tenant", passId: "pass", change: 5 };
const never = new AbortController().signal;

/** Devices on pages of two, and what is written of them. */
function devicesOf(registrations: Registration[]) {
  const written: Told[] = [];
  const store: Pick<DeviceStore, "page" | "told"> = {
    async page(_pass, cursor) {
      const start = Number(cursor ?? 0);
      const end = start + 2;
      return {
        registrations: registrations.slice(start, end),
        cursor: end < registrations.length ? String(end) : null,
      };
    },
    async told(_pass, told) {
      written.push(...told);
      for (const { deviceId } of told) {
        const known = registrations.find((one) => one.deviceId === deviceId);
        if (known !== undefined) known.toldOf = 5;
      }
    },
  };
  return { store, written };
}

const device = (id: string, toldOf = 0): Registration => ({ deviceId: id, pushToken: `token-${id}`, toldOf });
const later: PushAnswer = { outcome: "later", reason: "TooManyRequests", retryAfterSeconds: 9 };

t.test("all devices are told, page by page, and it is written", async (t) => {
  const { store, written } = devicesOf([device("a"), device("b"), device("c"), device("d"), device("e")]);
  const pushed: string[] = [];
  const push = async (token: string): Promise<PushAnswer> => {
    pushed.push(token);
    return { outcome: "sent" };
  };
  const counts = await notifyDevices({ devices: store, clock: { nowMs: () => 1 } }, { ...pass, push }, never);
  t.strictSame(counts, { sent: 5, gone: 0, refused: 0 });
  t.equal(pushed.length, 5);
  t.equal(written.length, 5);
});

t.test("devices are pushed to together: one that is slow keeps nobody else waiting", async (t) => {
  const { store } = devicesOf([device("slow"), device("b")]);
  const { promise, resolve } = Promise.withResolvers<void>();
  const push = async (token: string): Promise<PushAnswer> => {
    // The first is answered when the second has been asked for; one after the other, that would never be.
    if (token === "token-slow") await promise;
    else resolve();
    return { outcome: "sent" };
  };
  const counts = await notifyDevices({ devices: store, clock: { nowMs: () => 1 } }, { ...pass, push }, never);
  t.strictSame(counts, { sent: 2, gone: 0, refused: 0 });
});

t.test("after a failure only those are told that were not", async (t) => {
  const { store } = devicesOf([device("a"), device("b"), device("c")]);
  const deps = { devices: store, clock: { nowMs: () => 1 } };
  const busy = async (token: string): Promise<PushAnswer> =>
    token === "token-b" ? later : { outcome: "sent" };
  await t.rejects(notifyDevices(deps, { ...pass, push: busy }, never), {
    code: "provider_unavailable",
    detail: /to 1 device: TooManyRequests/,
    retryAfterSeconds: 9,
  });
  const pushed: string[] = [];
  const push = async (token: string): Promise<PushAnswer> => {
    pushed.push(token);
    return { outcome: "sent" };
  };
  await notifyDevices(deps, { ...pass, push }, never);
  t.strictSame(pushed, ["token-b"]);
});

t.test("what was done before credentials were refused is written all the same", async (t) => {
  const { store, written } = devicesOf([device("a"), device("b"), device("c")]);
  const push = async (token: string): Promise<PushAnswer> => {
    if (token === "token-b") throw new PasswrightError("provider_credentials_invalid", "No.");
    return { outcome: "sent" };
  };
  const told = notifyDevices({ devices: store, clock: { nowMs: () => 1 } }, { ...pass, push }, never);
  await t.rejects(told, { code: "provider_credentials_invalid" });
  t.match(written, [{ deviceId: "a" }]);
});

t.test("devices that know of the change are left alone, as is a pass that never changed", async (t) => {
  const { store } = devicesOf([device("a", 5), device("b", 7)]);
  const deps = { devices: store, clock: { nowMs: () => 1 } };
  const push = async (): Promise<PushAnswer> => t.fail("nobody is told") as never;
  t.strictSame(await notifyDevices(deps, { ...pass, push }, never), { sent: 0, gone: 0, refused: 0 });
  t.strictSame(await notifyDevices(deps, { ...pass, change: 0, push }, never), {
    sent: 0,
    gone: 0,
    refused: 0,
  });
});
