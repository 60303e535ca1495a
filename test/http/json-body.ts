import t from "tap";
import { mediaType, parseJsonBody, pointerPart } from "../../src/http/json-body.ts";
import { refusalOf, violationsOf } from "../domain/fixtures/refusal.ts";

const json = "application/json";
const parse = (text: string | Buffer, contentType: string | undefined = json) =>
  parseJsonBody(contentType, Buffer.from(text as string));
const told = (text: string | Buffer): Promise<string[]> => violationsOf(() => parse(text));

t.test("a JSON object in UTF-8 is read", async (t) => {
  t.strictSame(parse('{"a":[1,null,"Zoë 🎟"]}'), { a: [1, null, "Zoë 🎟"] });
  t.strictSame(parse(" {} \n"), {});
});

t.test("the media type is application/json, in any case, with no other charset than UTF-8", async (t) => {
  for (const type of [
    "APPLICATION/JSON",
    `${json};charset=utf-8`,
    `${json} ; charset="UTF-8"`,
    `${json}; x=y`,
  ]) {
    t.strictSame(parse("{}", type), {}, type);
  }
  for (const type of [
    "",
    "text/plain",
    "application/jsonx",
    "application/x-www-form-urlencoded",
    `${json}; charset=latin1`,
  ]) {
    const refused = await violationsOf(() => parse("{}", type));
    t.strictSame(refused, ["Content-Type must be application/json"], type);
  }
  t.equal((await refusalOf(() => parseJsonBody(undefined, Buffer.from("{}")))).code, "invalid_request");
  t.equal(mediaType(" Text/HTML ; charset=x"), "text/html");
});

t.test("what is no JSON object is refused", async (t) => {
  for (const text of ["", " ", "{", "{}{}", "{'a':1}", '{"a":1,}', '{"a":NaN}', '{"a":01}', "hello"]) {
    t.strictSame(await told(text), [" must be JSON in UTF-8"], text);
  }
  for (const text of ["[]", "null", "1", '"text"', "true"]) {
    t.strictSame(await told(text), [" must be a JSON object"], text);
  }
});

t.test("what is no UTF-8 is refused, not repaired", async (t) => {
  for (const bytes of [[0xff], [0xc0, 0xaf], [0xed, 0xa0, 0x80], [0xe2, 0x82]]) {
    const text = Buffer.concat([Buffer.from('{"a":"'), Buffer.from(bytes), Buffer.from('"}')]);
    t.strictSame(await told(text), [" must be JSON in UTF-8"]);
  }
  t.strictSame(await told(Buffer.from('{"a":1}', "utf16le")), [" must be JSON in UTF-8"]);
});

t.test("a member named __proto__ is refused at any depth, however it is written", async (t) => {
  t.strictSame(await told('{"__proto__":{"a":1}}'), ["/__proto__ is not a name that may be used"]);
  t.strictSame(await told('{"data":[{"__proto__":1}]}'), [
    "/data/0/__proto__ is not a name that may be used",
  ]);
  t.strictSame(await told('{"\\u005f_proto__":null}'), ["/__proto__ is not a name that may be used"]);
  t.equal((await told('{"a":{"__proto__":1},"b":{"__proto__":2}}')).length, 2);
  t.notOk("polluted" in {});
});

t.test("half a surrogate pair is refused, as a value and as a name", async (t) => {
  t.strictSame(await told('{"a":["\\ud83c"]}'), ["/a/0 must be well-formed Unicode"]);
  t.strictSame(await told('{"a":{"\\udf9f":1}}'), ["/a has a member whose name is not Unicode"]);
  t.strictSame(parse('{"a":"\\ud83c\\udf9f"}'), { a: "🎟" });
});

t.test("32 levels of nesting are read, and more are one violation, whatever else is wrong", async (t) => {
  const deep = (levels: number, inner = "1"): string =>
    `${'{"a":'.repeat(levels)}${inner}${"}".repeat(levels)}`;
  const tooDeep = [" must not nest deeper than 32 levels"];
  t.ok(parse(deep(32)));
  t.strictSame(await told(deep(33)), tooDeep);
  t.strictSame(await told(deep(31, "[[]]")), tooDeep, "lists are levels too");
  t.strictSame(await told(`{"deep":${deep(10_000)},"__proto__":1}`), tooDeep);
  t.strictSame(await told(deep(32, '{"__proto__":1}')), tooDeep);
  t.match(await told(`${"[".repeat(32_000)}${"]".repeat(32_000)}`), [" must be a JSON object"]);
});

t.test("a name in a path is written as RFC 6901 section 3 has it", async (t) => {
  t.equal(pointerPart("a/b~c~1"), "a~1b~0c~01");
  t.strictSame(await told('{"a/b":{"~":"\\ud800"}}'), ["/a~1b/~0 must be well-formed Unicode"]);
});

t.test("an object with more members than any schema takes is one violation, found at once", async (t) => {
  const members = (count: number) => Array.from({ length: count }, (_, i) => `"${i}":"\\ud83c"`).join(",");
  t.equal((await told(`{"a":[{${members(10_000)}}]}`)).length, 10_000);
  t.strictSame(await told(`{"a":[{${members(10_001)}}]}`), ["/a/0 must not have more than 10000 members"]);
  t.ok(parse(`{"list":[${"1,".repeat(20_000)}1]}`), "of a list the schema says how long it may be");
});
