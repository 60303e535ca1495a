import { spawnSync } from "node:child_process";
import { existsSync, readFileSync } from "node:fs";
import { homedir } from "node:os";
import { join } from "node:path";
import t from "tap";
import { root } from "./markdown.ts";

/** Where packages come from is the business of whoever installs: their npm configuration names it. */
const registryHosts = /\bregistry\.(?:npmjs\.org|yarnpkg\.com|npmmirror\.com)\b|\bnpm\.pkg\.github\.com\b/;
const registryOfThisRun = hostOf(process.env.npm_config_registry);

/** Folders that a document may name, because a server has them too. */
const commonFolders = /^\/(?:srv|opt|usr|var|etc|app|tmp)?(?:\/|$)/;
const foldersOfThisMachine = [root.replace(/\/$/, ""), homedir()].filter(
  (path) => !commonFolders.test(`${path}/`),
);

function hostOf(url: string | undefined): string | undefined {
  return url === undefined || !URL.canParse(url) ? undefined : new URL(url).hostname;
}

/** What a text says that only holds where it was written. */
function localFacts(text: string, folders: readonly string[], registry: string | undefined): string[] {
  return text
    .split("\n")
    .flatMap((line, index) => [
      ...(registryHosts.test(line) || (registry !== undefined && line.includes(registry))
        ? [`${index + 1}: names a package registry`]
        : []),
      ...(folders.some((folder) => line.includes(`${folder}/`)) || /\/(?:home|Users)\/[\w.-]+\//.test(line)
        ? [`${index + 1}: names a folder of one machine`]
        : []),
    ]);
}

t.test("no file names a package registry or a folder of one machine", async (t) => {
  const list = spawnSync("git", ["ls-files", "--cached", "--others", "--exclude-standard", "-z"], {
    cwd: root,
    encoding: "utf8",
  });
  if (list.status !== 0) return t.pass("there is nothing to compare", { skip: "this is no git checkout" });
  const files = [...new Set(list.stdout.split("\0"))].filter(
    (file) => file !== "" && existsSync(join(root, file)),
  );
  t.ok(files.includes("package.json"));
  const found = files.flatMap((file) => {
    const text = readFileSync(join(root, file), "utf8");
    if (text.includes("\0")) return [];
    return localFacts(text, foldersOfThisMachine, registryOfThisRun).map((fact) => `${file}:${fact}`);
  });
  return t.strictSame(found, []);
});

t.test("a registry's host and a machine's folder are caught", async (t) => {
  const host = ["registry", "npmjs", "org"].join(".");
  t.strictSame(localFacts(`fine\n"resolved": "https://${host}/x"`, [], undefined), [
    "2: names a package registry",
  ]);
  t.strictSame(localFacts("see packages.example.test", [], "packages.example.test"), [
    "1: names a package registry",
  ]);
  t.strictSame(localFacts("in /build/tree/src", ["/build/tree"], undefined), [
    "1: names a folder of one machine",
  ]);
  t.strictSame(localFacts(`in ${["", "home", "ada", "src"].join("/")}`, [], undefined), [
    "1: names a folder of one machine",
  ]);
  t.strictSame(localFacts("in /etc/passwright/env and /home/ of everybody", [], undefined), []);
});
