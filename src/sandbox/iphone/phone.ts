import { randomBytes, type X509Certificate } from "node:crypto";
import { setTimeout as pause } from "node:timers/promises";
import { boundedFetch } from "./bounded-fetch.ts";
import { changesBetween, type Face } from "./face.ts";
import type { Happening } from "./happening.ts";
import { isPlainLoopback, mostPassBytes, type OpenedPass, openPassFile } from "./pass-file.ts";
import type { PushInbox } from "./push-inbox.ts";
import { messageOf, PassRefused } from "./refusal.ts";
import { createWebService, type WebService } from "./web-service.ts";

export type PhoneDeps = {
  inbox: PushInbox;
  /** Roots that a pass must be signed under; none: the certificates in the pass are enough. */
  roots: readonly X509Certificate[];
  nowMs(): number;
  happened(happening: Happening): void;
};

/** A phone with one pass. Calls wait for each other. */
export type Phone = {
  /** The pass as it is shown at the moment. */
  face(): Face;
  /** Asks the service for the pass at once, as pulling it down does. */
  refresh(): Promise<void>;
  /** Answers every push by list and fetch, until the signal says so. What goes wrong is told, and does not end it. */
  follow(signal: AbortSignal): Promise<void>;
  /** Deletes the pass: the service is told. */
  remove(): Promise<void>;
};

const longestPauseMs = 10_000;

/** The download of a pass: from its page's address, or from the file's own. */
export function fileAddress(passUrl: string): string {
  const url = new URL(passUrl);
  if (!url.pathname.endsWith(".pkpass")) url.pathname = `${url.pathname.replace(/\/$/, "")}/pass.pkpass`;
  return url.href;
}

/**
 * Downloads a pass, checks it as Wallet does, and registers for its changes. Throws PassRefused where Wallet would not take it,
 * NotReached where the page, the service or the sandbox does not answer, or the signal's reason.
 */
export async function installPass(deps: PhoneDeps, passUrl: string, signal: AbortSignal): Promise<Phone> {
  const { happened, roots } = deps;
  const { status, headers, body } = await boundedFetch(fileAddress(passUrl), {
    signal,
    mostBytes: mostPassBytes,
  });
  if (status !== 200)
    throw new PassRefused(`There is no pass at ${fileAddress(passUrl)}: the answer is ${status}.`);
  const pass = open(deps, body);
  happened({
    event: "installed",
    serial_number: pass.serialNumber,
    pass_type_identifier: pass.passTypeIdentifier,
    team_identifier: pass.teamIdentifier,
    signed_by: pass.signedBy,
    trusted: roots.length > 0,
    fields: valuesOf(pass.face),
    voided: pass.face.voided,
    notes: notesOn(pass),
  });
  const state = { pass, modified: headers.get("last-modified"), tag: null, cursor: null };
  if (pass.service === null) return phoneWith(deps, state, null);
  const deviceId = randomBytes(16).toString("hex");
  const service = createWebService(pass, pass.service, deviceId);
  const pushToken = await deps.inbox.newToken(signal);
  const known = (await service.register(pushToken, signal)) === 200;
  happened({ event: "registered", device_id: deviceId, push_token: pushToken, known_before: known });
  return phoneWith(deps, state, { service, pushToken });
}

type State = { pass: OpenedPass; modified: string | null; tag: string | null; cursor: string | null };

function phoneWith(
  deps: PhoneDeps,
  state: State,
  registered: { service: WebService; pushToken: string } | null,
): Phone {
  const { happened, inbox } = deps;
  const leaving = new AbortController();
  let last: Promise<void> = Promise.resolve();

  /** After what is being done; what goes wrong is told. */
  function inTurn(act: (service: WebService) => Promise<void>): Promise<void> {
    last = last.then(async () => {
      if (registered === null) return;
      try {
        await act(registered.service);
      } catch (error) {
        if (!leaving.signal.aborted) happened({ event: "failed", message: messageOf(error) });
      }
    });
    return last;
  }

  async function fetchPass(service: WebService): Promise<void> {
    const fetched = await service.fetch(state.modified, leaving.signal);
    if (fetched === null) return happened({ event: "unchanged" });
    const pass = open(deps, fetched.file);
    requireSamePass(state.pass, pass);
    const changes = changesBetween(state.pass.face, pass.face);
    const isVoidNow = pass.face.voided && !state.pass.face.voided;
    state.pass = pass;
    state.modified = fetched.modified;
    happened({ event: "fetched", modified: fetched.modified, changes, fields: valuesOf(pass.face) });
    for (const { text } of changes) if (text !== null) happened({ event: "notified", text });
    if (isVoidNow) happened({ event: "voided" });
  }

  async function listAndFetch(service: WebService): Promise<void> {
    const listed = await service.list(state.tag, leaving.signal);
    const changed = listed?.serialNumbers.includes(state.pass.serialNumber) ?? false;
    happened({ event: "listed", changed, tag: listed?.tag ?? null });
    if (changed) await fetchPass(service);
    // Not before: what could not be fetched is asked for again.
    if (listed !== null) state.tag = listed.tag;
  }

  return {
    face: () => state.pass.face,
    refresh: () => inTurn(fetchPass),

    async follow(signal) {
      if (registered === null) return;
      const stop = (): void => leaving.abort();
      signal.addEventListener("abort", stop, { once: true });
      if (signal.aborted) stop();
      for (let failures = 0; !leaving.signal.aborted; ) {
        try {
          const { pushes, cursor } = await inbox.next(registered.pushToken, state.cursor, leaving.signal);
          state.cursor = cursor;
          failures = 0;
          for (const { at } of pushes) happened({ event: "pushed", pushed_at: at });
          if (pushes.length > 0) await inTurn(listAndFetch);
        } catch (error) {
          if (leaving.signal.aborted) break;
          if (failures === 0) happened({ event: "failed", message: messageOf(error) });
          failures += 1;
          const pauseMs = Math.min(250 * 2 ** failures, longestPauseMs);
          await pause(pauseMs, undefined, { signal: leaving.signal }).catch(() => {});
        }
      }
      await last;
    },

    async remove() {
      if (registered === null) return;
      leaving.abort();
      await last;
      await registered.service.unregister(new AbortController().signal);
      happened({ event: "unregistered" });
    },
  };
}

function open({ roots, nowMs }: PhoneDeps, file: Buffer): OpenedPass {
  return openPassFile(file, { roots, nowMs: nowMs() });
}

function requireSamePass(known: OpenedPass, fetched: OpenedPass): void {
  for (const member of ["passTypeIdentifier", "teamIdentifier", "serialNumber"] as const) {
    if (known[member] === fetched[member]) continue;
    throw new PassRefused(`What the service sent is another pass: its ${member} is ${fetched[member]}.`);
  }
}

function notesOn({ service }: OpenedPass): string[] {
  if (service === null) return ["The pass has no webServiceURL: it will never change."];
  if (!isPlainLoopback(service.url)) return [];
  return ["webServiceURL is plain http, which is taken here because it is this machine; Wallet wants https."];
}

function valuesOf({ front, back }: Face): Record<string, string> {
  return Object.fromEntries([...front, ...back].map(({ key, value }) => [key, value]));
}
