#!/usr/bin/env node
// The `passwright` command: oclif on the compiled tree. Kept to what every Node since 18 understands, so that
// an older one gets as far as handing over to the runtime that came with the dependencies.

import { spawn } from "node:child_process";
import { existsSync } from "node:fs";
import module from "node:module";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";

const oldestMajor = 22;
const root = dirname(dirname(fileURLToPath(import.meta.url)));

if (Number.parseInt(process.versions.node, 10) < oldestMajor) {
  const runtime = join(root, "node_modules", "node", "bin", "node");
  if (existsSync(runtime)) handOverTo(runtime);
  else refuse(`needs Node ${oldestMajor} or newer, and this is ${process.version}. Run: npm ci`);
} else if (!existsSync(join(root, "dist", "commands"))) {
  refuse("is not built yet. Run: npm run build");
} else {
  // Read by uWebSockets.js when it is loaded: an access token alone may have some thousand bytes.
  process.env.UWS_HTTP_MAX_HEADERS_SIZE ??= "16384";
  // What V8 compiled is kept beside the code, and not in the system's folder for everybody's temporary files; where
  // that cannot be written, it is compiled anew each time.
  module.enableCompileCache(join(root, "node_modules", ".cache", "passwright"));
  const { execute } = await import("@oclif/core");
  // Not awaited: where the reader of a pipe has gone (`| head`), oclif's last flush never settles.
  execute({ dir: import.meta.url });
}

function refuse(why) {
  console.error(`passwright ${why}`);
  process.exitCode = 1;
}

/** Becomes, as far as a process can, the same command under another node: same streams, signals and end. */
function handOverTo(runtime) {
  const child = spawn(
    runtime,
    [...process.execArgv, fileURLToPath(import.meta.url), ...process.argv.slice(2)],
    {
      stdio: "inherit",
    },
  );
  // The terminal's Ctrl-C reaches the whole group; passing it on would make it two.
  const atTerminal = Boolean(process.stdin.isTTY);
  process.on("SIGINT", () => atTerminal || child.kill("SIGINT"));
  process.on("SIGTERM", () => child.kill("SIGTERM"));
  process.on("SIGHUP", () => child.kill("SIGHUP"));
  child.on("error", (error) => refuse(`could not start ${runtime}: ${error.message}`));
  child.on("exit", (code, signal) => {
    if (signal === null) process.exit(code);
    process.removeAllListeners(signal);
    process.kill(process.pid, signal);
  });
}
