import t from "tap";
import type { PassPageInput } from "../../../src/http/pages/pass-page.ts";
import { createPassPages } from "../../../src/http/pages/served-pages.ts";
import { pageInput, withContent, withData } from "./fixtures/example-passes.ts";

type Given = Omit<PassPageInput, "language">;
const pages = createPassPages({ version: "1.0.0" });
const given = pageInput("LoyaltyCard");
const { pass, template } = given;
const etagOf = async (input: Given, wanted: string[] = []) => (await pages.page(wanted, input)).etag;

t.test("the same state is the same page, drawn once", async (t) => {
  const first = await pages.page(["it"], given);
  let asked = 0;
  const imageUrl = () => {
    asked++;
    return null;
  };
  t.strictSame(await pages.page(["it-CH", "en"], { ...given, imageUrl, nowMs: given.nowMs + 1 }), first);
  t.equal(asked, 0, "nothing was drawn");
  t.match(first.etag, /^"[\w-]{43}"$/);
});

t.test("whatever a page shows makes another one of it", async (t) => {
  const before = await etagOf(given);
  const message = { id: "m", header: "Hello", body: "there", at: given.nowMs };
  const { apple } = pass.providers;
  const others: Record<string, Given> = {
    "its data": withData(given, { points: "7" }),
    "its state": { ...given, pass: { ...pass, status: "updating" } },
    "a message": { ...given, pass: { ...pass, message } },
    "one wallet less": { ...given, pass: { ...pass, providers: apple === undefined ? {} : { apple } } },
    "another version of its template": {
      ...given,
      template: { ...template, version: { ...template.version, version: 2 } },
    },
    "another device": { ...given, device: "android" },
    "another link": { ...given, googleSaveUrl: "https://pay.example/other" },
    "another address": { ...given, pageUrl: "https://passes.example/p/other" },
  };
  for (const [name, input] of Object.entries(others)) t.not(await etagOf(input), before, name);
  t.not(await etagOf(given, ["it"]), before, "another language");
  const { etag } = await createPassPages({ version: "1.0.1" }).page([], given);
  t.not(etag, before, "another release");
});

t.test("a pass that expires meanwhile is another page", async (t) => {
  const input = withContent(given, { apple: { expirationDate: "2027-06-12T19:30:00+02:00" } });
  const at = Date.parse("2027-06-12T17:30:00Z");
  t.equal(await etagOf({ ...input, nowMs: at - 1 }), await etagOf({ ...input, nowMs: at - 1000 }));
  t.not(await etagOf({ ...input, nowMs: at }), await etagOf({ ...input, nowMs: at - 1 }));
});
