import type { PushAnswer } from "./push.ts";

/** A device that wants to be told when a pass changes. Its id is its own choice, and one phone may have several. */
export type Registration = {
  deviceId: string;
  pushToken: string;
  /** The change of the pass that it was last told of; 0: of none. */
  toldOf: number;
};

/** What is known of how a pass reached a device; null: that has not happened. Instants in ms. */
export type RegistrationFacts = {
  deviceId: string;
  registeredAtMs: number;
  pushedAtMs: number | null;
  /** Why APNs did not take the last push; null where it did. */
  refusal: string | null;
  listedAtMs: number | null;
  fetchedAtMs: number | null;
};

export type NamedRegistration = { tenantId: string; passId: string; deviceId: string };

/** Who asks, so that a list and the fetches that follow it can be told to be of one device. */
export type Caller = { address: string; userAgent: string };

/** A device that may not know of a change from before it registered. */
export type Latecomer = NamedRegistration & { pushToken: string; change: number };

/** What became of a push, with the token that it was sent to. */
export type Told = { deviceId: string; pushToken: string; answer: PushAnswer };

/**
 * The devices that have passes. Every change of a pass that devices should fetch gets a number, which grows with each within
 * a tenant: it is the tag of Apple's protocol (https://developer.apple.com/documentation/walletpasses/adding-a-web-service-to-update-passes).
 */
export type DeviceStore = {
  /** `gone`: there is no such pass. `known`: it was registered before; its push token is the new one now. */
  register(
    registration: NamedRegistration & { pushToken: string; templateId: string; eventId: string },
    nowMs: number,
  ): Promise<"registered" | "known" | "gone">;
  /** False: it was not registered. */
  unregister(
    registration: NamedRegistration & { templateId: string; eventId: string },
    nowMs: number,
  ): Promise<boolean>;
  /** The device's passes that changed after a tag, all without one; the tag of the newest of them. */
  changedSince(
    device: { tenantId: string; deviceId: string; since: number | null; caller: Caller },
    nowMs: number,
  ): Promise<{ passIds: string[]; tag: number }>;
  /** Notes that somebody has fetched a pass, and which device where that can be told. */
  fetched(pass: { tenantId: string; passId: string; caller: Caller }, nowMs: number): Promise<void>;
  /**
   * Devices of a pass, some at a time: each that is there all the while comes at least once. The cursor of the first is
   * null, and none follows the last.
   */
  page(
    pass: { tenantId: string; passId: string },
    cursor: string | null,
  ): Promise<{ registrations: Registration[]; cursor: string | null }>;
  /** Writes what became of the pushes about a change. A device whose token is gone is not registered any more. */
  told(
    pass: { tenantId: string; passId: string; change: number },
    told: readonly Told[],
    nowMs: number,
  ): Promise<void>;
  /**
   * Some of the devices that registered for a pass soon after it changed and were not told of that change, of all tenants. Who was
   * told is not taken again; who could not be comes again in half a minute, for ten minutes.
   */
  takeLatecomers(nowMs: number): Promise<{ latecomers: Latecomer[]; hasMore: boolean }>;
  /** How a pass reached its devices, the latest registrations first; `most` of them. */
  facts(
    pass: { tenantId: string; passId: string },
    most: number,
  ): Promise<{ devices: RegistrationFacts[]; total: number }>;
};
