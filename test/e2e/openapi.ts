import t from "tap";
import { createAnswerCheck } from "../support/openapi.ts";
import { signingSecret } from "../support/stripe-events.ts";
import { everySuccess, usualErrors, type Way } from "./openapi/every-operation.ts";
import { setStage } from "./openapi/stage.ts";
import { metricsAnywhere, newMasterKey, startPasswright } from "./support/passwright.ts";
import { ask } from "./support/requests.ts";

// Every operation is gone through, one by one.
t.setTimeout(400_000);

const settings = {
  ...metricsAnywhere,
  PASSWRIGHT_MASTER_KEY: newMasterKey(),
  PASSWRIGHT_TOKEN_RATE_LIMIT: "10000/1m",
  PASSWRIGHT_STRIPE_WEBHOOK_SECRET: signingSecret,
  // Busy with one batch, it leaves another one queued.
  PASSWRIGHT_WORKER_CONCURRENCY: "1",
};
const service = await startPasswright(t, { settings });
const { base_url: baseUrl } = service.announced;
const { json: document, headers } = await ask(`${baseUrl}/openapi.json`);
const check = createAnswerCheck(document);
const stage = await setStage(t, service);
const way: Way = {
  document,
  stage,
  takesMalformed: true,
  async send(path, options) {
    const reply = await ask(`${baseUrl}${path}`, options);
    const { pathname } = new URL(path, baseUrl);
    return { reply, faults: check(options.method ?? "GET", pathname, reply) };
  },
};

t.test("the document is served to everybody, with a tag that saves sending it again", async (t) => {
  t.match(headers, {
    "content-type": "application/json; charset=utf-8",
    etag: /^"[\w-]{43}"$/,
    "cache-control": "public, no-cache",
  });
  t.match(document, { openapi: "3.1.0", servers: [{ url: baseUrl }], info: { title: "Passwright" } });
  for (const path of ["/openapi.json", "/docs"]) {
    const whole = await ask(`${baseUrl}${path}`);
    const { etag } = whole.headers;
    t.equal(whole.status, 200, path);
    const kept = await ask(`${baseUrl}${path}`, { headers: { "if-none-match": `"other", ${etag}` } });
    t.match(kept, { status: 304, text: "", headers: { etag } }, path);
    const head = await ask(`${baseUrl}${path}`, { method: "HEAD" });
    t.match(head, { status: 200, text: "", headers: { etag } }, path);
    t.equal(head.headers["content-length"], String(whole.bytes.length), path);
  }
});

t.test("every example is carried out, and answered as documented", (t) => {
  t.setTimeout(300_000);
  return everySuccess(t, way);
});

t.test("the usual mistakes are answered as documented", (t) => {
  t.setTimeout(300_000);
  return usualErrors(t, way);
});
