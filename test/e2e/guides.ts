import { mkdirSync, symlinkSync } from "node:fs";
import { join } from "node:path";
import t from "tap";
import { textOf } from "../docs/markdown.ts";
import { blocksOf, shapeOf } from "./handbook/blocks.ts";
import { openShell } from "./handbook/shell.ts";
import { signIn } from "./support/client.ts";
import { newReference } from "./support/passes.ts";
import { metricsAnywhere, newMasterKey, root, startPasswright } from "./support/passwright.ts";
import { ask } from "./support/requests.ts";
import { createReceiver, rootCertificate } from "./support/sandbox.ts";

// The guides, block by block and from top to bottom, each in a shell of its own, against what `npm start` starts.

t.setTimeout(240_000);
const settings = { ...metricsAnywhere, PASSWRIGHT_MASTER_KEY: newMasterKey() };
const service = await startPasswright(t, { settings });
const { announced } = service;
const client = await signIn(announced.base_url, announced);
const receiver = await createReceiver(service, "whsec_bm90IHRoZSBzZWNyZXQgb2YgdGhlIGd1aWRl");
const { json: pass } = await client.post("/api/v1/passes", {
  template_id: announced.template_id,
  intent: "loyalty_card",
  external_ref: newReference(),
  data: { member: "Ada Lovelace" },
});

const variables = {
  ...settings,
  PASSWRIGHT_REDIS_URL: announced.redis_url,
  PASSWRIGHT_SANDBOX_URL: announced.sandbox_url,
  PASSWRIGHT_WEBHOOK_ALLOW_CIDRS: "127.0.0.0/8",
  PASSWRIGHT_WEBHOOK_CA_FILE: rootCertificate(service),
  BASE: announced.base_url,
  TENANT: announced.tenant_id,
  APPLICATION: announced.application_id,
  SECRET: announced.application_secret,
  TEMPLATE: announced.template_id,
  TOKEN: client.token,
  PASS: pass.id,
  SANDBOX: announced.sandbox_url,
  RECEIVER: receiver.url,
};

/** By how many blocks each leaves out: what nobody can have here, such as a certificate of Apple's. */
const guides = {
  "docs/first-pass.md": 2,
  "docs/templates.md": 0,
  "docs/billing.md": 0,
  "docs/live-with-apple.md": 2,
  "docs/live-with-google.md": 2,
};

for (const [guide, leftOut] of Object.entries(guides)) {
  t.test(`every block of ${guide} does what it says`, async (t) => {
    const home = join(t.testdir(), "home");
    mkdirSync(home);
    symlinkSync(join(root, "templates"), join(home, "templates"));
    symlinkSync(service.dataDir, join(home, ".passwright"));
    const shell = openShell(t, home, variables);
    const blocks = blocksOf(textOf(guide) ?? "");
    t.ok(blocks.length > leftOut, `${blocks.length} blocks`);
    t.equal(blocks.filter(({ notRun }) => notRun !== null).length, leftOut, "what is not run");
    for (const { line, text, notRun, exitCodes, output } of blocks) {
      if (notRun !== null) continue;
      const title = `line ${line}: ${text.trim().split("\n").at(-1)}`;
      const ended = await shell.run(`set -o pipefail\n${text}`);
      t.ok(exitCodes.includes(ended.code), title, { code: ended.code, output: ended.output });
      if (output !== null) t.match(ended.output, shapeOf(output), `${title}: its output`);
    }
  });
}

t.test(
  "a webhook that is subscribed to as the guide says gets a delivery that its receiver verifies",
  async (t) => {
    const blocks = blocksOf(textOf("docs/webhooks.md") ?? "").filter(
      ({ text }) => !text.includes("openssl mac"),
    );
    t.equal(blocks.length, 2);
    const shell = openShell(t, t.testdir(), variables);
    const [subscribing, testing] = blocks;
    t.match(await shell.run(subscribing?.text ?? ""), { code: 0 });
    const { output: secret } = await shell.run('printf %s "$SECRET"');
    t.match(secret, /^whsec_/);
    const address = `${announced.sandbox_url}/receivers/${receiver.name}`;
    await ask(address, { method: "PATCH", body: { secret } });
    const tested = await shell.run(testing?.text ?? "");
    t.match(tested, { code: 0, output: /delivered +true/ });
  },
);
