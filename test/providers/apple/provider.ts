import { createPublicKey } from "node:crypto";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { PKPass } from "passkit-generator";
import t from "tap";
import { systemClock } from "../../../src/domain/clock.ts";
import { type AppleProvider, createAppleProvider } from "../../../src/providers/apple/provider.ts";
import {
  listWithPython,
  printSignature,
  readJson,
  sha1sums,
  unpack,
  verifyWithOpenssl,
} from "./fixtures/archive.ts";
import { createAuthority } from "./fixtures/authority.ts";
import { credentialsOf, passToIssue } from "./fixtures/pass-to-issue.ts";

const dir = t.testdir();
const authority = createAuthority(dir);
const root = join(dir, authority.rootFile);
const rsa = credentialsOf(authority, authority.leaf("rsa"));
const ec = credentialsOf(authority, authority.leaf("ec", { kind: "ec" }));
const signal = new AbortController().signal;
const provider = createAppleProvider({ clock: systemClock });
t.teardown(() => provider.close());

async function build(by: AppleProvider, ...what: Parameters<AppleProvider["build"]>): Promise<Buffer> {
  return Buffer.concat(await by.build(...what));
}

t.test("a built pass is whole: archive, manifest, signature and content agree", async (t) => {
  for (const credentials of [rsa, ec]) {
    const archive = await build(provider, passToIssue(), credentials);
    const folder = unpack(t.testdir(), "out", archive);
    t.doesNotThrow(() => verifyWithOpenssl(folder, root));
    t.match(printSignature(folder), /UTCTIME:Apr {2}6 07:08:09 2031 GMT/, "signed at the version's time");
    t.strictSame(readJson(folder, "manifest.json"), sha1sums(folder));
    t.match(readJson(folder, "pass.json"), { storeCard: { primaryFields: [{ value: "Ada Lovelace" }] } });
    const paths = listWithPython(t.testdir(), archive).map(({ path }) => path);
    t.ok(paths.every((path) => !path.includes("hero") && !path.startsWith("/")));
  }
});

t.test("passkit-generator reads a built pass and finds nothing to object to", async (t) => {
  const dir = t.testdir();
  const archive = await build(provider, passToIssue(), rsa);
  const folder = unpack(dir, "out", archive);
  const files = listWithPython(dir, archive).map(({ path }): [string, Buffer] => [
    path,
    readFileSync(join(folder, path)),
  ]);
  const { certificate, key, wwdr } = rsa;
  const read = new PKPass(Object.fromEntries(files), { signerCert: certificate, signerKey: key, wwdr });
  t.equal(read.type, "storeCard");
  t.match(read.props, { serialNumber: passToIssue().pass.id, backgroundColor: "rgb(10, 128, 255)" });
  t.match([...read.headerFields], [{ key: "points", value: "120", changeMessage: "Now %@ points" }]);
  t.match(read.props.barcodes, [{ format: "PKBarcodeFormatQR", message: "M-customer-17" }]);
  t.ok(read.getAsBuffer().length > 0);
});

t.test("issuing proves that the file can be built, and says where a person fetches it", async (t) => {
  t.strictSame(await provider.issue(passToIssue(), rsa, signal), {
    saveLink: "/p/q7Zt0Vh3Tn2mXc8LrY5kWg/pass.pkpass",
  });
  await t.rejects(provider.issue(passToIssue({ templateVersion: 8, images: new Map() }), rsa, signal), {
    code: "provider_rejected",
  });
  await t.rejects(provider.issue(passToIssue(), rsa, AbortSignal.abort(new Error("stop"))), {
    message: "stop",
  });
});

t.test("the same version gives the same bytes, also from another process's caches", async (t) => {
  const first = await build(provider, passToIssue(), rsa);
  const fresh = createAppleProvider({ clock: { nowMs: () => Date.now() + 86_400_000 } });
  t.ok((await build(provider, passToIssue(), rsa)).equals(first));
  t.ok((await build(fresh, passToIssue(), { ...rsa })).equals(first));
  t.notOk((await build(fresh, passToIssue({ voided: true }), rsa)).equals(first));
  await fresh.close();
});

t.test("passes built at the same time with several credentials do not mix", async (t) => {
  const jobs = Array.from({ length: 12 }, (_, i) => ({
    job: passToIssue({ pass: { id: `serial-${i}`, data: { name: `Name ${i}` } } }),
    credentials: i % 2 === 0 ? rsa : ec,
  }));
  const archives = await Promise.all(jobs.map(({ job, credentials }) => build(provider, job, credentials)));
  const dir = t.testdir();
  for (const [i, archive] of archives.entries()) {
    const folder = unpack(dir, `out-${i}`, archive);
    t.match(readJson(folder, "pass.json"), { serialNumber: `serial-${i}` });
    t.strictSame(readJson(folder, "manifest.json"), sha1sums(folder));
    t.doesNotThrow(() => verifyWithOpenssl(folder, root));
  }
});

t.test(
  "a renewed certificate is used at once, and never seems to have signed before it was valid",
  async (t) => {
    const renewed = credentialsOf(authority, authority.leaf("renewed"));
    const job = passToIssue({ pass: { updatedAtMs: Date.UTC(2020, 0, 1) } });
    const before = await build(provider, job, rsa);
    const after = await build(provider, job, renewed);
    t.notOk(after.equals(before));
    t.ok((await build(provider, job, renewed)).equals(after));
    const printed = printSignature(unpack(t.testdir(), "out", after));
    const signedAt = Date.parse(
      /UTCTIME:(.*GMT)/.exec(printed.slice(printed.indexOf("signingTime")))?.[1] ?? "",
    );
    const validFrom = /notBefore: (.*GMT)/g;
    for (const [, date = ""] of printed.matchAll(validFrom)) t.ok(signedAt >= Date.parse(date), date);
    t.ok(signedAt <= Date.now());
  },
);

t.test("credentials that cannot sign are told from everything else", async (t) => {
  const rejected = { code: "provider_credentials_invalid" };
  const refuses = (changes: Partial<typeof rsa>, detail: RegExp) =>
    t.rejects(build(provider, passToIssue(), { ...rsa, ...changes }), { ...rejected, detail });
  await refuses({ certificate: "nonsense" }, /certificate cannot be read/);
  await refuses({ wwdr: "" }, /certificate cannot be read/);
  await refuses({ key: "nonsense" }, /not a private key/);
  await refuses({ key: ec.key }, /does not belong/);
  await refuses(
    { key: createPublicKey(rsa.key).export({ format: "pem", type: "spki" }).toString() },
    /not a private/,
  );
  await refuses({ passTypeIdentifier: "pass.other" }, /another pass type identifier/);
  await refuses({ teamIdentifier: "OTHER" }, /another pass type identifier or team/);
  await t.resolves(build(provider, passToIssue(), rsa), "and the good ones still work");
});

t.test("an expired certificate signs nothing, and the date is said", async (t) => {
  const expired = (days: number) =>
    createAppleProvider({ clock: { nowMs: () => Date.now() + days * 86_400_000 } });
  await t.rejects(build(expired(366), passToIssue(), rsa), {
    code: "provider_credentials_invalid",
    detail: /Apple certificate expired on 20\d\d-/,
  });
  await t.rejects(build(expired(-2), passToIssue(), rsa), {
    code: "provider_credentials_invalid",
    detail: /is not valid before/,
  });
});

t.test("caches too small for one entry only cost time", async (t) => {
  const tiny = createAppleProvider({ clock: systemClock, templateCacheBytes: 1, credentialsCacheEntries: 1 });
  for (const credentials of [rsa, ec, rsa]) {
    const folder = unpack(t.testdir(), "out", await build(tiny, passToIssue(), credentials));
    t.doesNotThrow(() => verifyWithOpenssl(folder, root));
  }
  await tiny.close();
});
