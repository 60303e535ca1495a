import t from "tap";
import type { DeviceStore, Latecomer, Told } from "../../../src/domain/devices/device.ts";
import type { PushAnswer } from "../../../src/domain/devices/push.ts";
import { tellLatecomers } from "../../../src/domain/devices/tell-latecomers.ts";
import { credentials } from "../../support/issuer.ts";

const never = new AbortController().signal;
const late = (deviceId: string, tenantId = "tenant"): Latecomer => ({
  tenantId,
  passId: "pass",
  deviceId,
  pushToken: `token-${deviceId}`,
  change: 5,
});

/** Devices that wait, and what is written of them; `push` answers for their tokens. */
function depsOf(latecomers: Latecomer[], push: (token: string) => Promise<PushAnswer>) {
  const written: Told[] = [];
  const devices: Pick<DeviceStore, "takeLatecomers" | "told"> = {
    takeLatecomers: async () => ({ latecomers, hasMore: false }),
    async told(pass, told) {
      t.strictSame(pass, { tenantId: "tenant", passId: "pass", change: 5 });
      written.push(...told);
    },
  };
  const providerConfigurations = {
    credentials: async (tenantId: string, wallet: "apple" | "google") =>
      tenantId === "tenant" ? (credentials[wallet] as never) : null,
  };
  const providers = { apple: { push: async (_: unknown, token: string) => push(token) } };
  return { written, deps: { devices, providerConfigurations, providers, clock: { nowMs: () => 0 } } };
}

t.test("each is told by itself, and what APNs said is written", async (t) => {
  const { deps, written } = depsOf([late("a"), late("b")], async () => ({ outcome: "sent" }));
  t.strictSame(await tellLatecomers(deps, never), { told: 2, left: 0, hasMore: false, fault: null });
  t.strictSame(written.map(({ deviceId }) => deviceId).sort(), ["a", "b"]);
});

t.test("who cannot be told now is left, with the reason, and stops nobody else", async (t) => {
  const fault = new Error("APNs is away");
  const { deps, written } = depsOf([late("a"), late("b"), late("c")], async (token) => {
    if (token === "token-a") throw fault;
    return token === "token-b"
      ? { outcome: "later", reason: "busy", retryAfterSeconds: null }
      : { outcome: "sent" };
  });
  t.strictSame(await tellLatecomers(deps, never), { told: 1, left: 2, hasMore: false, fault });
  t.match(written, [{ deviceId: "c" }]);
});

t.test("without credentials nobody is told", async (t) => {
  const { deps, written } = depsOf([late("a", "other")], async () => ({ outcome: "sent" }));
  t.match(await tellLatecomers(deps, never), { told: 0, left: 1 });
  t.strictSame(written, []);
});
