// Writes what the service knows of the members of Google's classes and objects, from Google's description of its Wallet
// API (https://walletobjects.googleapis.com/$discovery/rest?version=v1), and the table of docs/google-members.md from that.
//
//   node scripts/generate-google-members.mjs [DISCOVERY]
//
// DISCOVERY is the description in a file, such as googleapiclient/discovery_cache/documents/walletobjects.v1.json of the
// Python package google-api-python-client; without it, it is fetched. Tests compare the result with the types of
// @googleapis/walletobjects, and the table with the result: when they fail after an update, run this.

import { spawnSync } from "node:child_process";
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { root } from "./build.mjs";
import { writePart } from "./generate-docs.mjs";
import { runtime } from "./setup.mjs";

const address = "https://walletobjects.googleapis.com/$discovery/rest?version=v1";
const target = "src/domain/templates/parsing/google/api-description.ts";
const kinds = ["Generic", "Loyalty", "Offer", "EventTicket", "Flight", "GiftCard", "Transit"];
const resources = kinds.flatMap((kind) => [`${kind}Class`, `${kind}Object`]);

/** The text of the module: every schema that classes and objects are built of, and the values of their enumerations. */
export function describe({ revision, schemas }) {
  const enumerations = createEnumerations();
  const described = reachable(schemas).map((name) => {
    const members = Object.entries(schemas[name].properties).sort(([a], [b]) => (a < b ? -1 : 1));
    const words = members.map(([member, property]) =>
      wordOf(member, property, () => enumerations.name(name, member, property)),
    );
    return `${name}: ${JSON.stringify(words.join(" "))},`;
  });
  return `// Made by scripts/generate-google-members.mjs from Google's description of its Wallet API, revision ${revision}.
// Do not edit: run it again.

/** Members by schema: \`name:type\`, a bare name is text, \`[]\` behind a type means a list of it. */
export const schemas: Readonly<Record<string, string>> = {
${described.join("\n")}
};

/** The values of each enumeration. Those behind the bar are old spellings, which Google reads as well. */
export const enumerations: Readonly<Record<string, string>> = {
${enumerations.lines().join("\n")}
};
`;
}

function reachable(schemas) {
  const found = new Set(resources);
  for (const name of found) {
    for (const property of Object.values(schemas[name].properties)) {
      const { $ref } = property.items ?? property;
      if ($ref !== undefined) found.add($ref);
    }
  }
  return [...found];
}

function wordOf(member, property, nameOfEnumeration) {
  const value = property.items ?? property;
  const type = value.$ref ?? (value.enum ? `enum.${nameOfEnumeration()}` : (value.format ?? value.type));
  const brackets = property.items === undefined ? "" : "[]";
  return type === "string" && brackets === "" ? member : `${member}:${type}${brackets}`;
}

/** Each list of values once, named by the member that has it, with its schema before that where two differ. */
function createEnumerations() {
  const values = new Map();
  return {
    name(schema, member, property) {
      const value = property.items ?? property;
      const isOld = (_, i) => value.enumDeprecated?.[i] === true;
      const current = value.enum.filter((word, i) => !isOld(word, i) && !isUnset(word));
      const line = [
        ...current,
        ...(value.enumDeprecated?.includes(true) ? ["|"] : []),
        ...value.enum.filter(isOld),
      ];
      const text = line.join(" ");
      const short = member[0].toUpperCase() + member.slice(1);
      const name = [short, schema + short].find((known) => (values.get(known) ?? text) === text);
      values.set(name, text);
      return name;
    },
    lines: () => [...values].map(([name, text]) => `${name}: ${JSON.stringify(text)},`),
  };
}

/** What means that a value was not given. */
const isUnset = (word) => /_UNSPECIFIED$|^UNKNOWN_STATE$/.test(word);

function formatted(text) {
  const biome = join(root, "node_modules", ".bin", "biome");
  const args = [biome, "format", "--colors=off", `--stdin-file-path=${target}`];
  const { status, stdout, stderr } = spawnSync(runtime(), args, { cwd: root, input: text, encoding: "utf8" });
  if (status !== 0) throw new Error(`biome cannot format ${target}:\n${stderr}`);
  return stdout;
}

async function read(file) {
  if (file !== undefined) return JSON.parse(readFileSync(file, "utf8"));
  const answer = await fetch(address);
  if (!answer.ok) throw new Error(`${address} answers ${answer.status}`);
  return answer.json();
}

if (import.meta.url === pathToFileURL(process.argv[1] ?? "").href) {
  writeFileSync(join(root, target), formatted(describe(await read(process.argv[2]))));
  const { membersTable } = await import("./google-members-table.mjs");
  writePart("docs/google-members.md", "google-members", membersTable());
}
