import t from "tap";
import { signIn } from "./support/client.ts";
import { newMasterKey } from "./support/passwright.ts";
import { ask } from "./support/requests.ts";
import { operatorsVerbs } from "./two-processes/operators-verbs.ts";
import { signingKeys } from "./two-processes/signing-keys.ts";
import { takeIn } from "./two-processes/surroundings.ts";
import { tokenLimit } from "./two-processes/token-limit.ts";

// Two processes of the built product on one Redis: what operators decide is known to both in time, and the limit of the
// token endpoint is counted over both.

// A busy machine takes its time over so many processes and requests.
t.setTimeout(300_000);
const surroundings = await takeIn(t, {
  PASSWRIGHT_TOKEN_RATE_LIMIT: "10000/1m",
  PASSWRIGHT_MASTER_KEY: newMasterKey(),
});

t.test("a token of either process is good at both", async (t) => {
  for (const issuer of surroundings.baseUrls) {
    const { token } = await signIn(issuer, surroundings.service.announced);
    for (const place of surroundings.baseUrls) {
      const headers = { authorization: `Bearer ${token}` };
      t.equal((await ask(`${place}/api/v1/templates`, { headers })).status, 200);
    }
  }
});

t.test("what operators do takes effect within five seconds", (t) => operatorsVerbs(t, surroundings));
t.test("signing keys", (t) => signingKeys(t, surroundings));
t.test("the limit of the token endpoint", (t) => tokenLimit(t, surroundings));
