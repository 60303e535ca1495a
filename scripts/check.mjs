// `npm run check`: everything that a change must satisfy besides the tests, one line each. What a rule of the
// house forbids, a tool forbids here.

import { spawn } from "node:child_process";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { root } from "./build.mjs";
import { runtime } from "./setup.mjs";
import { testEnvironment, testFiles } from "./test.mjs";

const bin = (name) => join(root, "node_modules", ".bin", name);

const checks = [
  {
    name: "types",
    commands: [".", "clients/typescript"].map((project) => [bin("tsc"), "--noEmit", "-p", project]),
  },
  { name: "lint", commands: [[bin("biome"), "ci", "--colors=off"]] },
  { name: "architecture", commands: [["test/architecture.ts"]] },
  { name: "docs", commands: testFiles([join(root, "test", "docs")]).map((file) => [file]) },
];

/** Runs one command on the runtime; resolves to whether it succeeded and everything that it said. */
function run(args) {
  return new Promise((done) => {
    const child = spawn(runtime(), args, {
      cwd: root,
      env: testEnvironment(),
      stdio: ["ignore", "pipe", "pipe"],
    });
    let output = "";
    for (const stream of [child.stdout, child.stderr]) {
      stream.setEncoding("utf8").on("data", (text) => {
        output += text;
      });
    }
    child.on("close", (code) => done({ passed: code === 0, output }));
  });
}

async function main() {
  let allPassed = true;
  for (const { name, commands } of checks) {
    const failures = [];
    for (const command of commands) {
      const { passed, output } = await run(command);
      if (!passed) failures.push(output.trimEnd());
    }
    for (const output of failures) console.error(output);
    console.log(`${name.padEnd(14)}${failures.length === 0 ? "ok" : "FAILED"}`);
    allPassed &&= failures.length === 0;
  }
  return allPassed ? 0 : 1;
}

if (import.meta.url === pathToFileURL(process.argv[1] ?? "").href) process.exitCode = await main();
