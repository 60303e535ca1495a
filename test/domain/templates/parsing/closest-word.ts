import fc from "fast-check";
import t from "tap";
import { closestWord, editDistance } from "../../../../src/domain/templates/parsing/closest-word.ts";

t.test("a slip of the fingers is recognized, another word is not", async (t) => {
  const known = ["label", "kind", "default", "max_length", "change_message"];
  const cases: [string, string | undefined][] = [
    ["lable", "label"],
    ["Label", "label"],
    ["labels", "label"],
    ["kin", "kind"],
    ["changeMessage", "change_message"],
    ["maxlength", "max_length"],
    ["colour", undefined],
    ["", undefined],
    ["x", undefined],
  ];
  for (const [word, expected] of cases) t.equal(closestWord(word, known), expected, word);
  t.equal(closestWord("b", ["a"]), undefined, "one letter may be any other");
  t.equal(closestWord("ab", []), undefined);
});

t.test(
  "a distance is none from a word to itself, the same there and back, and never above the longer word",
  async (t) => {
    t.doesNotThrow(() =>
      fc.assert(
        fc.property(fc.string({ maxLength: 8 }), fc.string({ maxLength: 8 }), (a, b) => {
          const distance = editDistance(a, b);
          return (
            (distance === 0) === (a === b) &&
            distance === editDistance(b, a) &&
            distance <= Math.max(a.length, b.length) &&
            distance >= Math.abs(a.length - b.length)
          );
        }),
      ),
    );
    t.equal(editDistance("kitten", "sitting"), 3);
    t.equal(editDistance("ab", "ba"), 1, "neighbours swapped");
  },
);
