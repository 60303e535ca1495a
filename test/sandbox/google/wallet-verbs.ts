import t from "tap";
import { call } from "../fixtures/calls.ts";
import { becomeIssuer, genericObject, samples } from "../fixtures/google.ts";
import { running, settableClock } from "../fixtures/running.ts";

const clock = settableClock();
const sandbox = await running(t, { clock });
const issuer = await becomeIssuer(sandbox.controlUrl);
const { wallet } = issuer;
const idOf = (name: string) => `${issuer.issuerId}.${name}`;
const message = (more: object = {}) => ({ message: { header: "News", body: "Open till ten", ...more } });
await wallet("POST", "genericClass", { id: idOf("generic") });

for (const [vertical, sample] of Object.entries(samples)) {
  t.test(`a ${vertical} class and an object of it can be inserted, read and listed`, async (t) => {
    const classId = idOf(`${vertical}-class`);
    const id = idOf(`${vertical}-object`);
    const absent = await wallet("POST", `${vertical}Object`, { id, classId, ...sample.object });
    t.equal(absent.status, 404);
    t.equal(absent.json.error.errors[0].reason, "classNotFound");

    const made = await wallet("POST", `${vertical}Class`, { id: classId, ...sample.class });
    t.equal(made.status, 200, made.text);
    t.equal(made.json.reviewStatus, vertical === "generic" ? undefined : "APPROVED");
    const inserted = await wallet("POST", `${vertical}Object`, { id, classId, ...sample.object });
    t.equal(inserted.status, 200, inserted.text);
    t.equal(inserted.json.state, "ACTIVE");

    const read = await wallet("GET", `${vertical}Object/${id}`);
    t.strictSame(read.json, inserted.json);
    t.equal(read.json.classReference?.id, vertical === "generic" ? undefined : classId);
    t.strictSame((await wallet("GET", `${vertical}Object?classId=${classId}`)).json, {
      resources: [read.json],
      pagination: { resultsPerPage: 1 },
    });
  });

  t.test(`every required member of a ${vertical} class and object is required`, async (t) => {
    for (const [side, good] of Object.entries(sample)) {
      const classId = side === "object" ? { classId: idOf(`${vertical}-class`) } : {};
      for (const name of ["id", ...Object.keys({ ...classId, ...good })]) {
        const body = { id: idOf("never"), ...classId, ...good, [name]: undefined };
        const type = `${vertical}${side === "class" ? "Class" : "Object"}`;
        const { status, json } = await wallet("POST", type, body);
        t.equal(status, 400, `${type} without ${name}`);
        t.equal(json?.error.status, "INVALID_ARGUMENT");
      }
    }
  });
}

t.test("a second insert of an id is 409, whichever type has it", async (t) => {
  const again = await wallet("POST", "genericClass", { id: idOf("generic") });
  t.equal(again.status, 409);
  t.match(again.json.error, {
    status: "ALREADY_EXISTS",
    message: `Wallet Object Class ${idOf("generic")} already exists.`,
    errors: [{ domain: "walletobjects", reason: "existingResource" }],
  });
  const otherType = await wallet("POST", "offerClass", { id: idOf("generic"), ...samples.offer?.class });
  t.equal(otherType.status, 409);
  const object = await wallet("POST", "genericObject", genericObject(idOf("generic"), idOf("generic")));
  t.equal(object.status, 200, "classes and objects have ids of their own");
});

t.test("what does not exist is 404 to GET, PUT, PATCH and addMessage", async (t) => {
  const path = `genericObject/${idOf("nowhere")}`;
  const body = genericObject(idOf("nowhere"), idOf("generic"));
  const replies = [
    await wallet("GET", path),
    await wallet("PUT", path, body),
    await wallet("PATCH", path, { state: "EXPIRED" }),
    await wallet("POST", `${path}/addMessage`, message()),
  ];
  for (const { status, json } of replies) {
    t.equal(status, 404);
    t.match(json.error, {
      status: "NOT_FOUND",
      message: `Wallet Object ${idOf("nowhere")} not found.`,
      errors: [{ domain: "walletobjects", reason: "resourceNotFound" }],
    });
  }
  const wrongType = await wallet("GET", `offerClass/${idOf("generic")}`);
  t.equal(wrongType.status, 404);
  t.equal(wrongType.json.error.errors[0].reason, "classNotFound");
});

t.test("an id must be issuer, dot, identifier", async (t) => {
  const { issuerId } = issuer;
  for (const id of [
    "x",
    "front.desk",
    `${issuerId}.a b`,
    `${issuerId}.ä`,
    `${issuerId}.`,
    `${issuerId}.a/b`,
    `.${issuerId}`,
  ]) {
    const { status, json } = await wallet("POST", "genericClass", { id });
    t.equal(status, 400, id);
    t.match(json.error.errors[0], {
      domain: "walletobjects",
      reason: "invalidResource",
      message: `Invalid resource ID: ${id}`,
    });
  }
});

t.test("an object's class must be of its type, and no draft", async (t) => {
  const draft = idOf("draft");
  const offer = samples.offer?.class;
  const made = await wallet("POST", "offerClass", { id: draft, ...offer, reviewStatus: "DRAFT" });
  t.equal(made.json.reviewStatus, "DRAFT");
  const object = { id: idOf("of-draft"), classId: draft, state: "ACTIVE" };
  t.match((await wallet("POST", "offerObject", object)).json.error, { code: 400, message: /not approved/ });
  const foreign = await wallet("POST", "genericObject", genericObject(idOf("g"), draft));
  t.match(foreign.json.error, { code: 400, message: /is a offerClass, not a genericClass/ });

  t.equal((await wallet("PATCH", `offerClass/${draft}`, { title: "21 % off" })).json.reviewStatus, "DRAFT");
  const reviewed = await wallet("PATCH", `offerClass/${draft}`, { reviewStatus: "UNDER_REVIEW" });
  t.equal(reviewed.json.reviewStatus, "APPROVED");
  t.equal((await wallet("POST", "offerObject", object)).status, 200);
});

t.test("an update of an approved class says UNDER_REVIEW anew, and never DRAFT or APPROVED", async (t) => {
  const id = idOf("reviewed");
  const body = { id, ...samples.offer?.class };
  await wallet("POST", "offerClass", body);
  const path = `offerClass/${id}`;
  const refused = [
    await wallet("PATCH", path, { title: "New" }),
    await wallet("PATCH", path, { reviewStatus: "APPROVED" }),
    await wallet("PATCH", path, { reviewStatus: "DRAFT" }),
    await wallet("PUT", path, { ...body, reviewStatus: "APPROVED" }),
    await wallet("PUT", path, { ...body, reviewStatus: "draft" }),
  ];
  for (const { status, json } of refused) {
    t.equal(status, 400);
    t.match(json.error.message, /^Invalid review status Optional\[(APPROVED|DRAFT)\]/);
  }
  const patched = await wallet("PATCH", path, { title: "New", reviewStatus: "underReview" });
  t.match(patched.json, { title: "New", reviewStatus: "APPROVED" });
});

t.test("PATCH merges objects, replaces arrays, and removes what is null", async (t) => {
  const id = idOf("patched");
  const text = (value: string) => ({ defaultValue: { language: "en", value } });
  const module = (name: string) => ({ id: name, header: name, body: "…" });
  await wallet(
    "POST",
    "genericObject",
    genericObject(id, idOf("generic"), {
      subheader: text("Gold"),
      barcode: { type: "QR_CODE", value: "1", alternateText: "one" },
      textModulesData: [module("a"), module("b")],
    }),
  );
  const { json } = await wallet("PATCH", `genericObject/${id}`, {
    subheader: null,
    barcode: { value: "2", alternateText: null },
    textModulesData: [module("c")],
    header: { defaultValue: { value: "Changed" } },
  });
  t.equal(json.subheader, undefined);
  t.strictSame(json.barcode, { type: "QR_CODE", value: "2" });
  t.strictSame(json.textModulesData, [module("c")]);
  t.strictSame(json.header, { defaultValue: { language: "en-GB", value: "Changed" } });
  t.strictSame((await wallet("GET", `genericObject/${id}`)).json, json);

  const required = await wallet("PATCH", `genericObject/${id}`, { cardTitle: null });
  t.equal(required.status, 400);
  const moved = await wallet("PATCH", `genericObject/${id}`, { id: idOf("elsewhere") });
  t.equal(moved.status, 400);
  const lost = await wallet("PATCH", `genericObject/${id}`, { classId: idOf("no-class") });
  t.equal(lost.status, 404);
});

t.test("PUT replaces the resource whole", async (t) => {
  const id = idOf("put");
  await wallet(
    "POST",
    "genericObject",
    genericObject(id, idOf("generic"), { hexBackgroundColor: "#ff0000" }),
  );
  const { id: _inPath, ...body } = genericObject(id, idOf("generic"), { state: "EXPIRED" });
  const { status, json } = await wallet("PUT", `genericObject/${id}`, body);
  t.equal(status, 200);
  t.equal(json.state, "EXPIRED");
  t.equal(json.hexBackgroundColor, undefined);
  t.equal((await wallet("PUT", `genericObject/${id}`, { state: "EXPIRED" })).status, 400);
});

t.test("old spellings are stored in capitals, and read-only members are not stored", async (t) => {
  const id = idOf("aliases");
  const body = {
    id,
    ...samples.giftCard?.class,
    reviewStatus: "underReview",
    kind: "walletobjects#giftCardClass",
  };
  const { json } = await wallet("POST", "giftCardClass", {
    ...body,
    review: { comments: "fine" },
    version: 7,
  });
  t.strictSame(json, { id, ...samples.giftCard?.class, reviewStatus: "APPROVED" });
  const object = { id: idOf("alias-o"), classId: id, state: "active", cardNumber: "1", hasUsers: true };
  const inserted = await wallet("POST", "giftCardObject", {
    ...object,
    barcode: { type: "qrcode", value: "1" },
  });
  t.match(inserted.json, { state: "ACTIVE", hasUsers: false, barcode: { type: "QR_CODE" } });
});

t.test("messages are added to objects and classes, ten at most", async (t) => {
  const id = idOf("messages");
  const { class: sample } = samples.loyalty ?? {};
  await wallet("POST", "loyaltyClass", { id, ...sample });
  const path = `loyaltyClass/${id}/addMessage`;
  const first = await wallet("POST", path, message({ id: "m1", messageType: "TEXT" }));
  t.equal(first.status, 200);
  t.strictSame(first.json.resource.messages, [
    { messageType: "TEXT", header: "News", body: "Open till ten", id: "m1" },
  ]);
  for (let n = 2; n <= 10; n++) t.equal((await wallet("POST", path, message())).status, 200);
  const eleventh = await wallet("POST", path, message());
  t.match(eleventh.json.error, { code: 400, message: /messages must have at most 10 items/ });
  t.equal((await wallet("GET", `loyaltyClass/${id}`)).json.messages.length, 10);
  const cleared = await wallet("PATCH", `loyaltyClass/${id}`, { messages: [], reviewStatus: "UNDER_REVIEW" });
  t.strictSame(cleared.json.messages, []);
});

t.test("a message needs a header, a body and a known type", async (t) => {
  const path = `genericClass/${idOf("generic")}/addMessage`;
  const bodies = [
    {},
    { message: null },
    { message: {} },
    message({ body: undefined }),
    message({ header: "" }),
  ];
  for (const body of [
    ...bodies,
    message({ messageType: "TEXT_AND_SHOUT" }),
    message({ foo: 1 }),
    { text: "x" },
  ]) {
    t.equal((await wallet("POST", path, body)).status, 400, JSON.stringify(body));
  }
});

t.test("three notifications in 24 hours, then QuotaExceededException until one is older", async (t) => {
  const id = idOf("noisy");
  await wallet("POST", "genericObject", genericObject(id, idOf("generic")));
  const path = `genericObject/${id}/addMessage`;
  const notify = () => wallet("POST", path, message({ messageType: "TEXT_AND_NOTIFY" }));
  for (let n = 1; n <= 3; n++) t.equal((await notify()).status, 200);
  const fourth = await notify();
  t.match(fourth.json.error, {
    code: 429,
    message: /^QuotaExceededException/,
    errors: [{ reason: "quotaExceeded" }],
  });
  t.equal((await wallet("POST", path, message({ messageType: "TEXT" }))).status, 200, "silently, it goes");
  const state = await call(`${sandbox.controlUrl}/sandbox/google/state?id_prefix=${id}`);
  t.equal(state.json.objects[0].notified_at.length, 3);
  t.equal(state.json.objects[0].resource.messages.length, 4);
});

t.test(
  "an update that notifies counts, if it changes anything, and the preference is not kept",
  async (t) => {
    const classId = idOf("notify-class");
    const id = idOf("notify");
    await wallet("POST", "loyaltyClass", { id: classId, ...samples.loyalty?.class });
    await wallet("POST", "loyaltyObject", { id, classId, state: "ACTIVE" });
    const update = (points: number) =>
      wallet("PATCH", `loyaltyObject/${id}`, {
        notifyPreference: "NOTIFY_ON_UPDATE",
        loyaltyPoints: { label: "Points", balance: { int: points } },
      });
    for (const points of [1, 2, 3, 3]) t.equal((await update(points)).status, 200);
    t.equal((await update(4)).status, 429);
    const { json } = await wallet("GET", `loyaltyObject/${id}`);
    t.equal(json.loyaltyPoints.balance.int, 3);
    t.equal(json.notifyPreference, undefined);
    const unknown = await wallet("PATCH", `loyaltyObject/${id}`, { notifyPreference: "NOTIFY" });
    t.equal(unknown.status, 400);
  },
);

t.test("lists come in pages", async (t) => {
  const other = await becomeIssuer(sandbox.controlUrl);
  const ids = ["a", "b", "c", "d", "e"].map((name) => `${other.issuerId}.${name}`);
  for (const id of ids) await other.wallet("POST", "genericClass", { id });
  const list = (query: string) => other.wallet("GET", `genericClass?issuerId=${other.issuerId}${query}`);
  const idsOf = (json: { resources: { id: string }[] }) => json.resources.map(({ id }) => id);

  t.strictSame(idsOf((await list("")).json), ids);
  const first = await list("&maxResults=2");
  t.strictSame(idsOf(first.json), ids.slice(0, 2));
  t.equal(first.json.pagination.resultsPerPage, 2);
  const second = await list(`&maxResults=2&token=${first.json.pagination.nextPageToken}`);
  const third = await list(`&maxResults=2&token=${second.json.pagination.nextPageToken}`);
  t.strictSame([...idsOf(second.json), ...idsOf(third.json)], ids.slice(2));
  t.strictSame(third.json.pagination, { resultsPerPage: 1 });
  t.strictSame((await other.wallet("GET", `genericObject?classId=${ids[0]}`)).json, {
    pagination: { resultsPerPage: 0 },
  });
  for (const query of ["&maxResults=0", "&maxResults=x", "&token=nonsense"]) {
    t.equal((await list(query)).status, 400, query);
  }
  t.equal((await other.wallet("GET", "genericClass")).status, 400);
  t.equal((await other.wallet("GET", "genericObject")).status, 400);
  t.equal((await other.wallet("GET", `genericObject?classId=${other.issuerId}.zzz`)).status, 404);
});
