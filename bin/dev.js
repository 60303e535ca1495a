#!/usr/bin/env node
// The `passwright` command straight from src, for development: node strips the types itself, nothing is built.
// Only components (.tsx) come from dist, because stripping does not know JSX: run `npm run build` after
// changing one.

import { readFileSync } from "node:fs";
import { registerHooks } from "node:module";
import { dirname } from "node:path";
import { fileURLToPath } from "node:url";
import { execute, settings } from "@oclif/core";

const root = dirname(dirname(fileURLToPath(import.meta.url)));
const pjson = JSON.parse(readFileSync(new URL("../package.json", import.meta.url), "utf8"));

registerHooks({
  resolve(specifier, context, next) {
    const resolved = next(specifier, context);
    if (!resolved.url.endsWith(".tsx")) return resolved;
    const url = resolved.url.replace("/src/", "/dist/").replace(/\.tsx$/, ".js");
    return { ...resolved, url, format: "module" };
  },
});

settings.enableAutoTranspile = false;
// Not awaited, for the reason given in run.js.
execute({
  loadOptions: {
    root,
    pjson: {
      ...pjson,
      oclif: {
        ...pjson.oclif,
        commands: "./src/commands",
        hooks: { command_not_found: "./src/cli/unknown-command.ts" },
      },
    },
    isRoot: true,
    ignoreManifest: true,
  },
});
