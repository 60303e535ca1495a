import { randomUUID } from "node:crypto";
import { chromium } from "playwright-core";
import t from "tap";
import { findChromium } from "../../e2e/support/chromium.ts";
import { until } from "../../support/until.ts";
import { call } from "../fixtures/calls.ts";
import { becomeIssuer, genericObject, press, samples, saveClaims, savePageOf } from "../fixtures/google.ts";
import { listening } from "../fixtures/listener.ts";
import { running } from "../fixtures/running.ts";

const { controlUrl } = await running(t);
const issuer = await becomeIssuer(controlUrl);
const { heard, url } = await listening(t, 200);
const classId = `${issuer.issuerId}.members`;
await issuer.wallet("POST", "genericClass", { id: classId, callbackOptions: { url } });

/** A stored object, by its id. */
async function object(more: object = {}): Promise<string> {
  const id = `${issuer.issuerId}.${randomUUID()}`;
  const made = await issuer.wallet("POST", "genericObject", genericObject(id, classId, more));
  if (made.status !== 200) throw new Error(made.text);
  return id;
}

const pageOf = (ids: string[], more: object = {}) =>
  savePageOf(controlUrl, issuer, saveClaims(issuer, ids, more));
const text = (value: string) => ({ defaultValue: { language: "en", value } });
const hasUsers = async (id: string): Promise<boolean> =>
  (await issuer.wallet("GET", `genericObject/${id}`)).json.hasUsers;
const eventsOf = (id: string) =>
  heard
    .map(({ body }) => JSON.parse(JSON.parse(body).signedMessage))
    .filter(({ objectId }) => objectId === id)
    .map(({ eventType }) => eventType);

t.test("saving marks the object and sends «save», removing sends «del», each once", async (t) => {
  const id = await object();
  const page = pageOf([id]);
  t.equal(await hasUsers(id), false);
  const before = await call(page);
  t.equal(before.status, 200);
  t.match(before.text, "Save to wallet");
  for (const _twice of [1, 2]) {
    const saved = await press(page, "save");
    t.equal(saved.status, 303);
    t.equal(new URL(saved.headers.location ?? "", page).href, page);
  }
  t.equal(await hasUsers(id), true);
  t.match((await call(page)).text, "Saved to the wallet");
  await until("save was told", () => eventsOf(id).length === 1);
  t.equal((await issuer.wallet("PATCH", `genericObject/${id}`, { header: text("New") })).json.hasUsers, true);

  t.equal((await press(page, "remove")).status, 303);
  t.equal((await press(page, "remove")).status, 303);
  await until("del was told", () => eventsOf(id).length === 2);
  t.strictSame(eventsOf(id), ["save", "del"]);
  t.equal(await hasUsers(id), false);
  t.equal((await press(page, "eat")).status, 400);
  t.equal((await call(page, { method: "DELETE" })).status, 405);
});

t.test("the page shows what a wallet would, escaped, and loads nothing from strangers", async (t) => {
  const script = "<script>alert(1)</script>";
  const id = await object({
    cardTitle: text("Alpine Club"),
    header: text(script),
    subheader: text("Gold"),
    hexBackgroundColor: "#ffee00",
    logo: { sourceUri: { uri: "https://stranger.example/logo.png" } },
    heroImage: { sourceUri: { uri: "http://127.0.0.1:8080/images/hero.png" } },
    textModulesData: [{ id: "since", header: "Since", body: "2019" }],
    messages: [{ header: "News", body: "Open till ten" }],
    barcode: { type: "QR_CODE", value: "4711" },
    state: "EXPIRED",
  });
  const { text: shown, headers } = await call(pageOf([id]));
  for (const part of [
    "Alpine Club",
    "Gold",
    "Since",
    "2019",
    "News",
    "Open till ten",
    "QR_CODE: 4711",
    "expired",
  ]) {
    t.match(shown, part);
  }
  t.notMatch(shown, script);
  t.match(shown, "background: #ffee00; color: #202124");
  t.notMatch(shown, "stranger.example");
  t.notMatch(shown, "[TEST ONLY]");
  const policy = String(headers["content-security-policy"]);
  t.match(policy, /^default-src 'none'; img-src http:\/\/127\.0\.0\.1:8080; style-src 'sha256-/);
  t.match(policy, "form-action 'self'");
});

t.test("every type of pass has a title of its own", async (t) => {
  const titles: Record<string, string> = {
    loyalty: "Points",
    offer: "20 % off",
    eventTicket: "Concert",
    flight: "123",
    giftCard: "Example",
    transit: "transit-object",
  };
  for (const [type, title] of Object.entries(titles)) {
    const sample = samples[type];
    const parent = `${issuer.issuerId}.${type}-class`;
    const id = `${issuer.issuerId}.${type}-object`;
    await issuer.wallet("POST", `${type}Class`, { id: parent, ...sample?.class });
    await issuer.wallet("POST", `${type}Object`, { id, classId: parent, ...sample?.object });
    const { status, text: shown } = await call(pageOf([], { payload: { [`${type}Objects`]: [{ id }] } }));
    t.equal(status, 200, type);
    t.ok(/<h1[^>]*>([^<]*)/.exec(shown)?.[1]?.includes(title), type);
  }
});

t.test("several objects in one link are shown, and saved together", async (t) => {
  const ids = [await object({ header: text("First one") }), await object({ header: text("Second one") })];
  const page = pageOf(ids);
  t.match((await call(page)).text, /First one.*Second one/s);
  await press(page, "save");
  t.strictSame(await Promise.all(ids.map(hasUsers)), [true, true]);
});

t.test("a link that Google would refuse is refused by a page that says why", async (t) => {
  const id = await object();
  const other = await becomeIssuer(controlUrl);
  const now = Math.floor(Date.now() / 1000);
  const refused: [name: string, page: string, status: number, why: RegExp][] = [
    ["not a JWT", `${controlUrl}/gp/v/save/abc`, 400, /not a JWT/],
    ["a cut one", pageOf([id]).slice(0, -9), 400, /signature is wrong/],
    ["an unknown account", pageOf([id], { iss: "who@example.com" }), 400, /who@example\.com/],
    ["a script", pageOf([id], { iss: "<script>alert(1)</script>" }), 400, /«&#60;script&#62;/],
    ["a script for a payload", pageOf([id], { payload: { "<script>": [] } }), 400, /&#60;script&#62;/],
    ["another's key", savePageOf(controlUrl, other, saveClaims(issuer, [id])), 400, /signature is wrong/],
    ["another issuer's object", savePageOf(controlUrl, other, saveClaims(other, [id])), 403, /may not act/],
    ["another audience", pageOf([id], { aud: "apple" }), 400, /aud must be/],
    ["another type", pageOf([id], { typ: "JWT" }), 400, /typ must be/],
    ["no time", pageOf([id], { iat: undefined }), 400, /iat must be/],
    ["one from the future", pageOf([id], { iat: now + 600 }), 400, /iat is in the future/],
    ["origins that are none", pageOf([id], { origins: ["example"] }), 400, /origins must be/],
    ["no payload", pageOf([id], { payload: undefined }), 400, /payload must be/],
    ["an unknown payload", pageOf([id], { payload: { coupons: [] } }), 400, /coupons/],
    ["nothing to save", pageOf([]), 400, /names no objects/],
    ["an unknown object", pageOf([`${issuer.issuerId}.none`]), 404, /no such pass/],
    ["an object of another type", pageOf([], { payload: { offerObjects: [{ id }] } }), 404, /no such pass/],
    ["an id that is none", pageOf([], { payload: { genericObjects: [{ id: 5 }] } }), 403, /may not act/],
  ];
  for (const [name, page, status, why] of refused) {
    for (const answer of [await call(page), await press(page, "save")]) {
      t.equal(answer.status, status, name);
      t.match(answer.text, why, name);
      t.match(answer.headers["content-type"], /^text\/html/);
      t.match(answer.headers["content-security-policy"], /^default-src 'none';/);
      t.notMatch(answer.text, "<script", name);
    }
  }
  t.equal(await hasUsers(id), false);
});

t.test("a JWT over 1,800 characters works, with a warning", async (t) => {
  const id = await object();
  const long = pageOf([id], {
    origins: Array.from({ length: 60 }, (_, n) => `https://shop-${n}.example.com`),
  });
  t.match((await call(long)).text, /JWT of this link has \d{4} characters/);
  t.notMatch((await call(pageOf([id]))).text, "characters");
});

t.test("passes of an issuer in demo mode say [TEST ONLY]", async (t) => {
  const demo = await becomeIssuer(controlUrl);
  const parent = `${demo.issuerId}.c`;
  await demo.wallet("POST", "genericClass", { id: parent });
  await demo.wallet("POST", "genericObject", genericObject(`${demo.issuerId}.o`, parent));
  const set = { method: "PATCH", body: { demo: true } };
  t.match((await call(`${controlUrl}/sandbox/google/issuers/${demo.issuerId}`, set)).json, { demo: true });
  const { text: shown } = await call(savePageOf(controlUrl, demo, saveClaims(demo, [`${demo.issuerId}.o`])));
  t.match(shown, /<title>\[TEST ONLY\] Member.*<h1[^>]*>\[TEST ONLY\] Member/s);
});

t.test("a browser saves and removes with scripts off, and finds nothing against the policy", async (t) => {
  const id = await object({ cardTitle: text("Alpine Club"), header: text("Ada") });
  const browser = await chromium.launch({
    executablePath: findChromium(),
    args: ["--no-sandbox", "--disable-dev-shm-usage"],
  });
  t.teardown(() => browser.close());
  const page = await (await browser.newContext({ javaScriptEnabled: false })).newPage();
  const complaints: string[] = [];
  const foreign: string[] = [];
  page.on("console", (message) => complaints.push(message.text()));
  page.on("request", (request) => {
    if (!request.url().startsWith(controlUrl)) foreign.push(request.url());
  });
  await page.goto(pageOf([id]));
  await page.getByRole("button", { name: "Save to wallet" }).click();
  await page.getByRole("status").waitFor();
  t.equal(await hasUsers(id), true);
  t.equal(await page.getByRole("heading", { level: 1 }).innerText(), "Ada");
  t.equal(await page.getByRole("article", { name: "Ada" }).count(), 1, "a card is called as its pass");
  await page.getByRole("button", { name: "Remove from wallet" }).click();
  await page.getByRole("button", { name: "Save to wallet" }).waitFor();
  t.equal(await hasUsers(id), false);
  t.strictSame(
    complaints.filter((line) => !line.includes("favicon")),
    [],
  );
  t.strictSame(foreign, []);
});
