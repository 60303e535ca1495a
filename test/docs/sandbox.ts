import { globSync, readFileSync } from "node:fs";
import { join } from "node:path";
import t from "tap";
import { flaws } from "../../src/sandbox/google/callback-message.ts";
import { magicWords } from "../../src/sandbox/google/magic.ts";
import { root, textOf } from "./markdown.ts";

const text = textOf("docs/sandbox.md") ?? "";
const control = join(root, "src", "sandbox", "control");
const sources = globSync("*.ts", { cwd: control }).map((file) => readFileSync(join(control, file), "utf8"));

t.test("docs/sandbox.md has every route of the control API", async (t) => {
  const routes = sources.flatMap((source) => [
    ...[...source.matchAll(/\[\s*"(GET|POST|PATCH|DELETE)",\s*"(\/[^"]*)"/g)].map(
      ([, method, path]) => `${method} ${path}`,
    ),
    ...[...source.matchAll(/faultRoutes\("(\/[^"]*)"/g)].map(([, path]) => String(path)),
  ]);
  t.ok(routes.length > 25, `${routes.length} routes are found`);
  for (const route of routes) t.ok(text.includes(`\`${route}\``), route);
});

t.test(
  "docs/sandbox.md has every flaw of a call-back, and every fault that a pass can ask for",
  async (t) => {
    for (const word of [...flaws, ...magicWords]) t.ok(text.includes(`\`${word}\``), word);
  },
);
