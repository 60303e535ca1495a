import t from "tap";
import { mostShown } from "../../src/domain/templates/parsing/apple/check-fields.ts";
import { requiredTags } from "../../src/domain/templates/parsing/apple/check-schemes.ts";
import { appleFeatures } from "../../src/domain/templates/parsing/apple/features.ts";
import { field, fieldGroups, transitTypes } from "../../src/domain/templates/parsing/apple/field-members.ts";
import {
  everyBarcode,
  lineBarcodes,
  passMembers,
} from "../../src/domain/templates/parsing/apple/pass-members.ts";
import { semantics } from "../../src/domain/templates/parsing/apple/semantics.ts";
import { type MemberTable, type Shape, wanted } from "../../src/domain/templates/parsing/shapes.ts";
import { textOf } from "./markdown.ts";

const text = textOf("docs/apple-members.md") ?? "";

/** The part under a heading, up to the next one. */
function section(heading: string): string {
  const [, after = ""] = text.split(`\n## ${heading}\n`);
  return after.split("\n## ")[0] ?? "";
}

type Row = { names: string[]; cells: string[] };

/** The rows whose first cell is names in code. */
function rowsOf(part: string): Row[] {
  return [...part.matchAll(/^\| (`[^|]+`) \|(.*)\|$/gm)].map(([, names = "", rest = ""]) => ({
    names: [...names.matchAll(/`([^`]+)`/g)].map(([, name = ""]) => name),
    cells: rest.split("|").map((cell) => cell.trim()),
  }));
}

/** Names of members within that a description must have, and how many there may be. */
function mentions(shape: Shape): string[] {
  if (shape.is !== "list") return [];
  const most = shape.most === undefined ? [] : [`${shape.most} at most`];
  const { of } = shape;
  return of.is === "object"
    ? [
        ...most,
        ...Object.entries(of.members).flatMap(([name, { required }]) => (required ? [`\`${name}\``] : [])),
      ]
    : most;
}

const tables: [heading: string, members: MemberTable][] = [
  ["The pass", passMembers.members],
  ["Styles and fields", field.members],
  ["Semantic tags", semantics.members],
];

for (const [heading, members] of tables) {
  const rows = rowsOf(section(heading)).filter(
    ({ names }) => !names.some((name) => Object.hasOwn(mostShown, name) && heading !== "The pass"),
  );

  t.test(`«${heading}» names every member, each once`, async (t) => {
    t.strictSame(rows.flatMap(({ names }) => names).sort(), Object.keys(members).sort());
  });

  t.test(`«${heading}» says what each must be, and which iOS it needs`, async (t) => {
    for (const { names, cells } of rows) {
      for (const name of names) {
        const member = members[name];
        if (member === undefined) continue;
        const [words = "", iOS = "", types = ""] = cells;
        t.ok(words.startsWith(wanted(member.shape)), `${name}: ${words}`);
        for (const mentioned of mentions(member.shape))
          t.ok(words.includes(mentioned), `${name}: ${mentioned}`);
        t.equal(iOS, member.feature === undefined ? "" : appleFeatures[member.feature].iOS, `${name}: iOS`);
        t.equal(types, (member.types ?? []).join(", "), `${name}: types`);
      }
    }
  });
}

t.test("it names every group, way to travel, barcode, and tag that a scheme demands", async (t) => {
  for (const name of [...Object.keys(fieldGroups), ...Object.values(requiredTags).flat()]) {
    t.ok(text.includes(`\`${name}\``), name);
  }
  for (const name of [...transitTypes, ...everyBarcode, ...lineBarcodes]) t.ok(text.includes(name), name);
});

t.test("its numbers of fields are those that are counted", async (t) => {
  const groups = ["headerFields", "primaryFields", "secondaryFields", "auxiliaryFields"];
  const counted = rowsOf(section("Styles and fields")).filter(({ cells }) => cells.length === groups.length);
  for (const { names, cells } of counted) {
    for (const name of names) {
      t.strictSame(
        cells.map((cell) => Number.parseInt(cell, 10)),
        groups.map((group) => mostShown[name]?.[group]),
        name,
      );
    }
  }
  t.equal(counted.flatMap(({ names }) => names).length, Object.keys(mostShown).length - 1);
  const { headerFields, footerFields } = mostShown.posterGeneric ?? {};
  t.ok(
    text.includes(`\`posterGeneric\` shows ${headerFields} header fields and ${footerFields} footer field`),
  );
});
