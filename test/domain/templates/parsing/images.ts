import t from "tap";
import { soundDocument, toldOf } from "../fixtures/authored.ts";
import { icons, pngOf } from "../fixtures/png.ts";

type Files = Record<string, Uint8Array | null>;

/** The sound icons with these files; null takes one away. */
function files(changes: Files): Map<string, Uint8Array> {
  const images: Map<string, Uint8Array | null> = new Map([...icons(), ...Object.entries(changes)]);
  return new Map([...images].filter((entry): entry is [string, Uint8Array] => entry[1] !== null));
}

/** A slot in all scales, as large as it may be. */
function slot(name: string, width: number, height: number): Files {
  return {
    [`${name}.png`]: pngOf(width, height),
    [`${name}@2x.png`]: pngOf(width * 2, height * 2),
    [`${name}@3x.png`]: pngOf(width * 3, height * 3),
  };
}

const strip = slot("strip", 375, 144);
const logo = slot("logo", 160, 50);
const noisy = (length: number): Uint8Array => {
  const png = Buffer.from(pngOf(38, 38));
  // A chunk of its own, before the last one, as editors add them for their notes.
  const notes = Buffer.alloc(length - png.length);
  notes.writeUInt32BE(notes.length - 12);
  notes.write("teXt", 4, "latin1");
  return Buffer.concat([png.subarray(0, -12), notes, png.subarray(-12)]);
};

// biome-ignore format: read as a table
const refused: [name: string, changes: Files, expected: string][] = [
  ["no icon",               { "icon.png": null },                     "images/icon.png is missing: Apple Wallet refuses a pass without an icon; add one of 38 x 38 pixels"],
  ["a name of no slot",     { "banner.png": pngOf(1, 1) },            "images/banner.png has a name that no image has: rename or remove it; there are icon.png, logo.png, strip.png, thumbnail.png, background.png, footer.png, artwork.png, primaryLogo.png, secondaryLogo.png, hero.png, @2x and @3x"],
  ["a misspelt name",       { "thumnail.png": pngOf(90, 90) },        "images/thumnail.png has a name that no image has: did you mean thumbnail.png?"],
  ["a capital letter",      { "Logo.png": pngOf(1, 1) },              "images/Logo.png has a name that no image has: did you mean logo.png?"],
  ["a scale of 4",          { "logo@4x.png": pngOf(1, 1) },           "images/logo@4x.png has a name that no image has: did you mean logo.png?"],
  ["a scaled banner",       { "hero@2x.png": pngOf(1, 1) },           "images/hero@2x.png has a name that no image has: did you mean hero.png?"],
  ["another file type",     { "icon.jpg": pngOf(1, 1) },              "images/icon.jpg has a name that no image has: did you mean icon.png?"],
  ["a JPEG as a PNG",       { "hero.png": Buffer.from("\xff\xd8\xff", "latin1") }, "images/hero.png is no PNG but a JPEG: save it as one"],
  ["a PNG cut off",         { "hero.png": pngOf(1032, 336).subarray(0, 40) },      "images/hero.png is a PNG that is cut off: copy it anew"],
  ["too many pixels",       { "hero.png": pngOf(4097, 1) },           "images/hero.png is 4097 x 1 pixels: make it smaller, 4096 a side are the most"],
  ["too many bytes",        { "icon.png": noisy(2 * 1024 * 1024 + 1) }, "images/icon.png is larger than 2 MiB (2097152 bytes): make it smaller"],
  ["texts of no language",  { "pass.strings": Buffer.from("") },      "images/pass.strings has a name that no image has: rename or remove it; there are icon.png, logo.png, strip.png, thumbnail.png, background.png, footer.png, artwork.png, primaryLogo.png, secondaryLogo.png, hero.png, @2x and @3x"],
  ["a folder of no language", { "old/hero.png": pngOf(1032, 336) },   "images/old is no folder of a language: move its files, or call it like fr.lproj"],
  ["a language with _",     { "pt_BR.lproj/hero.png": pngOf(1032, 336) }, 'images/pt_BR.lproj has "pt_BR" for a language, which is no language tag (BCP 47): did you mean pt-BR.lproj?'],
  ["a language by name",    { "french.lproj/hero.png": pngOf(1032, 336) }, 'images/french.lproj has "french" for a language, which is no language tag (BCP 47): did you mean fr.lproj?'],
  ["an unknown language",   { "xx.lproj/hero.png": pngOf(1032, 336) }, 'images/xx.lproj has "xx" for a language, which is no language tag (BCP 47): name it like fr.lproj, pt-BR.lproj or zh-Hans.lproj'],
  ["an unknown file there", { "fr.lproj/notes.txt": Buffer.from("") }, "images/fr.lproj/notes.txt has a name that no image has: rename or remove it; there are icon.png, logo.png, strip.png, thumbnail.png, background.png, footer.png, artwork.png, primaryLogo.png, secondaryLogo.png, hero.png, @2x and @3x"],
  ["misspelt texts",        { "fr.lproj/pass.string": Buffer.from("") }, "images/fr.lproj/pass.string has a name that no image has: did you mean pass.strings?"],
  ["broken texts",          { "fr.lproj/pass.strings": Buffer.from('"a" = "b";\n\n"c" = d;\n') }, 'images/fr.lproj/pass.strings is not understood in line 3: every entry is "key" = "value";'],
  ["texts in Latin-1",      { "fr.lproj/pass.strings": Buffer.from('"a" = "\xe9";', "latin1") }, "images/fr.lproj/pass.strings is neither UTF-8 nor UTF-16 with a byte order mark: save it as one of them"],
];

for (const [name, changes, expected] of refused) {
  t.test(`${name}: refused, and nothing else is`, async (t) => {
    t.strictSame(toldOf(soundDocument, files(changes)).errors, [expected]);
  });
}

// biome-ignore format: read as a table
const doubtful: [name: string, type: string, changes: Files, expected: string][] = [
  ["an icon of the old size", "Coupon",       { "icon.png": pngOf(29, 29) },           "images/icon.png is 29 x 29 pixels, and must be exactly 38 x 38: draw it anew"],
  ["a scale in the wrong size", "Coupon",     { "icon@2x.png": pngOf(38, 38) },        "images/icon@2x.png is 38 x 38 pixels, and must be exactly 76 x 76: draw it anew"],
  ["a wide logo",             "Coupon",       { ...logo, "logo.png": pngOf(161, 50) }, "images/logo.png is 161 x 50 pixels, and must be at most 160 x 50: draw it anew"],
  ["a high logo",             "Coupon",       { ...logo, "logo@3x.png": pngOf(480, 151) }, "images/logo@3x.png is 480 x 151 pixels, and must be at most 480 x 150: draw it anew"],
  ["a small strip",           "Coupon",       { ...strip, "strip.png": pngOf(320, 123) }, "images/strip.png is 320 x 123 pixels, and must be exactly 375 x 144: draw it anew"],
  ["a small banner",          "Coupon",       { "hero.png": pngOf(516, 168) },         "images/hero.png is 516 x 168 pixels, and Google Wallet's banner is 1032 x 336: draw it anew"],
  ["no @3x",                  "Coupon",       { "icon@3x.png": null },                 "images/icon@3x.png is missing: without it some devices show icon blurred or not at all"],
  ["no @1x",                  "Coupon",       { ...logo, "logo.png": null },           "images/logo.png is missing: without it some devices show logo blurred or not at all"],
  ["no @2x in a language",    "Coupon",       { "fr.lproj/logo.png": pngOf(160, 50), "fr.lproj/logo@3x.png": pngOf(480, 150) }, "images/fr.lproj/logo@2x.png is missing: without it some devices show logo blurred or not at all"],
  ["a footer",                "Coupon",       slot("footer", 286, 15),                 "images/footer.png is not shown on a Coupon, only on BoardingPass: remove it"],
  ["a thumbnail",             "GiftCard",     slot("thumbnail", 90, 90),               "images/thumbnail.png is not shown on a GiftCard, only on MembershipCard, Generic, EventTicket: remove it"],
  ["a strip beside a banner", "Generic",      { ...strip, "hero.png": pngOf(1032, 336) }, "images/strip.png is not shown on a Generic, only on LoyaltyCard, GiftCard, Coupon, EventTicket: remove it"],
  ["a strip over a thumbnail", "EventTicket", { ...strip, ...slot("thumbnail", 90, 90) }, "images/strip.png hides thumbnail on an event ticket: remove it, or them"],
  ["a poster's picture",      "EventTicket",  slot("artwork", 358, 448),               "images/artwork.png is not shown on an EventTicket, only on posterEventTicket, posterGeneric: ask for a poster in /apple, or remove it"],
  ["a background",            "MembershipCard", slot("background", 345, 505),          "images/background.png is not shown on a MembershipCard, only on EventTicket, posterGeneric: ask for a poster in /apple, or remove it"],
  ["many bytes",              "Coupon",       { "icon.png": noisy(250_001) },          "images has N bytes, which travel in every pass: keep all images below 250000 bytes"],
];

for (const [name, type, changes, expected] of doubtful) {
  t.test(`${name} on a ${type}: a warning, and stops nothing`, async (t) => {
    const told = toldOf({ ...soundDocument, template_type: type }, files(changes));
    t.strictSame(told.errors, []);
    t.strictSame(
      told.warnings.map((warning) => warning.replace(/ has \d+ bytes/, " has N bytes")),
      [expected],
    );
  });
}

t.test("every slot is right in its own sizes, smaller where it may be", async (t) => {
  // biome-ignore format: read as a table
  const sound: [type: string, changes: Files][] = [
    ["Coupon",       { ...logo, ...strip, "hero.png": pngOf(1032, 336) }],
    ["Coupon",       slot("logo", 20, 50)],
    ["EventTicket",  { ...slot("background", 345, 505), ...slot("thumbnail", 90, 90) }],
    ["BoardingPass", slot("footer", 286, 15)],
    ["Generic",      strip],
    ["Coupon",       { "zh-Hans.lproj/pass.strings": Buffer.from('\ufeff/* hi */ "Points" = "b\\"";\n', "utf16le"), "pt-BR.lproj/hero.png": pngOf(1032, 336) }],
    ["Coupon",       { "en.lproj/pass.strings": Buffer.from('\n// nothing yet\n') }],
  ];
  for (const [type, changes] of sound) {
    t.strictSame(
      toldOf({ ...soundDocument, template_type: type }, files(changes)),
      { errors: [], warnings: [] },
      `${type}: ${Object.keys(changes)[0]}`,
    );
  }
});

t.test("the pictures of posters are shown where a poster is asked for", async (t) => {
  const logos = { ...slot("primaryLogo", 126, 30), ...slot("secondaryLogo", 135, 12) };
  const artwork = slot("artwork", 358, 448);
  // biome-ignore format: read as a table
  const posters: [type: string, apple: object, changes: Files][] = [
    ["EventTicket",    { preferredStyleSchemes: ["posterEventTicket", "eventTicket"] },       { ...artwork, ...logos }],
    ["BoardingPass",   { preferredStyleSchemes: ["semanticBoardingPass", "boardingPass"] },   logos],
    ["MembershipCard", { posterGeneric: {} },                                                 { ...artwork, ...slot("background", 345, 505) }],
  ];
  for (const [type, apple, changes] of posters) {
    const { warnings } = toldOf({ ...soundDocument, template_type: type, apple }, files(changes));
    t.strictSame(
      warnings.filter((warning) => warning.startsWith("images/")),
      [],
      type,
    );
  }
});

t.test("a template for Google alone needs no icon and no scales", async (t) => {
  const document = { ...soundDocument, providers: ["google"] };
  t.strictSame(toldOf(document, new Map()), { errors: [], warnings: [] });
  t.strictSame(toldOf(document, new Map([["logo.png", pngOf(160, 50)]])), { errors: [], warnings: [] });
});

t.test("texts of a language need no name in the header, and may have one", async (t) => {
  const images = files({ "fr.lproj/pass.strings": Buffer.from('"Points" = "Beans";') });
  const named = (names: string[]): object => ({
    ...soundDocument,
    header: { ...soundDocument.header, images: names },
  });
  const pictures = [...icons().keys()];
  for (const names of [pictures, [...pictures, "fr.lproj/pass.strings"]]) {
    t.strictSame(toldOf(named(names), images), { errors: [], warnings: [] });
  }
});

t.test("a folder with a wrong name is told once, whatever is in it", async (t) => {
  const told = toldOf(
    soundDocument,
    files({ "en_US.lproj/hero.png": pngOf(1032, 336), "en_US.lproj/pass.strings": Buffer.from("") }),
  );
  t.strictSame(told.errors, [
    'images/en_US.lproj has "en_US" for a language, which is no language tag (BCP 47): did you mean en-US.lproj?',
  ]);
});
