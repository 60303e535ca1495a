// Writes what the documents say of commands and settings: the parts between the marks `commands:begin`, `command-list:begin`
// and `configuration:begin` and their ends. Needs a build. A test compares (test/docs).
//
//   node scripts/generate-docs.mjs

import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { root } from "./build.mjs";

/**
 * The topics with their verbs, a row each, for the front page. `commands` by id, with summary and description; `topics` by
 * name, with description.
 */
export function topicTable(commands, topics) {
  const rows = new Map();
  for (const id of Object.keys(commands).sort()) {
    const [first, ...rest] = id.split(":");
    rows.set(first, [...(rows.get(first) ?? []), ...(rest.length > 0 ? [rest.join(" ")] : [])]);
  }
  const lines = [...rows].map(([name, verbs]) => {
    const about = topics[name]?.description ?? sentenceOf(commands[name]);
    const named =
      verbs.length === 0 ? `\`${name}\`` : `\`${name}\` ${verbs.map((verb) => `\`${verb}\``).join(" ")}`;
    return `| ${named} | ${about} |`;
  });
  return ["| Command | |", "| --- | --- |", ...lines].join("\n");
}

/** Every command with what it does. */
export function commandList(commands) {
  const lines = Object.entries(commands)
    .sort(([a], [b]) => (a < b ? -1 : 1))
    .map(([id, command]) => `| \`passwright ${id.replaceAll(":", " ")}\` | ${sentenceOf(command)} |`);
  return ["| Command | What it does |", "| --- | --- |", ...lines].join("\n");
}

function sentenceOf({ summary, description }) {
  const text = summary ?? description ?? "";
  return (/^.*?[.](?=\s|$)/s.exec(text)?.[0] ?? text).replaceAll("|", "\\|");
}

/** The part of a text that is generated, or undefined where the marks are not both there. */
export function generatedPart(markdown, name) {
  return new RegExp(`<!-- ${name}:begin -->\n([\\s\\S]*?)<!-- ${name}:end -->`).exec(markdown)?.[1]?.trim();
}

/** Puts a part between its marks in a file. */
export function writePart(file, name, part) {
  const path = join(root, file);
  const text = readFileSync(path, "utf8");
  if (generatedPart(text, name) === undefined)
    throw new Error(`${file} has no marks ${name}:begin and ${name}:end`);
  const marked = new RegExp(`(<!-- ${name}:begin -->\n)[\\s\\S]*?(<!-- ${name}:end -->)`);
  writeFileSync(
    path,
    text.replace(marked, (_, begin, end) => `${begin}\n${part}\n\n${end}`),
  );
}

if (import.meta.url === pathToFileURL(process.argv[1] ?? "").href) {
  const { commands } = JSON.parse(readFileSync(join(root, "oclif.manifest.json"), "utf8"));
  const { oclif } = JSON.parse(readFileSync(join(root, "package.json"), "utf8"));
  const { configurationTable } = await import(pathToFileURL(join(root, "dist", "config.js")).href);
  writePart("README.md", "commands", topicTable(commands, oclif.topics));
  writePart("docs/command-line.md", "command-list", commandList(commands));
  writePart("docs/configuration.md", "configuration", configurationTable());
}
