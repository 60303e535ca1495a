import { execFileSync } from "node:child_process";
import { mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import t from "tap";
import { readTemplateDirectory } from "../../src/cli/template-directory.ts";
import { violationsOf } from "../domain/fixtures/refusal.ts";
import { soundDocument } from "../domain/templates/fixtures/authored.ts";
import { icons, pngOf } from "../domain/templates/fixtures/png.ts";

const root = t.testdir();
const outside = join(root, "outside.png");
writeFileSync(outside, pngOf(38, 38));

/** A sound template directory, changed before it is read. */
function directory(change: (folder: string) => void = () => {}): string {
  const folder = mkdtempSync(join(root, "template-"));
  write(folder, "template.json", JSON.stringify(soundDocument));
  for (const [name, bytes] of icons()) write(folder, `images/${name}`, bytes);
  change(folder);
  return folder;
}

function write(folder: string, name: string, content: string | Uint8Array): void {
  mkdirSync(dirname(join(folder, name)), { recursive: true });
  writeFileSync(join(folder, name), content);
}

const put = (name: string, content: string | Uint8Array) => (folder: string) => write(folder, name, content);
const link = (name: string, target: string) => (folder: string) => {
  rmSync(join(folder, name), { recursive: true, force: true });
  mkdirSync(dirname(join(folder, name)), { recursive: true });
  symlinkSync(target, join(folder, name));
};

/** Every error and warning of a directory, `path message` each. */
async function toldOf(folder: string): Promise<{ errors: string[]; warnings: string[] }> {
  const warnings: string[] = [];
  const read = () =>
    readTemplateDirectory(folder, ({ path, message }) => warnings.push(`${path} ${message}`));
  try {
    read();
    return { errors: [], warnings };
  } catch {
    warnings.length = 0;
    return { errors: await violationsOf(read), warnings };
  }
}

t.test("a directory is read with its images, those of a language under its folder", async (t) => {
  const folder = directory((at) => {
    write(at, "images/fr.lproj/hero.png", pngOf(1032, 336));
    write(at, "images/.DS_Store", "not read");
    write(at, "notes.txt", "not read");
  });
  const { name, images } = readTemplateDirectory(folder);
  t.equal(name, "Card");
  t.strictSame([...images.keys()], ["fr.lproj/hero.png", "icon.png", "icon@2x.png", "icon@3x.png"]);
  t.same(images.get("icon.png"), pngOf(38, 38));
  t.strictSame(await toldOf(folder), { errors: [], warnings: [] });
});

// biome-ignore format: read as a table
const refused: [name: string, change: (folder: string) => void, expected: string][] = [
  ["an image that is a link to elsewhere", link("images/icon.png", outside), "images/icon.png is a symbolic link out of the template's directory: copy the file here instead"],
  ["a link by a way round",               link("images/hero.png", "../../outside.png"), "images/hero.png is a symbolic link out of the template's directory: copy the file here instead"],
  ["images that are a link to elsewhere", link("images", "/usr"),            "images is a symbolic link out of the template's directory: copy the file here instead"],
  ["a language that is elsewhere",        link("images/fr.lproj", "/usr"),   "images/fr.lproj is a symbolic link out of the template's directory: copy the file here instead"],
  ["a link to nothing",                   link("images/hero.png", "gone.png"), "images/hero.png cannot be read: there is no such file"],
  ["a link to itself",                    link("images/hero.png", "hero.png"), "images/hero.png cannot be read: its symbolic links go in a circle"],
  ["a pipe",                              (folder) => execFileSync("mkfifo", [join(folder, "images/hero.png")]), "images/hero.png is no regular file"],
  ["images that are a file",              (folder) => { rmSync(join(folder, "images"), { recursive: true }); write(folder, "images", ""); }, "images must be a folder"],
  ["a folder in a language's",            put("images/fr.lproj/old/hero.png", ""), "images/fr.lproj/old is a folder within a language's folder: move its files up"],
  ["a file above the limit",              put("images/hero.png", Buffer.alloc(2 * 1024 * 1024 + 1)), "images/hero.png is larger than 2 MiB (2097152 bytes): make it smaller"],
  ["JSON with a mistake",                 put("template.json", '{\n  "name": "Card",\n}\n'), "template.json:3:1 is not JSON: a name in double quotes belongs here, and there is }: remove the comma before it"],
  ["an empty template.json",              put("template.json", ""), "template.json:1:1 is not JSON: a value belongs here, and there is the end of the file"],
  ["a member that stands twice",          put("template.json", JSON.stringify(soundDocument).replace('"name"', '"name":"Old","name"')), "template.json#/name stands twice in its object, again in line 1: remove one"],
  ["a template.json in Latin-1",          put("template.json", Buffer.from('{"name":"\xe9"}', "latin1")), "template.json is not UTF-8: save it as UTF-8"],
];

for (const [name, change, expected] of refused) {
  t.test(`${name}: refused, and nothing else is`, async (t) => {
    const { errors } = await toldOf(directory(change));
    const withoutIcon = errors.filter((error) => !error.startsWith("images/icon.png is missing"));
    t.strictSame(withoutIcon, [expected]);
    t.equal(
      errors.length - withoutIcon.length,
      expected.startsWith("images ") ? 1 : 0,
      "the icon, where none was read",
    );
  });
}

t.test("a template.json that cannot be read is named by its whole path", async (t) => {
  const without = (folder: string): void => rmSync(join(folder, "template.json"));
  const missing = directory(without);
  const path = (folder: string): string => join(folder, "template.json");
  t.strictSame((await toldOf(missing)).errors, [`${path(missing)} cannot be read: there is no such file`]);
  const nowhere = join(root, "nowhere");
  t.strictSame((await toldOf(nowhere)).errors, [`${path(nowhere)} cannot be read: there is no such file`]);
  const linked = directory(link("template.json", "/etc/passwd"));
  t.match((await toldOf(linked)).errors, [
    `${path(linked)} is a symbolic link out of the template's directory`,
  ]);
  const folder = directory((at) => {
    without(at);
    mkdirSync(path(at));
  });
  t.strictSame((await toldOf(folder)).errors, [`${path(folder)} is no regular file`]);
  const large = directory(put("template.json", " ".repeat(1024 * 1024 + 1)));
  t.strictSame((await toldOf(large)).errors, [
    `${path(large)} is larger than 1 MiB: a template is far smaller`,
  ]);
});

t.test("mistakes of the images are named beside those of a template.json that is no JSON", async (t) => {
  const folder = directory((at) => {
    write(at, "template.json", "{");
    write(at, "images/hero.png", "GIF89a");
    write(at, "images/icon.png", pngOf(29, 29));
  });
  t.strictSame(await toldOf(folder), {
    errors: [
      "template.json:1:2 is not JSON: a name in double quotes belongs here, and there is the end of the file",
      "images/hero.png is no PNG but a GIF: save it as one",
    ],
    warnings: ["images/icon.png is 29 x 29 pixels, and must be exactly 38 x 38: draw it anew"],
  });
});

t.test("a link within the directory is as good as a file, and so is a byte order mark", async (t) => {
  const folder = directory((at) => {
    write(at, "drawn/banner.png", pngOf(1032, 336));
    link("images/hero.png", "../drawn/banner.png")(at);
    write(at, "template.json", `\ufeff${JSON.stringify(soundDocument)}`);
  });
  t.strictSame(await toldOf(folder), { errors: [], warnings: [] });
  t.ok(readTemplateDirectory(folder).images.has("hero.png"));
});

t.test("pictures beside template.json are not overlooked in silence", async (t) => {
  const folder = directory((at) => {
    write(at, "logo.png", pngOf(160, 50));
    write(at, "fr.lproj/pass.strings", "");
  });
  t.strictSame(await toldOf(folder), {
    errors: [],
    warnings: [
      "fr.lproj stands beside template.json, and is left out: move it into images/",
      "logo.png stands beside template.json, and is left out: move it into images/",
    ],
  });
});
