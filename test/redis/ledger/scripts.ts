import { readdirSync, readFileSync } from "node:fs";
import t from "tap";

const folder = new URL("../../../src/redis/lua/", import.meta.url);
const files = readdirSync(folder, { recursive: true })
  .map(String)
  .filter((file) => file.endsWith(".lua"))
  .map((file) => ({ file, text: readFileSync(new URL(file, folder), "utf8") }));
const writes = /'(?:HSET|HSETNX|HINCRBY|HINCRBYFLOAT|HDEL|SET|DEL|UNLINK|RENAME|XADD|XTRIM|XDEL)'/;
const credits = "parts/credits.lua";

/** Expressions that stand for the credits of a tenant in a script: the key of its header, the parameter of a part. */
function namesOfCredits(text: string): string[] {
  const headers = text.split("\n").filter((line) => line.startsWith("--"));
  const keys = headers.flatMap((line) => [...line.matchAll(/(\d+) credits(?= {2,}|$)/g)]);
  return [...keys.map(([, number]) => `KEYS[${number}]`), "credits"];
}

/** Lines that write to the credits, or to what they are counted in. */
function movesIn(text: string): string[] {
  const names = namesOfCredits(text);
  const code = text.split("\n").filter((line) => !line.trim().startsWith("--"));
  return code.filter((line) => {
    if (/'(?:used|recorded):|':ledger'/.test(line)) return true;
    if (!writes.test(line)) return false;
    return /'balance'/.test(line) || names.some((name) => line.includes(`, ${name}`));
  });
}

t.test("only the part that writes the ledger moves credits", (t) => {
  for (const { file, text } of files) {
    if (file !== credits) t.strictSame(movesIn(text), [], file);
  }
  const own = files.find(({ file }) => file === credits)?.text ?? "";
  t.ok(movesIn(own).length > 0, "and there it is found");
  t.equal(own.match(/'HSET'/g)?.length, 1, "in one place");
  t.equal(own.match(/'XADD'/g)?.length, 1, "with one place of entries");
  t.end();
});

t.test("a script that moved them otherwise would be found", (t) => {
  const header = "-- KEYS  1 tenant   2 credits   3 paid sessions\n";
  for (const line of [
    "redis.call('HINCRBY', KEYS[2], 'balance', 5)",
    "redis.call('HINCRBY', KEYS[2], charge, 5)",
    "redis.call('HSET', some, 'balance', 5)",
    "redis.call('HINCRBY', credits, charge, 1)",
    "redis.call('HINCRBY', KEYS[1], 'used:' .. month, 1)",
  ]) {
    t.strictSame(movesIn(header + line), [line]);
  }
  t.strictSame(movesIn(`${header}redis.call('HSET', KEYS[3], ARGV[1], ARGV[3])`), []);
  t.end();
});

t.test("every script that has the credits among its keys uses the part", (t) => {
  const having = files.filter(({ text }) => namesOfCredits(text).length > 1);
  t.ok(having.length >= 9, `${having.length} scripts`);
  for (const { file, text } of having) t.match(text, /^-- uses: (?:.* )?credits(?: |$)/m, file);
  t.end();
});
