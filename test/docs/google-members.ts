import { join } from "node:path";
import { pathToFileURL } from "node:url";
import t from "tap";
import { reservedGoogleMembers } from "../../src/domain/templates/parsing/google/check-google.ts";
import { root, textOf } from "./markdown.ts";

type Generator = { generatedPart(markdown: string, name: string): string | undefined };
const script = (name: string): string => pathToFileURL(join(root, "scripts", name)).href;
const { generatedPart }: Generator = await import(script("generate-docs.mjs"));
const { membersTable }: { membersTable(): string } = await import(script("google-members-table.mjs"));
const text = textOf("docs/google-members.md") ?? "";

t.test("the table of members is what the service goes by", async (t) => {
  t.equal(
    generatedPart(text, "google-members"),
    membersTable(),
    "`node scripts/generate-google-members.mjs` writes it",
  );
});

t.test("it names what the service writes itself", async (t) => {
  for (const part of Object.values(reservedGoogleMembers)) {
    for (const name of Object.keys(part)) t.ok(text.includes(`\`${name}\``), name);
  }
});
