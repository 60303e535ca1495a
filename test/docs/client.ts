import { spawnSync } from "node:child_process";
import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import t from "tap";
import { fencesOf, root, textOf } from "./markdown.ts";

const readme = "clients/typescript/README.md";

/** Without what tap hooks into every node that a test starts, which the compiler does not bear. */
function run(...args: string[]): { status: number | null; output: string } {
  const command = ["-u", "NODE_OPTIONS", process.execPath, ...args];
  const { status, stdout, stderr } = spawnSync("env", command, { cwd: root, encoding: "utf8" });
  return { status, output: stdout + stderr };
}

const tsc = (...args: string[]) => run(join("node_modules", "typescript", "bin", "tsc"), ...args);
const success = { status: 0, output: "" };

/** What the examples take for granted; the first one that makes `passwright` shows how. */
const given = `
import type { Passwright } from "@passwright/client";
declare const passwright: Passwright;
declare const id: string, templateId: string, webhookSecret: string, previousSecret: string;
declare const request: Request;
`;

t.test("what is generated of the client is what the document says now", async (t) => {
  t.strictSame(run("scripts/generate-client.mjs", "--check"), success);
});

t.test("every example of the client's README compiles", async (t) => {
  const examples = fencesOf(textOf(readme) ?? "").filter(({ language }) => language === "ts");
  t.ok(examples.length > 6);
  const folder = t.testdir();
  mkdirSync(join(folder, "examples"));
  for (const { text, line } of examples) {
    const code = text.includes("= createPasswright(") ? text : `${text}${given}`;
    writeFileSync(join(folder, "examples", `line-${line}.ts`), `${code}\nexport {};\n`);
  }
  const compilerOptions = {
    types: ["node"],
    typeRoots: [join(root, "node_modules", "@types")],
    // An example may show a function without calling it, and takes what it does not use.
    noUnusedLocals: false,
    paths: { "@passwright/client": [join(root, "clients", "typescript", "src", "index.ts")] },
  };
  const config = join(folder, "tsconfig.json");
  const base = join(root, "clients", "typescript", "tsconfig.json");
  writeFileSync(config, JSON.stringify({ extends: base, compilerOptions, include: ["examples"] }));
  t.strictSame(tsc("--noEmit", "-p", config), success);
});

t.test("the package compiles, imports nothing, and exports what its README speaks of", async (t) => {
  const outDir = join(t.testdir(), "dist");
  t.strictSame(tsc("-p", "clients/typescript/tsconfig.build.json", "--outDir", outDir), success);
  writeFileSync(join(outDir, "package.json"), '{"type":"module"}');
  const built = await import(join(outDir, "index.js"));
  t.strictSame(Object.keys(built).sort(), [
    "PasswrightError",
    "PasswrightJobError",
    "WebhookVerificationError",
    "createPasswright",
    "verifyWebhook",
  ]);
  const own = JSON.parse(textOf("clients/typescript/package.json") ?? "");
  const service = JSON.parse(textOf("package.json") ?? "");
  t.equal(own.version, service.version, "one version for both");
  t.notOk("dependencies" in own);
});
