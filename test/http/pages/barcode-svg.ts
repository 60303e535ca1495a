import QRCode from "qrcode";
import t from "tap";
import { type BarcodeFormat, barcodeFormats } from "../../../src/domain/templates/template.ts";
import { barcodeSvg } from "../../../src/http/pages/barcode-svg.ts";
import { markupText } from "../../../src/http/pages/markup.ts";

const name = { id: "code", title: "A <code>" };

async function drawn(format: BarcodeFormat, message: string): Promise<string | null> {
  const markup = await barcodeSvg(format, message, name);
  return markup === null ? null : markupText(markup);
}

for (const format of barcodeFormats) {
  t.test(`${format} is an inline SVG with a name and nothing but shapes`, async (t) => {
    const svg = (await drawn(format, "TICKET-0042")) ?? "";
    t.match(
      svg,
      /^<svg class="\w+" viewBox="0 0 [1-9]\d* [1-9]\d*"[^<>]* role="img" aria-labelledby="code">/,
    );
    t.match(svg, '<title id="code">A &lt;code&gt;</title>');
    t.match(svg, /<path [^<>]+\/><\/svg>$/);
    t.same(
      [...svg.matchAll(/<([a-z]+)/g)]
        .map((tag) => tag[1])
        .filter((tag) => !/^(svg|title|path)$/.test(tag ?? "")),
      [],
    );
    t.notMatch(svg, /style=|xmlns|href|data:/);
  });

  t.test(`${format} of another message is another drawing`, async (t) => {
    t.not(await drawn(format, "TICKET-0042"), await drawn(format, "TICKET-0043"));
  });

  t.test(`${format} refuses an empty message and one that no screen can show`, async (t) => {
    t.equal(await drawn(format, ""), null);
    t.equal(await drawn(format, "x".repeat(4096)), null);
  });

  t.test(`${format} takes a boarding pass's or a UUID's worth of text`, async (t) => {
    const message =
      format === "code128" ? "019aa4c6-9a3b-7c1e-8f7a-0242ac120003" : "M1ROSSI/MARIA ".repeat(12);
    t.type(await drawn(format, message), "string");
  });
}

t.test(
  "the drawing of a QR code has exactly the encoder's dark modules, in a quiet zone of four",
  async (t) => {
    const message = "https://passes.example/p/3q2-7wAAAAAAAAAAAAAAAA";
    const { size, data } = QRCode.create(message, { errorCorrectionLevel: "M" }).modules;
    const svg = (await drawn("qr", message)) ?? "";
    t.match(svg, `viewBox="0 0 ${size + 8} ${size + 8}"`);
    const path = / d="([^"]+)"/.exec(svg)?.[1] ?? "";
    const dark = new Set<string>();
    let [x, y] = [0, 0];
    for (const [, move, dx = "", dy = "", run = ""] of path.matchAll(/([Mm])(\d+) (\d+(?:\.5)?)h(\d+)/g)) {
      x = move === "M" ? Number(dx) : x + Number(dx);
      y = move === "M" ? Math.floor(Number(dy)) : y;
      for (const end = x + Number(run); x < end; x++) dark.add(`${x - 4},${y - 4}`);
    }
    const expected = [...data.keys()]
      .filter((module) => data[module] === 1)
      .map((module) => `${module % size},${Math.floor(module / size)}`);
    t.same([...dark].sort(), expected.sort());
  },
);

t.test("Code 128 refuses what its readers do not agree about", async (t) => {
  t.equal(await drawn("code128", "caffè"), null);
});

t.test("half a surrogate pair is drawn as a replacement character", async (t) => {
  for (const format of ["qr", "pdf417", "aztec"] as const) {
    t.equal(await drawn(format, "a\ud800"), await drawn(format, "a\ufffd"), format);
  }
});

t.test("the other formats draw every script", async (t) => {
  for (const format of ["qr", "pdf417", "aztec"] as const) {
    for (const message of ["caffè perché", "日本語 ✓"])
      t.type(await drawn(format, message), "string", message);
  }
});
