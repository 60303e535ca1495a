import { randomBytes } from "node:crypto";
import t from "tap";
import { createVault } from "../../../src/crypto/vault.ts";
import { openCommands } from "../../support/command.ts";
import { openIssuer } from "../../support/issuer.ts";
import { openStore } from "../../support/store.ts";

t.setTimeout(120_000);

t.test(
  "secrets are sealed under the new key, with counts, a record, and 3 where some cannot be opened",
  async (t) => {
    const [oldKey, newKey] = [randomBytes(32), randomBytes(32)];
    const store = await openStore(t, { partitions: 16 });
    const issuer = await openIssuer({ ...store, vault: createVault([oldKey]) });
    const withKeys = (...keys: Buffer[]) =>
      openCommands(t, store.keys.prefix, {
        PASSWRIGHT_MASTER_KEY: keys.map((key) => key.toString("base64")).join(","),
      });
    const alone = await withKeys(newKey)("secrets rewrap", []);
    t.match(alone, { code: 3, stderr: /Cannot be opened: provider apple of the tenant/ });
    const both = withKeys(newKey, oldKey);
    const dry = await both("secrets rewrap", ["--dry-run", "--json"]);
    t.match(
      [dry.code, dry.json],
      [0, { dry_run: true, secrets: 2, rewrapped: 2, current: 0, complete: true }],
    );
    const done = await both("secrets rewrap", ["--json"]);
    t.match([done.code, done.json], [0, { dry_run: false, rewrapped: 2, unopened: 0 }]);
    t.match((await withKeys(newKey)("secrets rewrap", ["--json"])).json, { current: 2, rewrapped: 0 });
    const said = (await both("audit list", ["--action", "secrets", "--json"])).json;
    t.match(
      said.filter(({ result }: { result: string }) => result === "done"),
      [{ details: { current: 2 } }, { details: { rewrapped: 2 } }, { details: { unopened: 2 } }],
    );
    t.equal(said.length, 6);
    t.ok(issuer.tenantId);
  },
);
