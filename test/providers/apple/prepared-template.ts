import t from "tap";
import { createPreparedTemplates } from "../../../src/providers/apple/prepared-template.ts";
import { images, passToIssue, png } from "./fixtures/pass-to-issue.ts";

t.test("a version is prepared once, another version anew", async (t) => {
  const prepared = createPreparedTemplates({ maxBytes: 1_000_000 });
  const first = await prepared.get(passToIssue().template);
  t.equal(await prepared.get(passToIssue().template), first);
  const second = await prepared.get(passToIssue({ templateVersion: 2 }).template);
  t.not(second, first);
  t.equal(await prepared.get(passToIssue().template), first);
});

t.test("those who need a version at the same moment have it prepared once", async (t) => {
  const prepared = createPreparedTemplates({ maxBytes: 1_000_000 });
  const { template } = passToIssue();
  const [first, second] = await Promise.all([prepared.get(template), prepared.get(template)]);
  t.equal(first, second);
});

t.test("beyond its bytes the version unused for longest goes", async (t) => {
  const bulky = images().set("strip.png", Buffer.alloc(10_000));
  const version = (templateVersion: number) => passToIssue({ templateVersion, images: bulky }).template;
  const prepared = createPreparedTemplates({ maxBytes: 25_000 });
  const [first, second] = [await prepared.get(version(1)), await prepared.get(version(2))];
  t.equal(await prepared.get(version(1)), first);
  await prepared.get(version(3));
  t.equal(await prepared.get(version(1)), first);
  t.not(await prepared.get(version(2)), second);
});

t.test("a template larger than the whole cache is prepared each time, and evicts nothing", async (t) => {
  const prepared = createPreparedTemplates({ maxBytes: 5_000 });
  const small = await prepared.get(passToIssue().template);
  const huge = passToIssue({ templateVersion: 9, images: images().set("strip.png", Buffer.alloc(9_000)) });
  t.not(await prepared.get(huge.template), await prepared.get(huge.template));
  t.equal(await prepared.get(passToIssue().template), small);
});

t.test("a template that cannot be prepared is not remembered", async (t) => {
  const prepared = createPreparedTemplates({ maxBytes: 1_000_000 });
  await t.rejects(prepared.get(passToIssue({ images: new Map() }).template), { code: "provider_rejected" });
  t.ok(await prepared.get(passToIssue({ images: new Map([["icon.png", png(1)]]) }).template));
});
