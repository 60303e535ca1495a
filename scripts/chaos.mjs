// Kills, freezes and cuts everything while work is accepted, and looks afterwards whether a promise was broken:
//
//   npm run chaos -- --operations 20000 --seed 7
//
// docs/reliability.md says what it does. Runs on the built tree and the machine's redis-server.

import { chaos } from "../test/chaos/command-line.ts";
import { root } from "./build.mjs";
import { findRedisServer } from "./setup.mjs";

const { path } = findRedisServer();
if (path === undefined) {
  console.error("chaos: there is no redis-server; run: node scripts/setup.mjs --redis");
  process.exitCode = 1;
} else {
  process.exitCode = await chaos(process.argv.slice(2), { redisServer: path, tree: root });
}
