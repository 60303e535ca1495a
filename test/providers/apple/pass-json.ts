import t from "tap";
import type { TemplateType } from "../../../src/domain/templates/template.ts";
import { isObject, type JsonObject } from "../../../src/providers/apple/apple-members.ts";
import { passJson, passJsonBytes } from "../../../src/providers/apple/pass-json.ts";
import { passTypeIdentifier, teamIdentifier } from "./fixtures/authority.ts";
import { type JobOptions, passToIssue } from "./fixtures/pass-to-issue.ts";

/** What Wallet would read: the bytes, parsed. */
function read(options: JobOptions = {}): JsonObject {
  const members = passJson(passToIssue(options), { passTypeIdentifier, teamIdentifier });
  return JSON.parse(passJsonBytes(members).toString("utf8"));
}

function storeCard(options: JobOptions): JsonObject {
  const { storeCard } = read(options);
  return isObject(storeCard) ? storeCard : {};
}

t.test("a loyalty card has every member that Wallet asks for", async (t) => {
  const barcode = {
    format: "PKBarcodeFormatQR",
    message: "M-customer-17",
    messageEncoding: "iso-8859-1",
    altText: "customer-17",
  };
  t.strictSame(read(), {
    formatVersion: 1,
    passTypeIdentifier,
    teamIdentifier,
    serialNumber: "0190a0a0-0000-7000-8000-000000000001",
    authenticationToken: "s3cr3t-token-of-more-than-16",
    webServiceURL: "https://passes.example.com/w/apple/0190a0a0-0000-7000-8000-0000000000ff",
    organizationName: "Café Zürich",
    description: "Loyalty card",
    logoText: "Zürich",
    backgroundColor: "rgb(10, 128, 255)",
    foregroundColor: "rgb(255, 255, 255)",
    labelColor: "rgb(0, 0, 0)",
    barcodes: [barcode],
    barcode,
    storeCard: {
      headerFields: [{ key: "points", label: "Points", value: "120", changeMessage: "Now %@ points" }],
      primaryFields: [{ key: "name", label: "Member", value: "Ada Lovelace" }],
      secondaryFields: [{ key: "number", label: "Number", value: "customer-17" }],
      backFields: [{ key: "terms", label: "Terms", value: "Not for resale." }],
    },
  });
});

t.test("each template type has its style", async (t) => {
  const styles: Record<TemplateType, string> = {
    LoyaltyCard: "storeCard",
    GiftCard: "storeCard",
    Coupon: "coupon",
    EventTicket: "eventTicket",
    BoardingPass: "boardingPass",
    MembershipCard: "generic",
    Generic: "generic",
  };
  const known = new Set(Object.values(styles));
  for (const [type, style] of Object.entries(styles)) {
    const members = Object.keys(read({ type: type as TemplateType }));
    t.strictSame(
      members.filter((member) => known.has(member)),
      [style],
      type,
    );
  }
});

t.test("a boarding pass flies unless its template says how else it travels", async (t) => {
  const type = "BoardingPass";
  t.match(read({ type }), { boardingPass: { transitType: "PKTransitTypeAir" } });
  const apple = { boardingPass: { transitType: "PKTransitTypeTrain" } };
  t.match(read({ type, content: { apple } }), {
    boardingPass: { transitType: "PKTransitTypeTrain", primaryFields: [{ key: "name" }] },
  });
  t.notHas(read(), { storeCard: { transitType: "PKTransitTypeAir" } });
});

t.test("a revoked pass is void, whatever its template says, and others do not speak of it", async (t) => {
  t.equal(read({ voided: true, content: { apple: { voided: false } } }).voided, true);
  t.notOk("voided" in read());
});

t.test("Code 128 stands in barcodes only, the others in the deprecated barcode too", async (t) => {
  const barcodeOf = (format: "pdf417" | "aztec" | "code128") =>
    read({ content: { barcode: { format, message: "1" } } });
  t.match(barcodeOf("pdf417"), { barcodes: [{ format: "PKBarcodeFormatPDF417" }] });
  t.strictSame(barcodeOf("pdf417").barcode, {
    format: "PKBarcodeFormatPDF417",
    message: "1",
    messageEncoding: "iso-8859-1",
  });
  t.match(barcodeOf("aztec"), { barcode: { format: "PKBarcodeFormatAztec" } });
  t.match(barcodeOf("code128"), { barcodes: [{ format: "PKBarcodeFormatCode128" }] });
  t.notOk("barcode" in barcodeOf("code128"));
});

t.test("a barcode is Latin-1 where its message is, else UTF-8, and absent without a message", async (t) => {
  const encodingOf = (name: string) =>
    read({ pass: { data: { name } }, content: { barcode: { format: "qr", message: "{{name}}" } } });
  t.match(encodingOf("Zoë ÿ \u001d"), {
    barcodes: [{ message: "Zoë ÿ \u001d", messageEncoding: "iso-8859-1" }],
  });
  t.match(encodingOf("Łódź"), { barcode: { messageEncoding: "utf-8" } });
  t.match(encodingOf("🎫"), { barcode: { message: "🎫", messageEncoding: "utf-8" } });
  for (const none of [encodingOf(""), read({ content: { barcode: null } })]) {
    t.notOk("barcode" in none || "barcodes" in none);
  }
});

t.test("values that look like numbers stay strings until the template formats them", async (t) => {
  const formatted = (format: JsonObject, points: string) =>
    storeCard({
      pass: { data: { points, name: "" } },
      content: { apple: { storeCard: { headerFields: [{ key: "points", ...format }] } } },
    }).headerFields;
  const currency = { currencyCode: "EUR" };
  t.match(storeCard({}).headerFields, [{ value: "120" }]);
  t.match(formatted(currency, "12.50"), [
    { key: "points", label: "Points", value: 12.5, currencyCode: "EUR" },
  ]);
  t.match(formatted({ numberStyle: "PKNumberStylePercent" }, "-0.2"), [{ value: -0.2 }]);
  for (const odd of ["", "1e3", "0x10", "12,50", " 1", "Infinity", "1.2.3", "12345678901234567", "."]) {
    t.match(formatted(currency, odd), [{ value: odd }], JSON.stringify(odd));
  }
  t.match(formatted({ textAlignment: "PKTextAlignmentRight" }, "7"), [{ value: "7" }]);
});

t.test("hostile values come out of the file as they went in", async (t) => {
  const control = Array.from({ length: 32 }, (_, i) => String.fromCharCode(i)).join("");
  const values = [
    control,
    "\u007f\u0080\u2028\u2029\ufeff\uffff",
    "x".repeat(4096),
    "🎫".repeat(4096),
    '"},"serialNumber":"1","x":{"',
    "\\ud800",
    "{{points}} {{name}} {{__proto__}}",
    "%@ %n %s",
    "</script><!--",
  ];
  for (const name of values) {
    t.strictSame(storeCard({ pass: { data: { name } } }).primaryFields, [
      { key: "name", label: "Member", value: name },
    ]);
  }
});

t.test("a lone surrogate becomes U+FFFD wherever it stands, since Apple's parser refuses it", async (t) => {
  const options: JobOptions = {
    pass: { data: { name: "a\ud800b", points: "\udfff" } },
    content: { barcode: { format: "qr", message: "{{name}}" }, apple: { userInfo: ["\ud83c", "fine 🎫"] } },
  };
  const text = passJsonBytes(
    passJson(passToIssue(options), { passTypeIdentifier, teamIdentifier }),
  ).toString();
  t.notMatch(text, /\\ud[89a-f]/i);
  t.match(read(options), {
    barcode: { message: "a\ufffdb", messageEncoding: "utf-8" },
    storeCard: { primaryFields: [{ value: "a\ufffdb" }], headerFields: [{ value: "\ufffd" }] },
    userInfo: ["\ufffd", "fine 🎫"],
  });
});
