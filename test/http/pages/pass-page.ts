import t from "tap";
import type { PassStatus } from "../../../src/domain/passes/pass.ts";
import { barcodeFormats } from "../../../src/domain/templates/template.ts";
import { passLanguage } from "../../../src/http/pages/pass-language.ts";
import { renderPassPage } from "../../../src/http/pages/pass-page.ts";
import {
  allTypes,
  examples,
  googleSaveUrl,
  pageInput,
  pageUrl,
  providerEntry,
  withContent,
  withData,
} from "./fixtures/example-passes.ts";

const appleLink = `href="${pageUrl}/pass.pkpass"`;
const googleLink = `href="${googleSaveUrl}"`;
const refresh = /<meta http-equiv="refresh"/;

/** What a reader reads: the body without tags. */
function textOf(html: string): string {
  const body = /<body>([\s\S]*)<\/body>/.exec(html)?.[1] ?? "";
  return body.replace(/<[^>]*>/g, " ").replace(/\s+/g, " ");
}

for (const type of allTypes) {
  t.test(`the page of a ${type} shows every field, its code and both wallets in under 30 KB`, async (t) => {
    const page = await renderPassPage({ ...pageInput(type), device: "desktop" });
    t.equal(page.status, 200);
    const text = textOf(page.html);
    for (const [label, value] of Object.values(examples[type].values)) {
      t.ok(text.includes(label), label);
      t.ok(text.includes(value.replace(/\s+/g, " ")), value);
    }
    t.match(page.html, /<svg class="(qr|aztec|pdf417|code128)"[^>]*aria-labelledby="pass-code"/);
    t.ok(page.html.includes(appleLink));
    t.ok(page.html.includes(googleLink));
    t.ok(Buffer.byteLength(page.html) < 30_000, `${Buffer.byteLength(page.html)} bytes`);
  });

  t.test(`the page of a ${type} stays below 30 KB with a message, in the longest script`, async (t) => {
    const input = pageInput(type);
    const language = passLanguage(["ar"], input.template, new Map());
    const message = { id: "m", header: "Closed today", body: "Back on Friday", at: input.nowMs };
    const imageUrl = (name: string) => `/images/system/${"0".repeat(64)}.png?${name}`;
    const pass = { ...input.pass, message };
    const { html } = await renderPassPage({ ...input, pass, language, imageUrl, device: "desktop" });
    t.ok(Buffer.byteLength(html) < 30_000, `${Buffer.byteLength(html)} bytes`);
  });

  t.test(`the page of a ${type} loads nothing but images of this origin`, async (t) => {
    const page = await renderPassPage({ ...pageInput(type), imageUrl: (name) => `/images/${name}` });
    t.notMatch(page.html, /<script|<iframe|<object|<form|javascript:|data:|\son\w+=|\sstyle=/i);
    const loaded = [...page.html.matchAll(/\s(?:src|srcset)="([^"]*)"/g)].flatMap((match) =>
      (match[1] ?? "").split(", "),
    );
    t.ok(loaded.length > 0);
    for (const address of loaded) t.match(address, /^\/images\/[\w@.]+( [123]x)?$/);
    const links = [...page.html.matchAll(/\shref="([^"]*)"/g)].map((match) => match[1]);
    t.same(links, ["/images/icon@2x.png", `${pageUrl}/pass.pkpass`, googleSaveUrl]);
  });
}

t.test("the document has its language, one main, one heading and named parts", async (t) => {
  const { html } = await renderPassPage(pageInput("LoyaltyCard"));
  t.match(html, /^<!doctype html>\n<html lang="en" dir="ltr">/);
  for (const part of ["<main>", "<h1>", "<article ", "<footer>", "<details ", "<summary>"]) {
    t.equal(html.split(part).length, 2, part);
  }
  t.match(html, 'aria-label="Front of the pass: Aurora loyalty card"');
  t.match(html, '<section class="actions" aria-label="Add to a wallet">');
  t.match(html, "<dt><bdi>Points</bdi></dt>");
});

t.test("the logo says the organisation's name only where no text does", async (t) => {
  const input = { ...pageInput("LoyaltyCard"), imageUrl: (name: string) => `/images/${name}` };
  t.match((await renderPassPage(input)).html, /<img class="logo"[^>]* alt=""/);
  const { logo_text: _, ...header } = examples.LoyaltyCard.header;
  const wordless = await renderPassPage(withContent(input, { header }));
  t.match(wordless.html, /<img class="logo"[^>]* alt="Caffè Aurora"/);
});

t.test("each type draws its own images and no others", async (t) => {
  const drawn = async (type: (typeof allTypes)[number]) => {
    const { html } = await renderPassPage({ ...pageInput(type), imageUrl: (name) => `/images/${name}` });
    return [...html.matchAll(/<img[^>]* src="\/images\/(\w+)\.png"/g)].map((match) => match[1]);
  };
  t.same(await drawn("LoyaltyCard"), ["logo", "strip"]);
  t.same(await drawn("Coupon"), ["logo", "strip"]);
  t.same(await drawn("EventTicket"), ["background", "logo", "thumbnail"]);
  t.same(await drawn("BoardingPass"), ["logo", "footer"]);
  t.same(await drawn("Generic"), ["logo", "thumbnail"]);
});

t.test("a boarding pass leads from its first primary field to its second, by its vehicle", async (t) => {
  const input = pageInput("BoardingPass");
  const text = (await renderPassPage(input)).html;
  t.match(text, /class="from">.*FCO.*aria-label="to".*class="to">.*LIS/);
  const train = { boardingPass: { transitType: "PKTransitTypeTrain" } };
  t.not((await renderPassPage(withContent(input, { apple: train }))).html, text);
});

t.test("labels and formats of the template's apple part are Wallet's, so they are the page's", async (t) => {
  const apple = {
    storeCard: { primaryFields: [{ key: "balance", label: "Left for {{to}}", currencyCode: "EUR" }] },
  };
  const input = withData(withContent(pageInput("GiftCard"), { apple }), { balance: "1250" });
  t.match(textOf((await renderPassPage(input)).html), /Left for Luca +€1,250\.00/);
});

t.test("Apple stands first on an Apple device and a desktop, Google on Android", async (t) => {
  const order = async (device: "apple" | "android" | "desktop") => {
    const { html } = await renderPassPage({ ...pageInput("Coupon"), device });
    return [...html.matchAll(/Add to (Apple|Google) Wallet/g)].map((match) => match[1]);
  };
  t.same(await order("apple"), ["Apple", "Google"]);
  t.same(await order("desktop"), ["Apple", "Google"]);
  t.same(await order("android"), ["Google", "Apple"]);
});

t.test("only a desktop gets the code of the page's address", async (t) => {
  for (const device of ["apple", "android"] as const) {
    t.notMatch((await renderPassPage({ ...pageInput("Coupon"), device })).html, 'id="page-code"');
  }
  const { html } = await renderPassPage({ ...pageInput("Coupon"), device: "desktop" });
  t.match(html, '<title id="page-code">QR code with the address of this page</title>');
});

type Expected = { apple: boolean; google: boolean; says: RegExp | null; refreshes: boolean };
const byStatus: Record<Exclude<PassStatus, "revoked">, Expected> = {
  pending: { apple: false, google: false, says: /Apple Wallet being prepared/, refreshes: true },
  partial: { apple: true, google: false, says: /Google Wallet being prepared/, refreshes: true },
  active: { apple: true, google: true, says: null, refreshes: false },
  updating: { apple: true, google: true, says: /New details are on their way/, refreshes: true },
  revoking: { apple: false, google: false, says: /Google Wallet no longer available/, refreshes: false },
  failed: { apple: false, google: false, says: /could not be put into a wallet/, refreshes: false },
};

for (const [status, expected] of Object.entries(byStatus)) {
  t.test(`a pass that is ${status} links only what its wallets have, and says the rest`, async (t) => {
    const page = await renderPassPage(pageInput("LoyaltyCard", status as PassStatus));
    t.equal(page.status, 200);
    t.equal(page.html.includes(appleLink), expected.apple);
    t.equal(page.html.includes(googleLink), expected.google);
    t.equal(refresh.test(page.html), expected.refreshes);
    t.equal(/no-cache/.test(page.headers["Cache-Control"] ?? ""), expected.refreshes);
    if (expected.says === null) t.notMatch(textOf(page.html), /being prepared|not available|no longer/);
    else t.match(textOf(page.html), expected.says);
    t.match(textOf(page.html), "Apple Wallet");
    t.match(textOf(page.html), "Google Wallet");
  });
}

t.test("an address does not make a link of a wallet that never had the pass", async (t) => {
  const input = { ...pageInput("Coupon", "pending"), pkpassUrl: "/p/x/pass.pkpass", googleSaveUrl };
  t.notMatch((await renderPassPage(input)).html, /<a /);
});

t.test("one wallet that failed for good is said so, while the other works", async (t) => {
  const input = pageInput("Coupon", "partial");
  const providers = { ...input.pass.providers, google: providerEntry("failed") };
  const { html } = await renderPassPage({ ...input, pass: { ...input.pass, providers } });
  t.ok(html.includes(appleLink));
  t.match(textOf(html), "Google Wallet not available at the moment");
  t.notMatch(html, refresh);
});

t.test("a wallet that the pass is not made for is named and said so", async (t) => {
  const input = pageInput("Coupon");
  const { google: _, ...providers } = input.pass.providers;
  const { html } = await renderPassPage({ ...input, pass: { ...input.pass, providers } });
  t.match(textOf(html), "Google Wallet not offered for this pass");
  t.notOk(html.includes(googleLink));
});

t.test("a revoked pass is a 410 that shows nothing of it", async (t) => {
  const page = await renderPassPage(pageInput("LoyaltyCard", "revoked"));
  t.equal(page.status, 410);
  t.notMatch(page.html, /Aurora|Maria|4821|<a /);
});

t.test("the page tells nothing that is not the holder's", async (t) => {
  const { pass } = pageInput("LoyaltyCard");
  const { html } = await renderPassPage({ ...pageInput("LoyaltyCard"), pkpassUrl: null });
  for (const secret of [pass.authenticationToken, pass.tenantId, pass.jobId, pass.externalRef]) {
    t.notOk(html.includes(secret));
  }
});

const knownTags = new Set(
  `html head meta title link style body main header footer p h1 h2 bdi div article section img dl dt dd
  svg path circle ul li a span small i details summary time`.split(/\s+/),
);
const hostile = [
  "<script>alert(1)</script>",
  "</style></title></bdi></svg><img src=x onerror=alert(1)>",
  `" onmouseover="alert(1)" x='`,
  "<!-- --> ]]> &lt;script&gt;",
  "\u202e\u2066\u200f right to left \u202d",
  "{{name}} %@ \\u003cscript\\u003e",
  "x".repeat(4096),
  "&".repeat(4096),
  "\u0000\u001b[31m\ud800",
];

for (const value of hostile) {
  t.test(`a hostile ${JSON.stringify(value.slice(0, 24))} is only ever text`, async (t) => {
    for (const type of allTypes) {
      const tame = pageInput(type);
      const data = Object.fromEntries(Object.keys(tame.pass.data).map((key) => [key, value]));
      const header = {
        ...examples[type].header,
        organization_name: value,
        description: value,
        logo_text: value,
        background_color: value,
        foreground_color: value,
        label_color: value,
      };
      const { content } = tame.template.version;
      const fields = content.fields.map((field) => ({ ...field, label: value }));
      const barcode = { format: "qr" as const, message: value, alt_text: value };
      const input = withData(withContent(tame, { header, fields, barcode }), data);
      const { html, headers } = await renderPassPage({ ...input, device: "desktop" });
      const tags = [...html.matchAll(/<\/?([a-zA-Z!?][\w-]*)/g)].map((match) => match[1] ?? "");
      t.same(
        tags.filter((tag) => !knownTags.has(tag) && tag !== "!doctype"),
        [],
      );
      t.notMatch(html, /\son\w+="/);
      t.equal(html.split("<style>").length, 2);
      t.equal(html.split("<bdi>").length, html.split("</bdi>").length);
      t.match(html, "--bg:#f2f2f5;");
      for (const line of Object.values(headers)) t.match(line, /^[\x20-\x7e]+$/);
    }
  });
}

t.test("hostile addresses make no links", async (t) => {
  const input = {
    ...pageInput("Coupon"),
    pkpassUrl: "javascript:alert(1)",
    googleSaveUrl: "data:text/html,x",
  };
  t.notMatch((await renderPassPage(input)).html, /<a |javascript:|data:/);
});

for (const format of barcodeFormats) {
  t.test(`a ${format} code has its alt text as its name and under it`, async (t) => {
    const barcode = { format, message: "BV-{{until}}", alt_text: "No. {{until}}" };
    const { html } = await renderPassPage(
      withData(withContent(pageInput("Coupon"), { barcode }), { until: "17" }),
    );
    t.match(html, new RegExp(`<svg class="${format}".*<title id="pass-code">[^<]+: No\\. 17</title>`));
    t.match(html, '<p class="alt"><bdi>No. 17</bdi></p>');
  });

  t.test(`a ${format} code that cannot be drawn is written out instead`, async (t) => {
    const barcode = { format, message: `BV-${"9".repeat(3000)}` };
    const { html } = await renderPassPage(withContent(pageInput("Coupon"), { barcode }));
    t.notMatch(html, 'id="pass-code"');
    t.match(html, /<p class="alt"><bdi>BV-9+<\/bdi><\/p>/);
  });
}

t.test("without a barcode, or with an empty message, there is no panel for one", async (t) => {
  const none = await renderPassPage(withContent(pageInput("Coupon"), { barcode: null }));
  t.notMatch(none.html, '<div class="code');
  const empty = { format: "qr" as const, message: "{{unknown}}" };
  t.notMatch(
    (await renderPassPage(withContent(pageInput("Coupon"), { barcode: empty }))).html,
    '<div class="code',
  );
});

t.test("fields without a value, and a back without fields, are left out", async (t) => {
  const { html } = await renderPassPage(withData(pageInput("Coupon"), { where: " ", terms: "" }));
  t.notMatch(html, "<bdi>Where</bdi>");
  t.notMatch(html, "<details");
});

t.test("what the issuer has to say stands below the heading, line by line", async (t) => {
  const input = pageInput("LoyaltyCard");
  const header = { ...examples.LoyaltyCard.header, page_text: "Show it at the till.\nSee <you>!" };
  const { html } = await renderPassPage(withContent(input, { header }));
  t.match(html, '</h1><p class="said"><bdi>Show it at the till.\nSee &lt;you&gt;!</bdi></p></header>');
  t.notMatch((await renderPassPage(input)).html, '<p class="said">');
});

t.test("the latest message stands on the page, in its sender's words, with its instant", async (t) => {
  const input = pageInput("LoyaltyCard");
  const message = {
    id: "m",
    header: "Closed <today>",
    body: "Back on\nFriday",
    at: Date.UTC(2026, 10, 20, 9),
  };
  const { html } = await renderPassPage({ ...input, pass: { ...input.pass, message } });
  t.match(html, "<h2>Message from the issuer</h2>");
  t.match(html, '<p class="head" lang=""><bdi>Closed &lt;today&gt;</bdi></p>');
  t.match(html, '<p class="said" lang=""><bdi>Back on\nFriday</bdi></p>');
  t.match(html, '<time datetime="2026-11-20T09:00:00.000Z"><bdi>20 Nov 2026, 09:00 UTC</bdi></time>');
  t.notMatch((await renderPassPage(input)).html, "Message from the issuer");
});

t.test("a pass that has expired says since when, from that instant on", async (t) => {
  const input = withContent(pageInput("Coupon"), { apple: { expirationDate: "2027-06-12T19:30+02:00" } });
  const at = Date.parse("2027-06-12T17:30:00Z");
  t.match(
    textOf((await renderPassPage({ ...input, nowMs: at })).html),
    /has expired\. It was valid until +12 Jun 2027, 17:30 UTC/,
  );
  t.notMatch((await renderPassPage({ ...input, nowMs: at - 1 })).html, "has expired");
});

t.test("fields that only the template's apple part has stand behind the others", async (t) => {
  const apple = {
    storeCard: {
      backFields: [
        { key: "terms", value: "Other terms" },
        { key: "shop", label: "Shop", value: "Via Roma 1" },
        { key: "year", label: "Since", value: 1987 },
      ],
    },
    coupon: { backFields: [{ key: "alien", label: "Alien", value: "x" }] },
  };
  const text = textOf((await renderPassPage(withContent(pageInput("LoyaltyCard"), { apple }))).html);
  t.match(text, /Terms +Other terms .*Questions .*Shop +Via Roma 1 +Since +1987/);
  t.notMatch(text, "Alien");
});

const appleCodes = {
  PKBarcodeFormatCode39: ["ABC-123", "code39"],
  PKBarcodeFormatCodabar: ["A40156B", "codabar"],
  PKBarcodeFormatEAN13: ["4006381333931", "ean13"],
  PKBarcodeFormatI2of5: ["123456", "i2of5"],
  PKBarcodeFormatAztec: ["{{until}}", "aztec"],
} as const;

for (const [format, [message, drawn]] of Object.entries(appleCodes)) {
  t.test(`${format} of the apple part is drawn where the template has no code for all wallets`, async (t) => {
    const apple = {
      barcodes: [
        { format: "PKBarcodeFormatNew", message },
        { format, message, altText: "No. 7" },
      ],
    };
    const { html } = await renderPassPage(withContent(pageInput("Coupon"), { barcode: null, apple }));
    t.match(html, new RegExp(`<svg class="${drawn}".*<title id="pass-code">[^<]+: No\\. 7</title>`));
    const both = await renderPassPage(withContent(pageInput("Coupon"), { apple }));
    t.match(both.html, '<svg class="code128"');
  });
}

t.test("whoever gets the link sent sees its name and its issuer's, and no data of the pass", async (t) => {
  const { html } = await renderPassPage(pageInput("LoyaltyCard"));
  const shared = [...html.matchAll(/<meta property="og:([\w:]+)" content="([^"]*)">/g)].map(
    ([, name, value]) => [name, value],
  );
  t.strictSame(Object.fromEntries(shared), {
    type: "website",
    title: "Aurora loyalty card",
    site_name: "Caffè Aurora",
    url: pageUrl,
    image: `${pageUrl}/preview.png`,
    "image:type": "image/png",
    "image:width": "1200",
    "image:height": "630",
  });
});

t.test("a pass that only test accounts can save says so next to Google's button", async (t) => {
  const input = pageInput("LoyaltyCard");
  t.notMatch((await renderPassPage(input)).html, /Test only/);
  const google = { ...providerEntry("completed"), testOnly: true };
  const providers = { ...input.pass.providers, google };
  const { html } = await renderPassPage({ ...input, pass: { ...input.pass, providers } });
  t.match(html, /Add to Google Wallet <small>Test only/);
  t.notMatch(html, /Add to Apple Wallet <small>/);
});
