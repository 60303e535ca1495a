// Writes clients/typescript/src/generated from the OpenAPI document, which the same code makes that serves it:
//
//   node scripts/generate-client.mjs           writes what has changed
//   node scripts/generate-client.mjs --check   writes nothing; ends with 1 where something would change

import { spawnSync } from "node:child_process";
import { mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { root } from "./build.mjs";
import { methodsOf } from "./generate-client/methods.mjs";
import { resourceFiles } from "./generate-client/resources.mjs";
import { schemaFile } from "./generate-client/schemas.mjs";
import { runtime } from "./setup.mjs";

const folder = join("clients", "typescript", "src", "generated");
const banner =
  "// Made by scripts/generate-client.mjs from the OpenAPI document. Do not edit: run it again.\n\n";

/** The files by name, as biome formats them. */
async function generate() {
  const { version } = JSON.parse(readFileSync(join(root, "package.json"), "utf8"));
  const { createDocument } = await import("../src/http/openapi/document.ts");
  const { routes } = await import("../src/http/routes.ts");
  // What the caller reads, without the base URL of any one installation.
  const document = createDocument(routes, { baseUrl: "https://passwright.example", version });
  const methods = methodsOf(document);
  const files = {
    "schemas.ts": schemaFile(document, methods),
    ...resourceFiles(document, methods),
    "version.ts": `export const version = ${JSON.stringify(version)};\n`,
  };
  return new Map(Object.entries(files).map(([name, text]) => [name, formatted(name, banner + text)]));
}

function formatted(name, text) {
  const biome = join(root, "node_modules", ".bin", "biome");
  const { status, stdout, stderr } = spawnSync(
    runtime(),
    [biome, "format", "--colors=off", `--stdin-file-path=${join(folder, name)}`],
    { cwd: root, input: text, encoding: "utf8" },
  );
  if (status !== 0) throw new Error(`biome cannot format ${name}:\n${stderr}${text}`);
  return stdout;
}

/** Every file that is not what it would be now; one that would not be there has no text. */
function changes(files) {
  const isThere = new Map();
  mkdirSync(join(root, folder), { recursive: true });
  for (const name of readdirSync(join(root, folder))) {
    isThere.set(name, readFileSync(join(root, folder, name), "utf8"));
  }
  return [...new Set([...files.keys(), ...isThere.keys()])]
    .filter((name) => files.get(name) !== isThere.get(name))
    .map((name) => ({ path: join(folder, name), text: files.get(name) }));
}

async function main(args) {
  const changed = changes(await generate());
  if (args.includes("--check")) {
    for (const { path } of changed) {
      console.error(`${path} is not what the document says now; run: node scripts/generate-client.mjs`);
    }
    return changed.length === 0 ? 0 : 1;
  }
  for (const { path, text } of changed) {
    if (text === undefined) rmSync(join(root, path));
    else writeFileSync(join(root, path), text);
    console.log(`${text === undefined ? "removed" : "wrote"} ${path}`);
  }
  return 0;
}

// The sources are TypeScript, which the shell's own node may not be able to read.
if (process.features.typescript) process.exitCode = await main(process.argv.slice(2));
else process.exitCode = spawnSync(runtime(), process.argv.slice(1), { stdio: "inherit" }).status ?? 1;
