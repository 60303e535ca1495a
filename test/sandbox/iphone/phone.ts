import { X509Certificate } from "node:crypto";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import t, { type Test } from "tap";
import type { Happening } from "../../../src/sandbox/iphone/happening.ts";
import { fileAddress, installPass } from "../../../src/sandbox/iphone/phone.ts";
import { createPushInbox } from "../../../src/sandbox/iphone/push-inbox.ts";
import { until } from "../../support/until.ts";
import { apnsSession, passCredentials, push } from "../fixtures/apns.ts";
import { running } from "../fixtures/running.ts";
import { openSigning, passJson, passTypeIdentifier, signedPass } from "./fixtures/signed-pass.ts";

const sandbox = await running(t);
const apple = await passCredentials(sandbox.controlUrl, { pass_type_identifier: passTypeIdentifier });
const apns = apnsSession(sandbox.apnsUrl, apple.root, { cert: apple.certificate, key: apple.key });
t.teardown(() => apns.destroy());
const signing = await openSigning(t);

/** A service of one pass, by the book, and a phone's way to it. Everything that was asked is kept. */
async function serviceOf(t: Test) {
  const asked: string[] = [];
  const state = { points: "1", voided: false, version: 1, status: null as number | null, another: {} };
  const modified = () => new Date(Date.UTC(2027, 0, state.version)).toUTCString();
  const file = (): Buffer => {
    const [primary] = passJson.storeCard.primaryFields;
    return signedPass(signing, {
      passJson: {
        ...passJson,
        storeCard: { ...passJson.storeCard, primaryFields: [{ ...primary, value: state.points }] },
        ...(state.voided && { voided: true }),
        webServiceURL: `${url}/apple/t`,
        authenticationToken: "vxwxd7J8AlNNFPS8",
        ...state.another,
      },
    });
  };
  const server = createServer((request, response) => {
    const { method = "", url: path = "", headers } = request;
    asked.push([method, path, headers.authorization, headers["if-modified-since"]].filter(Boolean).join(" "));
    request.resume();
    const answer = (status: number, body?: Buffer | string): void =>
      void response.writeHead(status, { "last-modified": modified() }).end(body);
    if (state.status !== null) return answer(state.status);
    if (path.endsWith(".pkpass")) return answer(200, file());
    if (method === "POST") return answer(201);
    if (method === "DELETE") return answer(200);
    if (path.includes("/registrations/")) {
      const tag = String(state.version);
      const isNew = new URL(url + path).searchParams.get("passesUpdatedSince") !== tag;
      return isNew
        ? answer(200, JSON.stringify({ serialNumbers: ["serial-1"], lastUpdated: tag }))
        : answer(204);
    }
    return headers["if-modified-since"] === modified() ? answer(304) : answer(200, file());
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const leaving = new AbortController();
  t.teardown(() => {
    leaving.abort();
    server.closeAllConnections();
    server.close();
  });
  const happened: Happening[] = [];
  const deps = {
    inbox: createPushInbox(sandbox.controlUrl),
    roots: [new X509Certificate(signing.authority.rootPem)],
    nowMs: Date.now,
    happened: (happening: Happening) => void happened.push(happening),
  };
  const tokenOf = (): string =>
    happened.flatMap((one) => (one.event === "registered" ? [one.push_token] : []))[0] ?? "";
  return {
    url,
    asked,
    state,
    happened,
    leaving,
    install: () => installPass(deps, `${url}/p/abc`, leaving.signal),
    push: () => push(apns, { ":path": `/3/device/${tokenOf()}`, "apns-topic": passTypeIdentifier }),
    events: () => happened.map(({ event }) => event),
    has: (event: Happening["event"], times = 1) =>
      until(`${times} times ${event}`, () => happened.filter((one) => one.event === event).length >= times),
  };
}

t.test("a page's address and that of its file are one pass", async (t) => {
  t.equal(fileAddress("http://h/p/abc"), "http://h/p/abc/pass.pkpass");
  t.equal(fileAddress("http://h/p/abc/"), "http://h/p/abc/pass.pkpass");
  t.equal(fileAddress("http://h/p/abc/pass.pkpass?x=1"), "http://h/p/abc/pass.pkpass?x=1");
});

t.test("it is installed, registered, and follows pushes by list and fetch until it is deleted", async (t) => {
  const service = await serviceOf(t);
  const phone = await service.install();
  t.match(service.happened, [
    { event: "installed", serial_number: "serial-1", trusted: true, notes: [/plain http/] },
    { event: "registered", known_before: false },
  ]);
  const followed = phone.follow(service.leaving.signal);

  Object.assign(service.state, { points: "2", version: 2 });
  t.equal((await service.push()).status, 200);
  await service.has("notified");
  t.equal(phone.face().front[0]?.value, "2");
  t.match(service.happened.slice(2), [
    { event: "pushed" },
    { event: "listed", changed: true, tag: "2" },
    { event: "fetched", changes: [{ key: "points", from: "1", to: "2" }], fields: { points: "2" } },
    { event: "notified", text: "Now 2 points (100%)" },
  ]);
  await service.push();
  await service.has("listed", 2);
  t.match(service.happened.at(-1), { changed: false, tag: null });

  Object.assign(service.state, { voided: true, version: 3 });
  await service.push();
  await service.has("voided");
  t.equal(phone.face().voided, true);

  service.leaving.abort();
  await followed;
  await phone.remove();
  t.equal(service.events().at(-1), "unregistered");
  const token = "ApplePass vxwxd7J8AlNNFPS8";
  t.match(service.asked.at(-1), `DELETE /apple/t/v1/devices/`);
  t.match(service.asked.at(-1), token);
  const lists = service.asked.filter((line) => line.includes("/registrations/") && line.startsWith("GET"));
  t.strictSame(
    lists.map((line) => line.split("?")[1]),
    [undefined, "passesUpdatedSince=2", "passesUpdatedSince=2"],
    "with the tag of the last answer, and without a token",
  );
  const fetches = service.asked.filter((line) => line.includes("/v1/passes/"));
  t.match(fetches, [/Fri, 01 Jan 2027/, /Sat, 02 Jan 2027/], "with the time of what it has");
});

t.test("pulling asks for the pass at once, and takes what it has for what it is", async (t) => {
  const service = await serviceOf(t);
  const phone = await service.install();
  await phone.refresh();
  t.equal(service.events().at(-1), "unchanged");
  Object.assign(service.state, { points: "9", version: 2 });
  await phone.refresh();
  t.equal(phone.face().front[0]?.value, "9");
});

t.test("what goes wrong is told, and the next push is answered all the same", async (t) => {
  const service = await serviceOf(t);
  const phone = await service.install();
  const followed = phone.follow(service.leaving.signal);
  service.state.status = 503;
  await service.push();
  await service.has("failed");
  t.match(service.happened.at(-1), { message: /answers 503 to the question what is new/ });
  Object.assign(service.state, {
    status: null,
    points: "3",
    version: 2,
    another: { serialNumber: "serial-2" },
  });
  await service.push();
  await service.has("failed", 2);
  t.match(service.happened.at(-1), { message: /another pass: its serialNumber is serial-2/ });
  t.equal(phone.face().front[0]?.value, "1", "which is not taken");
  service.state.another = {};
  await service.push();
  await service.has("fetched");
  t.equal(phone.face().front[0]?.value, "3");
  service.leaving.abort();
  await followed;
});

t.test("a page without a pass, and a service that does not register, are said", async (t) => {
  const service = await serviceOf(t);
  service.state.status = 410;
  await t.rejects(service.install(), { name: "PassRefused", message: /the answer is 410/ });
  Object.assign(service.state, { status: null, another: { webServiceURL: "http://127.0.0.1:1/x" } });
  await t.rejects(service.install(), { name: "NotReached", message: /127\.0\.0\.1:1 does not answer/ });
});
