import t from "tap";
import { filesIn } from "../../../src/sandbox/iphone/archive.ts";
import { packed } from "./fixtures/signed-pass.ts";

t.test("files are read whole, packed or not, folders left out", async (t) => {
  const files = filesIn(
    packed({ "pass.json": "{}", "en.lproj/": "", "en.lproj/logo.png": Buffer.alloc(70_000, "ab") }),
  );
  t.strictSame([...files.keys()], ["pass.json", "en.lproj/logo.png"]);
  t.equal(files.get("pass.json")?.toString(), "{}");
  t.ok(files.get("en.lproj/logo.png")?.equals(Buffer.alloc(70_000, "ab")));
});

for (const path of ["../evil", "/etc/passwd", "a/../../b", "a//b", "a\\b", "c:evil", "a/./b", "tab\tname"]) {
  t.test(`a file may not be called ${JSON.stringify(path)}`, async (t) => {
    t.throws(() => filesIn(packed({ [path]: "x" })), {
      name: "PassRefused",
      message: /path that is not allowed/,
    });
  });
}

t.test("no two files have one name", async (t) => {
  const twice = [
    ["pass.json", "{}"],
    ["pass.json", "[]"],
  ] as const;
  t.throws(() => filesIn(packed(twice)), { message: /two files "pass.json"/ });
});

t.test("what would be too large unpacked is not unpacked", async (t) => {
  const bomb = packed({ bomb: { zeros: 20_000_000 } });
  t.ok(bomb.length < 50_000, "it is small as it comes");
  t.throws(() => filesIn(bomb), { message: /too large/ });
  const five = Array.from({ length: 5 }, (_, index) => [`${index}`, { zeros: 9_000_000 }] as const);
  t.throws(() => filesIn(packed(five)), { message: /too large/ });
  const many = Array.from({ length: 501 }, (_, index) => [`${index}`, ""] as const);
  t.throws(() => filesIn(packed(many)), { message: /501 files/ });
});

t.test("a file that says to be smaller than it is ends the reading", async (t) => {
  const lying = packed({ bomb: { zeros: 20_000_000 } });
  const directory = lying.indexOf(Buffer.from("504b0102", "hex"));
  lying.writeUInt32LE(10, directory + 24);
  t.throws(() => filesIn(lying), { name: "PassRefused" });
});

t.test("damage is seen: in the content, in the directory, at the end", async (t) => {
  const sound = packed({ "pass.json": "{}" });
  const directory = sound.indexOf(Buffer.from("504b0102", "hex"));
  const spoiled = (at: number): Buffer => {
    const copy = Buffer.from(sound);
    copy.writeUInt8(copy.readUInt8(at) ^ 0xff, at);
    return copy;
  };
  for (const at of [0, directory, directory + 16, directory + 42, sound.length - 4]) {
    t.throws(() => filesIn(spoiled(at)), { name: "PassRefused" }, `byte ${at}`);
  }
  t.throws(() => filesIn(sound.subarray(0, 40)), { name: "PassRefused" });
  t.throws(() => filesIn(Buffer.alloc(0)), { name: "PassRefused" });
});
