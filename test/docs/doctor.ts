import t from "tap";
import { checksTable } from "../../src/domain/doctor/checks.ts";
import { textOf } from "./markdown.ts";

t.test("docs/operations.md lists the checks of doctor as they are", async (t) => {
  const section = /^## Doctor\n([\s\S]*?)(?=^## )/m.exec(textOf("docs/operations.md") ?? "")?.[1] ?? "";
  const table = section.split("\n").filter((line) => line.startsWith("|"));
  t.equal(table.slice(0, checksTable().split("\n").length).join("\n"), checksTable());
});
