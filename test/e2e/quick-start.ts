import { createRequire } from "node:module";
import { importSPKI, jwtVerify } from "jose";
import t, { type Test } from "tap";
import { checkedPassFile, signers } from "./support/apple-file.ts";
import { askToken, type Client, withToken } from "./support/client.ts";
import { everythingLogged } from "./support/logs.ts";
import { finished, sampleRequest } from "./support/passes.ts";
import { startPasswright } from "./support/passwright.ts";
import { ask, type Reply } from "./support/requests.ts";
import { googleState, rootCertificate, serviceAccountKey } from "./support/sandbox.ts";
import { instant, uuidV7 } from "./support/shapes.ts";

// With no setting at all, as on a newcomer's machine.
const service = await startPasswright(t);
const { announced } = service;
const { base_url: baseUrl } = announced;
const { verify } = createRequire(import.meta.url)("jsonwebtoken") as typeof import("./support/jsonwebtoken.ts");

t.test("one line of JSON says everything that a script needs", async (t) => {
  t.match(service.stdout(), /^\{[^\n]*\}\n$/);
  t.strictSame(Object.keys(announced).sort(), [
    "application_id",
    "application_secret",
    "base_url",
    "metrics_url",
    "redis_url",
    "sandbox_url",
    "template_id",
    "tenant_id",
  ]);
  t.match(announced.application_secret, /^pws_[0-9A-Za-z]{51}$/);
});
