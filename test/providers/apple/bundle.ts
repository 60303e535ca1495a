import { randomBytes } from "node:crypto";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import t from "tap";
import { buildBundle, prepareTemplateParts } from "../../../src/providers/apple/bundle.ts";
import { listWithPython, sha1sums, unpack } from "./fixtures/archive.ts";
import { images, png } from "./fixtures/pass-to-issue.ts";

// What is signed is checked elsewhere; here the signature is the manifest itself, so that it can be compared.
const sign = async (manifest: Buffer) => manifest;
const bundleOf = async (files: ReadonlyMap<string, Uint8Array>) =>
  Buffer.concat(
    await buildBundle(await prepareTemplateParts(files), Buffer.from('{"a":1}'), { sign, signingTimeMs: 0 }),
  );

t.test("the manifest names every other file with the SHA-1 that sha1sum computes", async (t) => {
  const files = images().set("strip@3x.png", randomBytes(1_500_000));
  const folder = unpack(t.testdir(), "out", await bundleOf(files));
  const manifest = readFileSync(join(folder, "manifest.json"));
  t.strictSame(JSON.parse(manifest.toString()), sha1sums(folder));
  t.ok(readFileSync(join(folder, "signature")).equals(manifest), "exactly the manifest's bytes were signed");
});

t.test(
  "files stand at the root, language folders below it, and Google's hero image is left out",
  async (t) => {
    const files = images().set("it.lproj/hero.png", png(9)).set("hero@2x.png", png(9));
    const paths = listWithPython(t.testdir(), await bundleOf(files)).map(({ path }) => path);
    t.strictSame(paths.toSorted(), [
      "icon.png",
      "icon@2x.png",
      "it.lproj/logo.png",
      "it.lproj/pass.strings",
      "logo.png",
      "manifest.json",
      "pass.json",
      "signature",
    ]);
  },
);

t.test("a template without an icon is rejected, since Wallet would", async (t) => {
  const files = new Map([...images()].filter(([path]) => !path.startsWith("icon")));
  files.set("it.lproj/icon.png", png(38));
  await t.rejects(prepareTemplateParts(files), {
    code: "provider_rejected",
    detail: /no icon\.png/,
  });
  await t.resolves(prepareTemplateParts(files.set("icon@3x.png", png(114))));
});

t.test("paths that leave the folder or take the place of our own files are rejected", async (t) => {
  const odd = [
    ...[
      "../icon.png",
      "/etc/passwd",
      "a//b.png",
      "a/./b.png",
      "a/..",
      "a\\b.png",
      "",
      "a/",
      "C:x.png",
      "a\u0000b",
    ],
    ...["pass.json", "manifest.json", "signature"],
  ];
  for (const path of odd) {
    const files = images().set(path, png(1));
    await t.rejects(prepareTemplateParts(files), { code: "provider_rejected" }, JSON.stringify(path));
  }
  await t.resolves(prepareTemplateParts(images().set("zh-Hant.lproj/..logo.png", png(1))));
});
