import t from "tap";
import { createPreparedTemplates } from "../../../src/providers/apple/prepared-template.ts";
import { images, passToIssue, png } from "./fixtures/pass-to-issue.ts";

t.test("a version is prepared once, another version anew", async (t) => {
  const prepared = createPreparedTemplates({ maxBytes: 1_000_000 });
  const first = prepared.get(passToIssue().template);
  t.equal(prepared.get(passToIssue().template), first);
  const second = prepared.get(passToIssue({ templateVersion: 2 }).template);
  t.not(second, first);
  t.equal(prepared.get(passToIssue().template), first);
});

t.test("beyond its bytes the version unused for longest goes", async (t) => {
  const bulky = images().set("strip.png", Buffer.alloc(10_000));
  const version = (templateVersion: number) => passToIssue({ templateVersion, images: bulky }).template;
  const prepared = createPreparedTemplates({ maxBytes: 25_000 });
  const [first, second] = [prepared.get(version(1)), prepared.get(version(2))];
  t.equal(prepared.get(version(1)), first);
  prepared.get(version(3));
  t.equal(prepared.get(version(1)), first);
  t.not(prepared.get(version(2)), second);
});

t.test("a template larger than the whole cache is prepared each time, and evicts nothing", async (t) => {
  const prepared = createPreparedTemplates({ maxBytes: 5_000 });
  const small = prepared.get(passToIssue().template);
  const huge = passToIssue({ templateVersion: 9, images: images().set("strip.png", Buffer.alloc(9_000)) });
  t.not(prepared.get(huge.template), prepared.get(huge.template));
  t.equal(prepared.get(passToIssue().template), small);
});

t.test("a template that cannot be prepared is not remembered", async (t) => {
  const prepared = createPreparedTemplates({ maxBytes: 1_000_000 });
  t.throws(() => prepared.get(passToIssue({ images: new Map() }).template), { code: "provider_rejected" });
  t.ok(prepared.get(passToIssue({ images: new Map([["icon.png", png(1)]]) }).template));
});
