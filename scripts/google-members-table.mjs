import { passKinds } from "../src/domain/templates/parsing/google/pass-kind.ts";
import { resourceShape } from "../src/domain/templates/parsing/google/resource-shapes.ts";
import { wanted } from "../src/domain/templates/parsing/shapes.ts";

/** Every member of Google's classes and objects with what it must be, for docs/google-members.md. */
export function membersTable() {
  return ["class", "object"].map((part) => `### The ${part}\n\n${tableOf(part)}`).join("\n\n");
}

function tableOf(part) {
  const rows = new Map();
  for (const kind of passKinds) {
    for (const [name, { shape }] of Object.entries(resourceShape(kind, part).members)) {
      const key = `${name} ${describe(shape)}`;
      const row = rows.get(key) ?? { name, words: describe(shape), kinds: [] };
      row.kinds.push(kind);
      rows.set(key, row);
    }
  }
  const sorted = [...rows.values()].sort((a, b) => (a.name < b.name ? -1 : 1));
  const lines = sorted.map(({ name, words, kinds }) => {
    const where = kinds.length === passKinds.length ? "every kind" : kinds.join(", ");
    return `| \`${name}\` | ${words} | ${where} |`;
  });
  return ["| member | what it must be | of |", "|---|---|---|", ...lines].join("\n");
}

function describe(shape) {
  if (shape.is === "list") {
    const most = shape.most === undefined ? "" : `; ${shape.most} at most`;
    return `an array of ${membersOf(shape.of)}${most}`;
  }
  return shape.is === "object" ? `an object of ${membersOf(shape)}` : wanted(shape);
}

function membersOf(shape) {
  if (shape.is !== "object") return wanted(shape);
  // A class within an object is only ever Google's answer.
  const names = Object.keys(shape.members).filter((name) => name !== "kind");
  return names.length > 25 ? "what Google answers" : names.map((name) => `\`${name}\``).join(", ");
}
