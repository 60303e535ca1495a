import t from "tap";
import { closest } from "../../src/cli/closest.ts";

const verbs = ["list", "show", "suspend", "activate", "delete"];

t.test("a slip of the finger finds what was meant", async (t) => {
  const slips = { lst: "list", lsit: "list", showw: "show", Supsend: "suspend", delte: "delete" };
  for (const [word, meant] of Object.entries(slips)) t.equal(closest(word, verbs), meant, word);
});

t.test("the beginning of a word finds it", async (t) => {
  t.equal(closest("susp", verbs), "suspend");
  t.equal(closest("act", verbs), "activate");
});

t.test("what is near to nothing finds nothing", async (t) => {
  for (const word of ["", "x", "frobnicate", "li"]) t.equal(closest(word, verbs), null, word);
});
