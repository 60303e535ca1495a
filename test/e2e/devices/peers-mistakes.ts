import type { Test } from "tap";
import type { PassFile } from "../support/apple-file.ts";
import { googleObject } from "../support/google-faults.ts";
import type { Passwright } from "../support/passwright.ts";
import type { Phone } from "../support/phone.ts";
import { ask, type Reply } from "../support/requests.ts";

type PassOnPhones = {
  id: string;
  file: PassFile;
  phones: [Phone, ...Phone[]];
  update(points: string): Promise<Reply>;
  revoke(): Promise<Reply>;
  registerOn(phone: Phone): Promise<Reply>;
};

export type Stage = {
  service: Passwright;
  passOnPhones(t: Test, count: number): Promise<PassOnPhones>;
  pushesTo(phone: Phone): Promise<number>;
  fieldOf(t: Test, bytes: Buffer, key: string): unknown;
};

/** Each was found in a server of somebody else's: docs/reliability.md has the list, with those that are tested elsewhere. */
export function peersMistakes({ service, passOnPhones, pushesTo, fieldOf }: Stage) {
  return async (t: Test): Promise<void> => {
    t.test("a device without passes is told «nothing new», not that it is unknown or wrong", async (t) => {
      const { phones } = await passOnPhones(t, 1);
      const [phone] = phones;
      await phone.unregister();
      for (const tag of [undefined, "0", "1-0"]) t.equal((await phone.list(tag)).status, 204);
      const stranger = `${phone.home}/devices/never-seen/registrations/${phone.passTypeIdentifier}`;
      t.equal((await ask(stranger)).status, 204);
    });

    t.test("a tag that we did not give lists everything, rather than fail", async (t) => {
      const { id, phones } = await passOnPhones(t, 1);
      for (const tag of ["yesterday", "2026-11-21T06:43:46Z", "-1", "1e9", "99999999999999999999"]) {
        t.match(await phones[0].list(tag), { status: 200, json: { serialNumbers: [id] } }, tag);
      }
    });

    t.test("all passes that changed are listed, not only the last", async (t) => {
      const first = await passOnPhones(t, 1);
      const [phone] = first.phones;
      const others = [await passOnPhones(t, 0), await passOnPhones(t, 0)];
      for (const other of others) t.equal((await other.registerOn(phone)).status, 201);
      const { json } = await phone.list();
      for (const one of [first, ...others]) await one.update("11");
      const listed = await phone.list(json.lastUpdated);
      t.strictSame([...listed.json.serialNumbers].sort(), [first, ...others].map(({ id }) => id).sort());
    });

    t.test("a tag says which changes were listed, not what the clock was", async (t) => {
      const { id, phones, update } = await passOnPhones(t, 1);
      const [phone] = phones;
      await update("2");
      const [first, again] = [await phone.list(), await phone.list()];
      t.equal(again.json.lastUpdated, first.json.lastUpdated, "nothing happened in between");
      await update("3");
      const next = await phone.list(first.json.lastUpdated);
      t.match(next, { status: 200, json: { serialNumbers: [id] } });
      t.not(next.json.lastUpdated, first.json.lastUpdated, "a list that is not empty has a tag of its own");
    });

    t.test(
      "a tag names its kind: one of another kind lists everything, whatever number is in it",
      async (t) => {
        const { id, phones, update } = await passOnPhones(t, 1);
        const [phone] = phones;
        await update("2");
        const { lastUpdated } = (await phone.list()).json;
        t.match(lastUpdated, /^1-\d+$/);
        t.equal((await phone.list(lastUpdated)).status, 204);
        const change = Number(lastUpdated.slice(2));
        // A bare number, seconds, milliseconds, and a kind that does not exist yet.
        for (const tag of [
          change,
          Math.ceil(Date.now() / 1000),
          Date.now(),
          `2-${change}`,
          `1-${change}-7`,
        ]) {
          t.match(await phone.list(String(tag)), { status: 200, json: { serialNumbers: [id] } }, String(tag));
        }
      },
    );

    t.test("who removes one pass keeps the others, and nobody else loses it", async (t) => {
      const [removed, kept] = [await passOnPhones(t, 2), await passOnPhones(t, 0)];
      const [phone, other] = removed.phones as [Phone, Phone];
      await kept.registerOn(phone);
      t.equal((await phone.unregister()).status, 200);
      t.strictSame((await phone.list()).json.serialNumbers, [kept.id]);
      t.strictSame((await other.list()).json.serialNumbers, [removed.id]);
      await kept.update("2");
      t.equal(await pushesTo(phone), 1);
    });

    t.test("the routes are where Apple's protocol has them, and nowhere else", async (t) => {
      const { file, phones } = await passOnPhones(t, 1);
      const [phone] = phones;
      const { webServiceURL, passTypeIdentifier, serialNumber, authenticationToken } = file.passJson;
      const headers = { authorization: `ApplePass ${authenticationToken}` };
      const path = `passes/${passTypeIdentifier}/${serialNumber}`;
      t.equal((await ask(`${webServiceURL}/v1/${path}`, { headers })).status, 200);
      t.equal((await ask(`${webServiceURL}/v1/version/${path}`, { headers })).status, 404);
      t.strictSame((await phone.list()).json.serialNumbers, [serialNumber], "what it registered is kept");
    });

    t.test("a revocation ends the pass in both wallets", async (t) => {
      const { id, phones, revoke } = await passOnPhones(t, 1);
      const [phone] = phones;
      t.equal((await revoke()).json.status, "completed");
      t.equal(await pushesTo(phone), 1);
      t.match(fieldOf(t, (await phone.fetch()).bytes, "points"), { voided: true });
      t.equal((await googleObject(service, id)).resource.state, "EXPIRED");
    });

    t.test("a pass that did not change has the same Last-Modified each time", async (t) => {
      const { phones } = await passOnPhones(t, 1);
      const [phone] = phones;
      const [first, second] = [await phone.fetch(), await phone.fetch()];
      t.equal(first.headers["last-modified"], second.headers["last-modified"]);
      t.same(first.bytes, second.bytes, "and is the same file");
    });
  };
}
