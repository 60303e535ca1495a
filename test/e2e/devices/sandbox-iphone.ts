import { join } from "node:path";
import type { Test } from "tap";
import { openTerminal } from "../../support/tmux.ts";
import type { Client } from "../support/client.ts";
import { eventually } from "../support/eventually.ts";
import { finished, issuePass, newReference } from "../support/passes.ts";
import type { Passwright } from "../support/passwright.ts";
import { rootCertificate } from "../support/sandbox.ts";

/** `passwright sandbox iphone` as a script and as a person use it, over everything that `up` runs. */
export function sandboxIphone({ service, client }: { service: Passwright; client: Client }) {
  const { template_id, sandbox_url: sandboxUrl } = service.announced;

  async function newPass() {
    const data = { member: "Ada Lovelace", points: "1" };
    const request = { template_id, intent: "loyalty_card", external_ref: newReference(), data };
    const { id, page_url: page } = (await issuePass(client, request)).json as {
      id: string;
      page_url: string;
    };
    const path = `/api/v1/passes/${id}`;
    return {
      page,
      installed: () =>
        eventually(async () => {
          const { json } = await client.get(`/api/v1/analytics/events?pass_id=${id}`);
          const types = json.data.map(({ event_type }: { event_type: string }) => event_type);
          return types.includes("pass.installed") || undefined;
        }),
      update: async (points: string) =>
        finished(client, await client.ask(path, { method: "PATCH", body: { data: { points } } })),
      revoke: async () => finished(client, await client.ask(path, { method: "DELETE" })),
    };
  }

  return async (t: Test): Promise<void> => {
    t.test("a script gets a line of JSON for all that happens, until an update has come", async (t) => {
      const pass = await newPass();
      const root = rootCertificate(service);
      const run = service.cli(
        "sandbox",
        "iphone",
        pass.page,
        "--ca",
        root,
        "--until",
        "updates=1",
        "--remove",
      );
      await pass.installed();
      await pass.update("42");
      const { code, stdout, stderr } = await run;
      t.equal(code, 0, stderr);
      const lines = stdout.trimEnd().split("\n");
      t.match(
        lines.map((line) => JSON.parse(line)),
        [
          { event: "installed", trusted: true, fields: { points: "1" }, at: /Z$/ },
          { event: "registered", known_before: false },
          { event: "pushed" },
          { event: "listed", changed: true },
          { event: "fetched", changes: [{ key: "points", from: "1", to: "42" }] },
          { event: "notified", text: /42/ },
          { event: "unregistered" },
        ],
      );
    });

    t.test("what it does not take, and what it does not understand, it says", async (t) => {
      const pass = await newPass();
      const strange = join(t.testdir({ "strange.pem": strangeRoot }), "strange.pem");
      const refused = await service.cli("sandbox", "iphone", pass.page, "--ca", strange);
      t.match(refused, {
        code: 1,
        stderr: /does not take the pass\. The certificate chain leads to no root that is trusted/,
      });
      t.match(await service.cli("sandbox", "iphone", `${pass.page}x`), {
        code: 1,
        stderr: /the answer is 404/,
      });
      t.match(await service.cli("sandbox", "iphone", "pass.pkpass"), {
        code: 2,
        stderr: /must be an http address/,
      });
      const until = await service.cli("sandbox", "iphone", pass.page, "--until", "soon");
      t.match(until, { code: 2, stderr: /--until must be voided, updates=N or seconds=N/ });
      const away = await service.cli("sandbox", "iphone", pass.page, "--sandbox-url", "http://127.0.0.1:1");
      t.match(away, { code: 1, stderr: /127\.0\.0\.1:1 does not answer/ });
    });

    t.test("a person sees the pass change, turns it, and deletes it", async (t) => {
      const pass = await newPass();
      const env = { PASSWRIGHT_SANDBOX_URL: sandboxUrl, NO_COLOR: "1" };
      const terminal = openTerminal(t, { columns: 100, rows: 36, env });
      await terminal.shows(/^\$/m);
      terminal.keys(`node bin/run.js sandbox iphone ${pass.page}; echo "left with $?"`, "Enter");
      await terminal.shows(/Beans +1 +[▀▄█][\s\S]*Registered as [0-9a-f]{32}/);
      await pass.update("42");
      await terminal.shows(/Beans +42 [\s\S]*Pushed[\s\S]*Listed[\s\S]*Fetched[\s\S]*Lock screen: .*42/);
      terminal.keys("b");
      await terminal.shows(/· back[\s\S]*Pass number/);
      terminal.keys("u");
      await terminal.shows(/nothing is newer/);
      await pass.revoke();
      await terminal.shows(/VOID[\s\S]*The pass is void now/);
      t.notMatch(
        terminal.screen({ styled: true }),
        new RegExp(`${String.fromCharCode(27)}\\[[0-9;]*3[1-7]m`),
        "no colour",
      );
      terminal.keys("d");
      await terminal.shows(/Deleted, and the service was told\nleft with 0/);
      t.equal(terminal.fact("alternate_on"), "0");
    });
  };
}

/** Somebody else's root, of the name «strange», made by OpenSSL. */
const strangeRoot = `-----BEGIN CERTIFICATE-----
MIIBezCCASGgAwIBAgIUDebMC0bpGgMmc6tOi2VB6/JZsF8wCgYIKoZIzj0EAwIw
EjEQMA4GA1UEAwwHc3RyYW5nZTAgFw0yNjEyMDExMzMxNTRaGA8yMTI2MTEwNzEz
MzE1NFowEjEQMA4GA1UEAwwHc3RyYW5nZTBZMBMGByqGSM49AgEGCCqGSM49AwEH
A0IABMcW4vd+tSpNM0YQDD0+7rJmLJRS/JpJ7wfANcXi6awvld/uV+RiZanH2IKx
37g7XpcN0WOBKME/nGWc3h0l+TCjUzBRMB0GA1UdDgQWBBR7sTERJecLPVXAHKxK
61vFvGt4WjAfBgNVHSMEGDAWgBR7sTERJecLPVXAHKxK61vFvGt4WjAPBgNVHRMB
Af8EBTADAQH/MAoGCCqGSM49BAMCA0gAMEUCIQC70cKOqNoc+VhZw4i2y/ue8fTh
AIeL4IkiBtTivnPNOgIgMuy8zgREh5hp3oHgGqg5rqUiQRSmoX6rUGyQV9uYkqM=
-----END CERTIFICATE-----
`;
