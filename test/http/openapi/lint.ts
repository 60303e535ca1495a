import { spawn } from "node:child_process";
import { copyFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import t from "tap";
import { openApi } from "../../support/api.ts";

// Linters start slowly where processors are busy.
t.setTimeout(300_000);

const bin = fileURLToPath(new URL("../../../node_modules/.bin/", import.meta.url));

/** A folder with the document as it is served, and the rules beside it: Spectral takes paths from there. */
async function served(): Promise<string> {
  // A linter refuses the names that are reserved for examples.
  const { url } = await openApi(t, { baseUrl: "https://passes.acme.test" });
  const folder = t.testdir();
  writeFileSync(join(folder, "openapi.json"), await (await fetch(`${url}/openapi.json`)).text());
  for (const rules of ["spectral.yaml", "redocly.yaml"]) {
    copyFileSync(new URL(rules, import.meta.url), join(folder, rules));
  }
  return folder;
}

function run(program: string, args: string[], cwd: string): Promise<{ code: number | null; output: string }> {
  const env = { ...process.env, REDOCLY_TELEMETRY: "off", REDOCLY_SUPPRESS_UPDATE_NOTICE: "true" };
  const child = spawn(process.execPath, [join(bin, program), ...args], {
    cwd,
    env,
    stdio: ["ignore", "pipe", "pipe"],
  });
  let output = "";
  for (const stream of [child.stdout, child.stderr]) {
    stream.setEncoding("utf8").on("data", (text) => {
      output += text;
    });
  }
  return new Promise((resolve) => child.on("close", (code) => resolve({ code, output })));
}

const spectral = [
  "lint",
  "openapi.json",
  "--ruleset",
  "spectral.yaml",
  "--fail-severity",
  "hint",
  "--format",
  "text",
];
const redocly = ["lint", "openapi.json", "--config", "redocly.yaml", "--format", "json"];
const folder = await served();

t.test("Spectral finds nothing, by its own rules and by those after OWASP", async (t) => {
  const { code, output } = await run("spectral", spectral, folder);
  t.equal(code, 0, output);
  t.match(output, /No results with a severity of 'hint' or higher found/);
});

t.test("Redocly finds nothing by its strict rules", async (t) => {
  const { code, output } = await run("redocly", redocly, folder);
  t.equal(code, 0, output);
  t.match(output, /"problems": \[\]/);
});

t.test("both find what is wrong", async (t) => {
  const document = await import(join(folder, "openapi.json"), { with: { type: "json" } });
  const broken = structuredClone(document.default);
  delete broken.paths["/api/v1/jobs/{id}"].get.operationId;
  delete broken.components.schemas.Violation.properties.message.contentMediaType;
  const faulty = t.testdir({ "openapi.json": JSON.stringify(broken) });
  for (const rules of ["spectral.yaml", "redocly.yaml"]) {
    copyFileSync(new URL(rules, import.meta.url), join(faulty, rules));
  }
  const [bySpectral, byRedocly] = [
    await run("spectral", spectral, faulty),
    await run("redocly", redocly, faulty),
  ];
  t.match(bySpectral.output, /operation-operationId/);
  t.match(bySpectral.output, /string-restricted/);
  t.not(bySpectral.code, 0);
  t.match(byRedocly.output, /operation-operationId/);
  t.not(byRedocly.code, 0);
});
