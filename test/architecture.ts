import { existsSync, globSync, readFileSync } from "node:fs";
import { basename, dirname, join, posix } from "node:path";
import { fileURLToPath } from "node:url";
import t from "tap";

/** A room of src, what of ours it may import (types count), and the packages that are its alone to use. */
type Room = { path: string; rooms: readonly string[]; vendors: readonly string[] };

// biome-ignore format: read as a table
const table: readonly Room[] = [
  //    room               may import                                               its vendors
  room("domain",           [],                                                      []),
  room("config.ts",        ["domain"],                                              ["ipaddr.js"]),
  room("redis",            ["domain"],                                              ["ioredis", "redis-om", "lru-cache"]),
  room("providers/apple",  ["domain"],                                              ["undici", "lru-cache"]),
  room("providers/google", ["domain"],                                              ["undici", "lru-cache"]),
  room("payments",         ["domain"],                                              ["stripe"]),
  room("crypto",           ["domain"],                                              ["jose", "argon2", "lru-cache"]),
  room("egress",           ["domain"],                                              ["undici", "ipaddr.js"]),
  room("http",             ["domain"],                                              ["uWebSockets.js", "ajv", "qrcode", "bwip-js", "ipaddr.js", "lru-cache", "prom-client"]),
  room("daemon",           ["domain"],                                              ["node-cron"]),
  room("metrics",          ["domain"],                                              ["prom-client"]),
  room("tui",              ["domain"],                                              ["ink", "react", "qrcode"]),
  room("sandbox",          [],                                                      []),
  room("up",               ["domain", "config.ts"],                                 []),
  room("app.ts",           ["domain", "config.ts", "redis", "providers/apple",
                            "providers/google", "payments", "crypto", "egress"],    ["pino"]),
  room("cli",              ["domain", "config.ts", "app.ts", "up"],                 ["@oclif/core", "string-width"]),
  room("commands",         ["domain", "config.ts", "app.ts", "cli", "http",
                            "daemon", "metrics", "tui", "sandbox", "up"],           ["@oclif/core"]),
];

/** Node's own modules are free to use, except where the business must stay clear of the outside. */
const builtinsOfDomain = ["node:crypto", "node:assert"];
const onlyReaderOfEnvironment = "config.ts";
const onlyImporterOfUws = "http/exchange.ts";
const emptyNames = ["utils", "util", "helpers", "helper", "common", "types", "constants", "misc"];

function room(path: string, rooms: readonly string[], vendors: readonly string[]): Room {
  return { path, rooms, vendors };
}

/** What is wrong with a tree of sources, given as paths below src and their text: `file:line: rule. Remedy`. */
function violations(sources: ReadonlyMap<string, string>): string[] {
  const graph = new Map<string, Set<string>>();
  const found = [...sources].flatMap(([file, text]) => {
    const home = roomOf(file);
    if (home === undefined) {
      return [`${file}:1: belongs to no room. Move it, or give its folder a row in test/architecture.ts`];
    }
    return [
      ...namesIn(file),
      ...environmentReadsIn(file, text),
      ...importsIn(text).flatMap(({ specifier, line }) => {
        const at = `${file}:${line}`;
        if (specifier === undefined) {
          return [`${at}: a dynamic import must name its module. Write the specifier as a literal`];
        }
        if (!specifier.startsWith(".")) return foreignImport(at, file, home, specifier);
        const target = posix.join(posix.dirname(file), specifier);
        const targetRoom = roomOf(target);
        if (targetRoom !== undefined && targetRoom !== home) {
          graph.set(home.path, (graph.get(home.path) ?? new Set()).add(targetRoom.path));
        }
        return ownImport(at, home, target, targetRoom);
      }),
    ];
  });
  return [...found, ...cyclesIn(graph)];
}

function roomOf(file: string): Room | undefined {
  return table.find(({ path }) => file === path || file.startsWith(`${path}/`));
}

function ownImport(at: string, home: Room, target: string, targetRoom: Room | undefined): string[] {
  if (targetRoom === home || (targetRoom !== undefined && home.rooms.includes(targetRoom.path))) return [];
  if (target.startsWith(".."))
    return [`${at}: imports ${target}. Nothing outside src reaches dist: move it into src`];
  const allowed = home.rooms.length === 0 ? "nothing else of ours" : home.rooms.join(", ");
  return [
    `${at}: ${home.path} imports ${targetRoom?.path ?? target}, and may import ${allowed}. ` +
      "Take what is needed as a parameter whose shape domain declares",
  ];
}

function foreignImport(at: string, file: string, home: Room, specifier: string): string[] {
  if (specifier.startsWith("node:")) {
    if (home.path !== "domain" || builtinsOfDomain.includes(specifier)) return [];
    return [
      `${at}: domain imports ${specifier}, and may import ${builtinsOfDomain.join(", ")}. ` +
        "Declare a port here and implement it in an adapter",
    ];
  }
  const name = specifier
    .split("/")
    .slice(0, specifier.startsWith("@") ? 2 : 1)
    .join("/");
  if (name === "uWebSockets.js" && home.path === "http" && file !== onlyImporterOfUws) {
    return [`${at}: imports uWebSockets.js. Only ${onlyImporterOfUws} touches its objects: use the exchange`];
  }
  if (home.vendors.includes(name)) return [];
  const owners = table.filter(({ vendors }) => vendors.includes(name)).map(({ path }) => path);
  return [
    owners.length === 0
      ? `${at}: imports ${name}, which no room owns. Add it to the room's row in test/architecture.ts, or do without`
      : `${at}: ${home.path} imports ${name}, which belongs to ${owners.join(", ")}. Go through a port of domain`,
  ];
}

/** What is wrong with a client's sources, given as paths below its src: whoever installs it gets nothing but these files. */
function clientViolations(sources: ReadonlyMap<string, string>): string[] {
  return [...sources].flatMap(([file, text]) => [
    ...namesIn(file),
    ...environmentReadsIn(file, text),
    ...importsIn(text).flatMap(({ specifier, line }) => {
      const isOwn =
        specifier?.startsWith(".") && !posix.join(posix.dirname(file), specifier).startsWith("..");
      return isOwn ? [] : [`${file}:${line}: imports ${specifier}. A client may import only its own files`];
    }),
  ]);
}

function environmentReadsIn(file: string, text: string): string[] {
  if (file === onlyReaderOfEnvironment) return [];
  return linesMatching(
    withoutComments(text),
    /\bprocess\s*(?:\??\.\s*env\b|\[\s*["']env["']\s*\])|\{[^}]*\benv\b[^}]*\}\s*(?:=\s*process\b|from\s*["']node:process["'])/g,
  ).map(
    ({ line }) => `${file}:${line}: reads process.env. Only config.ts does: take the value as a parameter`,
  );
}

function namesIn(file: string): string[] {
  return file
    .split("/")
    .filter((part) => emptyNames.includes(part.replace(/\..*$/, "")))
    .map((part) => `${file}:1: the name ${part} says nothing. Name it after what is in it`);
}

/**
 * Every module that a source names: import and export statements, side-effect imports, `import()` in code and
 * in types, `require`. `specifier` is undefined where it is computed.
 */
function importsIn(text: string): { specifier: string | undefined; line: number }[] {
  const clause = String.raw`(?:[\w$]+|\*(?:\s+as\s+[\w$]+)?|\{[^}]*\})`;
  const code = withoutComments(text);
  return [
    new RegExp(
      String.raw`^[ \t]*(?:import|export)\s+(?:type\s+)?(?:${clause}\s*,\s*)?${clause}\s*from\s*["']([^"']+)["']`,
      "gm",
    ),
    /^[ \t]*import\s*["']([^"']+)["']/gm,
    /(?<![\w$.])(?:import|require)\s*\(\s*(?:["'`]([^"'`$]+)["'`]\s*[),])?/g,
  ].flatMap((pattern) =>
    linesMatching(code, pattern).map(({ match, line }) => ({ specifier: match[1], line })),
  );
}

function linesMatching(text: string, pattern: RegExp): { match: RegExpExecArray; line: number }[] {
  return [...text.matchAll(pattern)].map((match) => {
    const start = match.index + match[0].search(/\S/);
    return { match, line: text.slice(0, start).split("\n").length };
  });
}

/** The text with comments blanked, line for line. A URL's two slashes are no comment: white space precedes one. */
function withoutComments(text: string): string {
  const blank = (comment: string) => comment.replace(/[^\n]/g, " ");
  return text.replace(/\/\*[\s\S]*?\*\//g, blank).replace(/(?<=^|\s)\/\/.*$/gm, blank);
}

/** Rooms that reach each other both ways round, over however many stations. */
function cyclesIn(graph: ReadonlyMap<string, ReadonlySet<string>>): string[] {
  const reaches = (from: string, goal: string, seen: Set<string>): boolean =>
    [...(graph.get(from) ?? [])].some((next) => {
      if (next === goal) return true;
      if (seen.has(next)) return false;
      seen.add(next);
      return reaches(next, goal, seen);
    });
  return [...graph.keys()]
    .filter((path) => reaches(path, path, new Set()))
    .map(
      (path) => `${path}:1: is part of a cycle of folders. Turn one import round: declare a port in domain`,
    );
}

const root = join(dirname(fileURLToPath(import.meta.url)), "..");

function sourcesBelow(folder: string): Map<string, string> {
  const files = globSync("**/*.{ts,tsx}", { cwd: join(root, folder) }).sort();
  return new Map(files.map((file) => [file, readFileSync(join(root, folder, file), "utf8")]));
}

t.test("the sources keep to the table of who may import whom", async (t) => {
  const sources = sourcesBelow("src");
  t.ok(sources.size > 0, "there are sources to judge");
  t.strictSame(violations(sources), []);
});

t.test("the client of the API imports nothing but itself", async (t) => {
  const sources = sourcesBelow("clients/typescript/src");
  t.ok(sources.size > 0, "there are sources to judge");
  t.strictSame(clientViolations(sources), []);
});

t.test("no file or folder has a name that says nothing", async (t) => {
  const files = ["src", "test", "bench", "scripts", "clients"]
    .filter((folder) => existsSync(join(root, folder)))
    .flatMap((folder) => globSync(`${folder}/**/*`, { cwd: root }));
  t.ok(files.some((file) => basename(file) === "architecture.ts"));
  t.strictSame(files.flatMap(namesIn), []);
});

t.test("the table itself allows no cycle", async (t) => {
  t.strictSame(cyclesIn(new Map(table.map(({ path, rooms }) => [path, new Set(rooms)]))), []);
});

// biome-ignore format: read as a table
const planted: readonly [file: string, text: string, expected: RegExp | undefined][] = [
  ["domain/a.ts", 'import { b } from "../redis/b.ts";',                          /^domain\/a\.ts:1: domain imports redis, and may import nothing else of ours\. Take/],
  ["domain/a.ts", '\n\nimport type { B } from "../config.ts";',                  /a\.ts:3: domain imports config\.ts/],
  ["domain/a.ts", 'import {\n  type B,\n  c,\n} from "../redis/b.ts";',          /a\.ts:1: domain imports redis/],
  ["domain/a.ts", 'export * from "../daemon/b.ts";',                             /a\.ts:1: domain imports daemon/],
  ["domain/a.ts", 'export type { B } from "../daemon/b.ts";',                    /a\.ts:1: domain imports daemon/],
  ["domain/a.ts", "import c, { b } from '../redis/b.ts'",                        /a\.ts:1: domain imports redis/],
  ["domain/a.ts", 'import "../redis/b.ts";',                                     /a\.ts:1: domain imports redis/],
  ["domain/a.ts", 'const b = 1;\nconst c = await import("../redis/b.ts");',      /a\.ts:2: domain imports redis/],
  ["domain/a.ts", 'type B = import("../redis/b.ts").B;',                         /a\.ts:1: domain imports redis/],
  ["domain/a.ts", "const c = await import(name);",                               /a\.ts:1: a dynamic import must name its module/],
  ["domain/a.ts", 'import { readFile } from "node:fs/promises";',                /a\.ts:1: domain imports node:fs\/promises/],
  ["domain/a.ts", 'import { z } from "zod";',                                    /a\.ts:1: imports zod, which no room owns/],
  ["domain/a.ts", 'import { LRUCache } from "lru-cache";',                       /a\.ts:1: domain imports lru-cache, which belongs to redis, providers\/apple/],
  ["domain/a.ts", 'import { x } from "../../bench/x.ts";',                       /a\.ts:1: imports \.\.\/bench\/x\.ts\. Nothing outside src/],
  ["redis/a.ts", "const url = process.env.REDIS_URL;",                           /a\.ts:1: reads process\.env/],
  ["redis/a.ts", 'const url = process["env"].REDIS_URL;',                        /a\.ts:1: reads process\.env/],
  ["redis/a.ts", 'import { env } from "node:process";',                          /a\.ts:1: reads process\.env/],
  ["redis/a.ts", "const { env } = process;",                                     /a\.ts:1: reads process\.env/],
  ["providers/apple/a.ts", 'import { b } from "../google/b.ts";',                /a\.ts:1: providers\/apple imports providers\/google/],
  ["providers/registry.ts", "",                                                  /^providers\/registry\.ts:1: belongs to no room/],
  ["sandbox/a.ts", 'import { b } from "../domain/b.ts";',                        /a\.ts:1: sandbox imports domain, and may import nothing else of ours/],
  ["sandbox/a.ts", 'import * as jose from "jose";',                              /a\.ts:1: sandbox imports jose, which belongs to crypto/],
  ["http/a.ts", 'import { App } from "uWebSockets.js";',                         /a\.ts:1: imports uWebSockets\.js\. Only http\/exchange\.ts/],
  ["daemon/a.ts", 'import { App } from "uWebSockets.js";',                       /a\.ts:1: daemon imports uWebSockets\.js, which belongs to http/],
  ["commands/a.ts", 'import { b } from "../redis/b.ts";',                        /a\.ts:1: commands imports redis/],
  ["app.ts", 'import { b } from "./http/b.ts";',                                 /^app\.ts:1: app\.ts imports http/],
  ["redis/helpers.ts", "",                                                       /redis\/helpers\.ts:1: the name helpers\.ts says nothing/],
  ["redis/common/a.ts", "",                                                      /redis\/common\/a\.ts:1: the name common says nothing/],

  ["domain/a/b.ts", 'import { c } from "../d/c.ts";\nimport assert from "node:assert";', undefined],
  ["redis/a.ts", '// import { b } from "../http/b.ts";\n/*\nimport "../http/b.ts";\n*/', undefined],
  ["redis/a.ts", 'import type { B } from "../domain/b.ts";\nimport { Redis } from "ioredis";', undefined],
  ["config.ts", "const url = process.env.REDIS_URL;",                            undefined],
  ["http/exchange.ts", 'import { App } from "uWebSockets.js";',                  undefined],
  ["commands/keys/a.ts", 'import { Command } from "@oclif/core/command";\nimport { b } from "../../http/b.ts";', undefined],
  ["commands/a.ts", 'const { serve } = await import("../http/serve.ts");',       undefined],
];

for (const [file, text, expected] of planted) {
  const says = text === "" ? "by its path" : text.replace(/\s+/g, " ");
  t.test(`${file} is ${expected === undefined ? "let through" : "caught"}: ${says}`, async (t) => {
    const found = violations(new Map([[file, text]]));
    if (expected === undefined) return t.strictSame(found, []);
    t.equal(found.length, 1, "one violation, named once");
    return t.match(found[0], expected);
  });
}

t.test(
  "a client's way out is caught: to the service, to Node, to a package, to the environment",
  async (t) => {
    const judged = (text: string) => clientViolations(new Map([["generated/a.ts", text]])).length;
    for (const text of [
      'import type { Pass } from "../../../../src/domain/passes/pass.ts";',
      'import { createHmac } from "node:crypto";',
      'import { z } from "zod";',
      "const { url } = process.env;",
      "await import(name);",
    ]) {
      t.equal(judged(text), 1, text);
    }
    t.equal(judged('import type { Send } from "../call.ts";\nexport type * from "./b.ts";'), 0);
  },
);

t.test("a cycle of folders is caught, over several stations too", async (t) => {
  const found = violations(
    new Map([
      ["domain/a.ts", 'import { b } from "../up/b.ts";'],
      ["up/b.ts", 'import { c } from "../config.ts";'],
      ["config.ts", 'import { a } from "./domain/a.ts";'],
    ]),
  );
  const cycles = found.filter((line) => /cycle of folders/.test(line));
  t.strictSame(
    cycles.map((line) => line.split(":")[0]),
    ["domain", "up", "config.ts"],
  );
});
