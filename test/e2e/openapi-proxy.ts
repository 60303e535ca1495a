import t from "tap";
import { signingSecret } from "../support/stripe-events.ts";
import { everySuccess, usualErrors, type Way } from "./openapi/every-operation.ts";
import { startPrism, violationsIn } from "./openapi/prism.ts";
import { setStage } from "./openapi/stage.ts";
import { metricsAnywhere, newMasterKey, startPasswright } from "./support/passwright.ts";
import { ask } from "./support/requests.ts";

// Somebody else's reading of the document: Prism stands between the tests and the service, and compares.
t.setTimeout(400_000);

const settings = {
  ...metricsAnywhere,
  PASSWRIGHT_MASTER_KEY: newMasterKey(),
  PASSWRIGHT_TOKEN_RATE_LIMIT: "10000/1m",
  PASSWRIGHT_STRIPE_WEBHOOK_SECRET: signingSecret,
  PASSWRIGHT_WORKER_CONCURRENCY: "1",
};
const service = await startPasswright(t, { settings });
const { base_url: baseUrl } = service.announced;
const { json: document } = await ask(`${baseUrl}/openapi.json`);
const stage = await setStage(t, service);
const prism = await startPrism(t, { document, upstream: baseUrl });

/** A wrong request is a violation as well; then only what came back counts. */
function through(url: string, counts: (location: string | undefined) => boolean): Way {
  return {
    document,
    stage,
    // Prism never answers a body that it cannot parse.
    takesMalformed: false,
    async send(path, options) {
      const reply = await ask(`${url}${path}`, options);
      const faults = violationsIn(reply.headers)
        .filter(({ location }) => counts(location[0]))
        .map(({ location, message }) => `${location.join(".")} ${message}`);
      return { reply, faults };
    },
  };
}

t.test("no example, and no answer to one, breaks the document in Prism's eyes", (t) => {
  t.setTimeout(300_000);
  return everySuccess(
    t,
    through(prism, () => true),
  );
});

t.test("no answer to the usual mistakes does", (t) => {
  t.setTimeout(300_000);
  return usualErrors(
    t,
    through(prism, (location) => location === "response"),
  );
});

t.test("Prism would tell", async (t) => {
  const wrong = structuredClone(document);
  wrong.components.schemas.Liveness.properties.status.enum = ["fine"];
  const url = await startPrism(t, { document: wrong, upstream: baseUrl });
  const [violation] = violationsIn((await ask(`${url}/healthz`)).headers);
  t.match(violation, { location: ["response", "body", "status"] });
});
