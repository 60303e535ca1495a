import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import t, { type Test } from "tap";
import {
  createAuthority,
  type Leaf,
  type LeafOptions,
  openssl,
  passTypeIdentifier,
  teamIdentifier,
} from "../../providers/apple/fixtures/authority.ts";
import { openCommands } from "../../support/command.ts";

const dir = t.testdir();
const authority = createAuthority(dir);
const namesake = createAuthority(dir, { name: "namesake" });
const leaf = (name: string, options: LeafOptions = {}) => authority.leaf(name, { kind: "ec", ...options });
const good = leaf("good");

function file(name: string, content: string): string {
  const path = join(dir, name);
  writeFileSync(path, content);
  return path;
}
const wwdr = file("wwdr.pem", authority.intermediate);
const pair = (name: string, { certificate, key }: Leaf): string[] => [
  ...["--certificate", file(`${name}.given.pem`, certificate), "--key", file(`${name}.given.key`, key)],
];

/** A tenant, and the command; `refused` answers what it says. */
async function opened(t: Test) {
  const run = openCommands(t);
  const { id } = (await run("tenants create", ["--name", "Acme", "--json"])).json;
  const owned = ["--tenant", id];
  const set = (...args: string[]) => run("providers set apple", [...args, ...owned]);
  return {
    run,
    owned,
    set,
    async refused(...args: string[]): Promise<string> {
      const { code, stdout, stderr } = await set(...args);
      return code === 1 && stdout === "" ? stderr : `ended with ${code}: ${stdout}${stderr}`;
    },
    stored: async () => (await run("providers list", [...owned, "--json"])).json,
  };
}

t.test("each thing that is wrong is refused with its flag, what was found and what to do", async (t) => {
  const at = await opened(t);
  const given = (name: string, one: Leaf, ...more: string[]) =>
    at.refused(...pair(name, one), "--wwdr", wwdr, ...more);

  const expired = await given("expired", leaf("expired", { beginsInDays: -400, days: 365 }));
  t.match(
    expired,
    /^Error: --certificate: The certificate expired on \d{4}-.* Renew it at developer\.apple\.com/,
  );
  const early = await given("early", leaf("early", { beginsInDays: 3, days: 365 }));
  t.match(early, /^Error: --certificate: The certificate is not valid before \d{4}-.*clock/);
  const plain = await given(
    "plain",
    leaf("plain", { subject: "/CN=www.example.com", appleExtension: false }),
  );
  t.match(
    plain,
    /--certificate: .*«CN=www\.example\.com».* is not a Pass Type ID certificate: .* Give the one/,
  );
  const twofold = await given("twofold", leaf("twofold", { extension: "pass.other" }));
  t.match(twofold, /--certificate: The certificate contradicts itself about its pass type.*pass\.other/);
  const team = await given("team", good, "--team-id", "ZZZZZZZZZZ");
  t.match(team, /--certificate: The certificate is of the team A1B2C3D4E5, and ZZZZZZZZZZ is expected/);
  const type = await given("type", good, "--pass-type-id", "pass.other");
  t.match(type, /--certificate: .* pass type pass\.example\.loyalty, and pass\.other is expected/);
  const key = await given("key", { ...good, key: leaf("another").key });
  t.match(key, /^Error: --key: The private key does not belong to the certificate\. Give the key/);

  const noWwdr = await at.refused(...pair("no-wwdr", good));
  t.match(
    noWwdr,
    /^Error: --wwdr: No WWDR certificate was given; .*Worldwide Developer Relations.*certificateauthority/,
  );
  const root = await at.refused(...pair("root", good), "--wwdr", join(dir, authority.rootFile));
  t.match(
    root,
    /^Error: --wwdr: The WWDR certificate is not the issuer: .*Relations.*given is .*Example Root/,
  );
  const other = await at.refused(...pair("namesake", good), "--wwdr", join(dir, namesake.intermediateFile));
  t.match(other, /^Error: --wwdr: .*issuer's name, but its key did not sign the certificate\. Give that one/);
  t.strictSame(await at.stored(), [], "nothing of all that is stored");
});

t.test("a wrong passphrase is refused, of a key and of a .p12", async (t) => {
  const at = await opened(t);
  const [, certificate = "", , key = ""] = pair("secret", good);
  const [right, wrong] = [file("right.txt", "correct horse\n"), file("wrong.txt", "hunter2hunter2\n")];
  openssl(dir, "pkcs8", "-topk8", "-in", key, "-out", "locked.key", "-passout", "pass:correct horse");
  openssl(
    dir,
    ...["pkcs12", "-export", "-in", certificate, "-inkey", key, "-out", "pass.p12"],
    ...["-passout", "pass:correct horse"],
  );
  const locked = ["--certificate", certificate, "--key", join(dir, "locked.key"), "--wwdr", wwdr];
  const p12 = ["--p12", join(dir, "pass.p12"), "--wwdr", wwdr];
  for (const [name, args] of [
    ["the key", locked],
    ["the .p12", p12],
  ] as const) {
    const refused = await at.refused(...args, "--key-passphrase-file", wrong);
    t.match(refused, /^Error: --key-passphrase-file: The passphrase does not open .*\. Give/, name);
    t.notMatch(refused, /hunter2/);
  }
  t.match(
    await at.refused(...locked),
    /^Error: --key-passphrase-file: .*encrypted, and no passphrase was given/,
  );
  t.match(await at.refused(...p12), /^Error: --p12: .*has a passphrase, and none was given/);
  t.strictSame(await at.stored(), []);
  for (const args of [locked, p12]) {
    const { code, stderr } = await at.set(...args, "--key-passphrase-file", right);
    t.equal(code, 0, stderr);
  }
});

t.test("of several intermediates the one that issued the certificate is picked", async (t) => {
  const at = await opened(t);
  const root = readFileSync(join(dir, authority.rootFile), "utf8");
  const several = file("several.pem", [root, namesake.intermediate, authority.intermediate].join(""));
  const { code, stderr } = await at.set(
    ...pair("several", good),
    "--wwdr",
    several,
    "--team-id",
    teamIdentifier,
  );
  t.equal(code, 0, stderr);
  t.match(await at.stored(), [{ pass_type_identifier: passTypeIdentifier, team_identifier: teamIdentifier }]);
});

t.test("what is there stays when its successor is refused, or is of another pass type", async (t) => {
  const at = await opened(t);
  t.equal((await at.set(...pair("first", good), "--wwdr", wwdr)).code, 0);
  const before = await at.stored();
  const subject = "/UID=pass.example.other/CN=Pass Type ID: pass.example.other/OU=A1B2C3D4E5";
  const other = leaf("other-type", { subject, extension: "pass.example.other" });
  const args = [...pair("other-type", other), "--wwdr", wwdr];
  const refused = await at.refused(...args);
  t.match(
    refused,
    /pass type pass\.example\.other, and pass\.example\.loyalty is expected: passes that are on phones/,
  );
  t.match(refused, /say --pass-type-id pass\.example\.other if that is what you want/);
  t.strictSame(await at.stored(), before);
  t.equal((await at.set(...args, "--pass-type-id", "pass.example.other")).code, 0);
  t.match(await at.stored(), [{ pass_type_identifier: "pass.example.other" }]);
});

t.test("with --json a refusal names the flag as the path", async (t) => {
  const at = await opened(t);
  const { code, json } = await at.set(
    ...pair("json", { ...good, key: leaf("json-other").key }),
    "--wwdr",
    wwdr,
    "--json",
  );
  t.equal(code, 1);
  t.match(json, { error: "invalid_configuration", details: [{ path: "--key", message: /does not belong/ }] });
});
