import { readdirSync } from "node:fs";
import { fileURLToPath } from "node:url";
import t from "tap";
import { readTemplateDirectory } from "../src/cli/template-directory.ts";
import type { Violation } from "../src/domain/errors.ts";
import { dataViolations } from "../src/domain/passes/validate-data.ts";
import { samplePass } from "../src/domain/templates/sample.ts";
import { templateTypes } from "../src/domain/templates/template.ts";
import { instantMs, templateId } from "./domain/fixtures/examples.ts";

const folder = fileURLToPath(new URL("../templates/system/", import.meta.url));
const warnings: Violation[] = [];
const shipped = readdirSync(folder).map((name) =>
  readTemplateDirectory(`${folder}${name}`, (warning) => warnings.push(warning)),
);

/** Width and height of a PNG: its IHDR stands first (RFC 2083 section 4.1.1). */
function sizeOf(png: Uint8Array): [width: number, height: number] {
  const bytes = Buffer.from(png);
  return [bytes.readUInt32BE(16), bytes.readUInt32BE(20)];
}

t.test("there is one system template of each type", async (t) => {
  t.strictSame(shipped.map(({ type }) => type).sort(), [...templateTypes].sort());
  t.equal(new Set(shipped.map((template) => template.name)).size, templateTypes.length);
});

t.test("there is nothing to say about them, not even a warning", async (t) => {
  t.strictSame(warnings, []);
});

for (const template of shipped) {
  const { content, images } = template;

  t.test(
    `${template.type} is for both wallets, with a barcode, an icon and a speaking Placeholder`,
    async (t) => {
      t.strictSame([...template.providers].sort(), ["apple", "google"]);
      t.not(content.barcode, null);
      t.ok(images.has("icon.png"));
      t.ok(images.has("hero.png"), "a picture for Google");
      t.ok(
        content.fields.some(
          ({ kind, change_message }) => kind === "Placeholder" && change_message?.includes("%@"),
        ),
      );
      t.ok(template.description);
    },
  );

  t.test(`${template.type}: its sample is accepted once the tokens are replaced`, async (t) => {
    const { name: _, type, images: __, content: ___, ...rest } = template;
    const owned = { id: templateId, tenantId: null, name: "x", type, status: "active" as const };
    const sample = samplePass({
      template: { ...rest, ...owned, latestVersion: 1, createdAtMs: instantMs },
      version: { templateId, version: 1, createdAtMs: instantMs, content },
      images,
    });
    const filled = Object.entries(sample.data).map(([key, value]) => [
      key,
      value.startsWith("{{") ? "x" : value,
    ]);
    t.strictSame(dataViolations(content, Object.fromEntries(filled)), []);
    t.ok(Object.keys(sample.data).length <= 100, "no more keys than a pass may have");
  });

  t.test(`${template.type}: images are PNG, their @2x and @3x two and three times as large`, async (t) => {
    for (const [name, bytes] of images) {
      t.strictSame([...bytes.subarray(0, 8)], [0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a], name);
      if (!/^[a-z]+\.png$/.test(name) || name === "hero.png") continue;
      for (const scale of [2, 3]) {
        const larger = images.get(name.replace(".png", `@${scale}x.png`));
        t.strictSame(
          larger && sizeOf(larger),
          sizeOf(bytes).map((side) => side * scale),
          `${name} @${scale}x`,
        );
      }
    }
    t.strictSame(sizeOf(images.get("hero.png") ?? new Uint8Array(24)), [1032, 336], "hero.png");
  });

  t.test(
    `${template.type}: all images together stay below 250 kB, since they travel in every pass`,
    async (t) => {
      const total = [...images.values()].reduce((sum, { length }) => sum + length, 0);
      t.ok(total < 250_000, `${total} bytes`);
    },
  );
}
