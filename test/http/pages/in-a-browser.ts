import assert from "node:assert/strict";
import fc from "fast-check";
import { type BrowserContext, chromium, type Page } from "playwright-core";
import t from "tap";
import { barcodeFormats } from "../../../src/domain/templates/template.ts";
import { passLanguage } from "../../../src/http/pages/pass-language.ts";
import { type PassPageInput, renderPassPage } from "../../../src/http/pages/pass-page.ts";
import { findChromium } from "../../e2e/support/chromium.ts";
import { allTypes, examples, pageInput, withContent, withData } from "./fixtures/example-passes.ts";

t.setTimeout(180_000);

const browser = await chromium.launch({ executablePath: findChromium(), args: ["--no-sandbox"] });
t.teardown(() => browser.close());

const address = "https://passes.example/p/token";
type Options = { width?: number; colorScheme?: "light" | "dark"; javaScriptEnabled?: boolean };

/** A window that gets these pages as they are sent, headers included, and nothing else; with what it asks for. */
async function openWindow({ width = 390, ...rest }: Options = {}) {
  const context: BrowserContext = await browser.newContext({ viewport: { width, height: 860 }, ...rest });
  const page = await context.newPage();
  const asked: string[] = [];
  const complaints: string[] = [];
  let served = { status: 404, headers: {}, body: "" };
  await context.route("**/*", (route) => {
    const url = route.request().url();
    asked.push(url);
    return url === address ? route.fulfill(served) : route.fulfill({ status: 404, body: "" });
  });
  page.on("pageerror", (error) => complaints.push(error.message));
  page.on("console", (said) => complaints.push(said.text()));
  return {
    page,
    asked,
    complaints,
    close: () => context.close(),
    async show(input: PassPageInput): Promise<Page> {
      const { status, headers, html } = await renderPassPage(input);
      served = { status, headers, body: html };
      await page.goto(address);
      return page;
    },
  };
}

const longest = "x".repeat(4096);
/** Texts that mean something to a parser of HTML, of CSS or of text in two directions. */
const pieces = [
  "<script>document.title='taken'</script>",
  "</style></title></bdi></svg></p></details>",
  "<img src=https://evil.example/x onerror=alert(1)>",
  '" onmouseover="alert(1)" x=\'',
  "<!-- ]]> --><![CDATA[",
  "&lt;script&gt;&#60;",
  "\u202e\u2066\u2067\u202d\u200f",
  "مرحبا بالعالم",
  "javascript:alert(1)",
  "url(https://evil.example)",
  "{{points}} %@",
  "\ud800\u0000\u001b\u2028",
  "<meta http-equiv=refresh content=0;url=https://evil.example>",
  "<base href=https://evil.example>",
  longest,
];
const hostile = fc.oneof(
  fc.constantFrom(...pieces),
  fc.array(fc.constantFrom(...pieces.slice(0, -1)), { maxLength: 6 }).map((some) => some.join("")),
  fc.string({ unit: "binary", maxLength: 200 }),
);
const hostileInput = fc
  .record({
    type: fc.constantFrom(...allTypes),
    device: fc.constantFrom("apple" as const, "desktop" as const),
    wanted: fc.constantFrom([], ["ar"], ["de"]),
    format: fc.constantFrom(...barcodeFormats),
    texts: fc.array(hostile, { minLength: 12, maxLength: 12 }),
  })
  .map(({ type, device, wanted, format, texts }): PassPageInput => {
    const text = (at: number) => texts[at % texts.length] ?? "";
    const tame = pageInput(type);
    const data = Object.fromEntries(Object.keys(tame.pass.data).map((key, i) => [key, text(i)]));
    const { content } = tame.template.version;
    const header = {
      ...examples[type].header,
      organization_name: text(1),
      description: text(2),
      logo_text: text(3),
      page_text: text(10),
      background_color: text(4),
    };
    const fields = content.fields.map((field, i) => ({ ...field, label: text(i + 5) }));
    const barcode = { format, message: text(6), alt_text: text(7) };
    const input = withData(withContent(tame, { header, fields, barcode }), data);
    const message = { id: "m", header: text(8), body: text(9), at: tame.nowMs };
    const language = passLanguage(wanted, tame.template, new Map());
    return { ...input, device, language, pass: { ...input.pass, message } };
  });

/** What the browser's parser made of the page, as far as a tame pass leaves it the same whatever it says. */
const anatomy = `({
  elements: [...new Set([...document.querySelectorAll("*")].map((e) => e.localName))].filter((n) => !known.has(n)),
  handlers: [...document.querySelectorAll("*")].flatMap((e) => e.getAttributeNames()).filter((n) => n.startsWith("on")),
  styles: document.querySelectorAll("style,[style]").length,
  mains: document.querySelectorAll("body>main").length,
  footers: document.querySelectorAll("body>footer").length,
  children: document.body.children.length,
  links: [...document.links].map((a) => a.href),
  width: document.documentElement.scrollWidth,
  button: document.querySelector("a.add").getBoundingClientRect().width > 200,
})`;
const known = `new Set(("html head meta title link style body main header footer p h1 h2 bdi div article section img dl dt dd" +
  " svg path circle ul li a span small i details summary time").split(" "))`;

t.test("whatever a template or a pass says, the browser sees the same page around it", async (t) => {
  const window = await openWindow();
  t.teardown(() => window.close());
  const tame = pageInput("LoyaltyCard");
  await fc.assert(
    fc.asyncProperty(hostileInput, async (input) => {
      const page = await window.show(input);
      const seen = await page.evaluate(`(() => { const known = ${known}; return ${anatomy} })()`);
      assert.deepStrictEqual(seen, {
        elements: [],
        handlers: [],
        styles: 1,
        mains: 1,
        footers: 1,
        children: 2,
        links: [tame.pkpassUrl, tame.googleSaveUrl],
        width: 390,
        button: true,
      });
    }),
    { numRuns: 30, seed: 20_261_201 },
  );
  t.strictSame(
    window.asked.filter((url) => url !== address && !url.endsWith("/favicon.ico")),
    [],
    "nothing else was asked for",
  );
  t.strictSame(
    window.complaints.filter((said) => !/favicon/.test(said)),
    [],
  );
});

/** The least contrast (WCAG 2.2) of any text on the page with the colour behind it; text on pictures aside. */
const leastContrast = `(() => {
  const channels = (colour) => {
    const canvas = new OffscreenCanvas(1, 1).getContext("2d", { willReadFrequently: true });
    canvas.fillStyle = colour;
    canvas.fillRect(0, 0, 1, 1);
    return [...canvas.getImageData(0, 0, 1, 1).data];
  };
  const over = ([r, g, b, a], under) => [r, g, b].map((c, i) => c * (a / 255) + under[i] * (1 - a / 255));
  const luminance = (rgb) => {
    const [r, g, b] = rgb.map((c) => (c / 255 <= 0.04045 ? c / 255 / 12.92 : ((c / 255 + 0.055) / 1.055) ** 2.4));
    return 0.2126 * r + 0.7152 * g + 0.0722 * b;
  };
  const behind = (element) => {
    if (element === null) return channels("Canvas").slice(0, 3);
    const [r, g, b, a] = channels(getComputedStyle(element).backgroundColor);
    return a === 255 ? [r, g, b] : over([r, g, b, a], behind(element.parentElement));
  };
  let least = { ratio: 21, text: "" };
  const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
  while (walker.nextNode()) {
    const text = walker.currentNode;
    const element = text.parentElement;
    if (text.data.trim() === "" || element.closest("svg") || !element.checkVisibility()) continue;
    const back = behind(element);
    const front = over(channels(getComputedStyle(element).color), back);
    const [light, dark] = [luminance(front), luminance(back)].sort((a, b) => b - a);
    const ratio = (light + 0.05) / (dark + 0.05);
    if (ratio < least.ratio) least = { ratio, text: text.data };
  }
  return least;
})()`;

for (const colorScheme of ["light", "dark"] as const) {
  for (const width of [320, 820, 1280]) {
    t.test(
      `at ${width} pixels and ${colorScheme}, all can be read, reached by key and nothing sticks out`,
      async (t) => {
        const window = await openWindow({ width, colorScheme });
        t.teardown(() => window.close());
        for (const type of allTypes) {
          const message = { id: "m", header: "Hello", body: "there", at: 0 };
          const tame = pageInput(type);
          const device = width > 900 ? "desktop" : "apple";
          const page = await window.show({ ...tame, device, pass: { ...tame.pass, message } });
          const least = (await page.evaluate(leastContrast)) as { ratio: number; text: string };
          t.ok(least.ratio >= 4.5, `${type}: ${least.ratio} of ${least.text}`);
          t.equal(await page.evaluate("document.documentElement.scrollWidth"), width, type);
          const reached: string[] = [];
          for (let i = 0; i < 3; i++) {
            await page.keyboard.press("Tab");
            reached.push(String(await page.evaluate("document.activeElement.localName")));
          }
          t.strictSame(reached, ["a", "a", "summary"], type);
          await page.keyboard.press("Enter");
          t.ok(await page.locator(".back").isVisible(), "the back unfolds");
        }
      },
    );
  }
}

t.test("a screen reader finds the parts of the page by role and name", async (t) => {
  const window = await openWindow({ width: 1280 });
  t.teardown(() => window.close());
  const page = await window.show({ ...pageInput("BoardingPass"), device: "desktop" });
  for (const [role, name] of [
    ["heading", "Boarding pass Rome to Lisbon"],
    ["article", "Front of the pass: Boarding pass Rome to Lisbon"],
    ["img", "PDF417 barcode: ABC123"],
    ["img", "QR code with the address of this page"],
    ["img", "to"],
    ["region", "Add to a wallet"],
    ["link", "Add to Apple Wallet"],
    ["link", "Add to Google Wallet"],
    ["contentinfo", undefined],
    ["main", undefined],
  ] as const) {
    const found = page.getByRole(role, name === undefined ? {} : { name, exact: true });
    t.equal(await found.count(), 1, `${role} ${name}`);
  }
});

t.test("the page is whole without scripts", async (t) => {
  const window = await openWindow({ javaScriptEnabled: false });
  t.teardown(() => window.close());
  const page = await window.show(pageInput("LoyaltyCard"));
  await page.locator("summary").click();
  t.ok(await page.getByText("Points are valid for 24 months.").isVisible());
});

t.test("on paper there are front, code and back, and no buttons", async (t) => {
  const window = await openWindow({ width: 800, colorScheme: "dark" });
  t.teardown(() => window.close());
  const page = await window.show({ ...pageInput("LoyaltyCard"), device: "desktop" });
  await page.emulateMedia({ media: "print" });
  t.ok(await page.locator("svg.qr").first().isVisible());
  t.ok(await page.getByText("Points are valid for 24 months.").isVisible());
  t.notOk(await page.getByRole("link").first().isVisible());
  t.equal(await page.evaluate("getComputedStyle(document.body).backgroundColor"), "rgb(255, 255, 255)");
});

t.test("for a reader of Arabic the page runs from right to left", async (t) => {
  const window = await openWindow({ width: 1280 });
  t.teardown(() => window.close());
  const input = pageInput("LoyaltyCard");
  const page = await window.show({ ...input, language: passLanguage(["ar"], input.template, new Map()) });
  const left = async (selector: string) => (await page.locator(selector).boundingBox())?.x ?? 0;
  t.ok((await left(".front")) > (await left(".actions")), "the front stands on the right");
  t.ok((await left(".heads")) < (await left(".logo-text")), "and begins there");
  t.equal(await page.evaluate("document.documentElement.scrollWidth"), 1280);
});
