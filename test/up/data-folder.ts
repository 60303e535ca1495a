import { spawn } from "node:child_process";
import { once } from "node:events";
import { existsSync, readdirSync, readFileSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import t from "tap";
import { openDataFolder } from "../../src/up/data-folder.ts";
import { refusalOf } from "../domain/fixtures/refusal.ts";

const root = t.testdir();
const modeOf = (path: string): string => (statSync(path).mode & 0o777).toString(8);

/** Another process that listens on a folder's socket as `up` does, and ends by SIGKILL. */
async function killedHolder(folder: string): Promise<void> {
  const script = `require("node:net").createServer().listen(${JSON.stringify(join(folder, "up.sock"))}, () => console.log("held"))`;
  const child = spawn(process.execPath, ["-e", script], { env: {}, stdio: ["ignore", "pipe", "inherit"] });
  await once(child.stdout, "data");
  child.kill("SIGKILL");
  await once(child, "exit");
}

t.test("a folder is made, for its owner only", async (t) => {
  const folder = await openDataFolder(join(root, "new", "data"));
  t.teardown(() => folder.release());
  t.equal(folder.path, join(root, "new", "data"));
  t.equal(modeOf(folder.path), "700");
  t.equal(folder.file("log", "serve.log"), join(folder.path, "log", "serve.log"));
});

t.test("a second holder is refused while the first one lives, and may come after it", async (t) => {
  const first = await openDataFolder(join(root, "held"));
  const refusal = await refusalOf(() => openDataFolder(join(root, "held")));
  t.match(refusal, { code: "invalid_state", detail: /Another «passwright up» runs on .*held/ });
  const other = await openDataFolder(join(root, "other"));
  other.release();
  first.release();
  const second = await openDataFolder(join(root, "held"));
  t.teardown(() => second.release());
  t.equal(
    (await refusalOf(() => openDataFolder(join(root, "held")))).code,
    "invalid_state",
    "it holds as well",
  );
});

t.test("a holder that was killed holds nothing", async (t) => {
  const path = join(root, "killed");
  (await openDataFolder(path)).release();
  await killedHolder(path);
  t.ok(existsSync(join(path, "up.sock")), "its socket is still there");
  const folder = await openDataFolder(path);
  t.teardown(() => folder.release());
  t.equal((await refusalOf(() => openDataFolder(path))).code, "invalid_state");
});

t.test("a folder with a path that is too long for a socket is held all the same", async (t) => {
  const path = join(root, "x".repeat(120));
  const folder = await openDataFolder(path);
  t.equal((await refusalOf(() => openDataFolder(path))).code, "invalid_state");
  folder.release();
  (await openDataFolder(path)).release();
});

t.test("documents are replaced whole, and readable by their owner only", async (t) => {
  const folder = await openDataFolder(join(root, "documents"));
  t.teardown(() => folder.release());
  t.equal(folder.readJson("demo.json"), null);
  folder.writeJson("demo.json", { secret: "one" });
  folder.writeJson("demo.json", { secret: "two" });
  t.strictSame(folder.readJson("demo.json"), { secret: "two" });
  t.equal(modeOf(folder.file("demo.json")), "600");
  t.strictSame(
    readdirSync(folder.path).filter((name) => name.startsWith("demo")),
    ["demo.json"],
  );
});

t.test("the master key is made once, 32 bytes in base64, and kept to its owner", async (t) => {
  const folder = await openDataFolder(join(root, "keys"));
  t.teardown(() => folder.release());
  const file = folder.masterKeyFile();
  const key = readFileSync(file, "utf8");
  t.equal(Buffer.from(key.trim(), "base64").length, 32);
  t.equal(modeOf(file), "600");
  t.equal(readFileSync(folder.masterKeyFile(), "utf8"), key);
  const own = await openDataFolder(join(root, "own key"));
  t.teardown(() => own.release());
  writeFileSync(own.file("master.key"), "mine", { mode: 0o644 });
  t.equal(readFileSync(own.masterKeyFile(), "utf8"), "mine", "one that is there is not replaced");
  t.equal(modeOf(own.file("master.key")), "600", "and no longer open to others");
});
