import { renderToString } from "ink";
import { createElement } from "react";
import t from "tap";
import {
  afterPhoneEvent,
  firstPhoneState,
  type PhoneEvent,
  type PhoneState,
  type ShownPass,
} from "../../../src/tui/phone/state.ts";
import { codeLines } from "../../../src/tui/phone/store.ts";
import { PhoneScreen } from "../../../src/tui/phone/view.ts";

const pass: ShownPass = {
  organizationName: "Acme",
  description: "Loyalty card",
  logoText: "",
  front: [
    { label: "Points", value: "42" },
    { label: "A label that is rather long", value: "x".repeat(300) },
  ],
  back: [{ label: "Terms", value: "Not for resale.\nNever." }],
  barcode: { format: "QR", message: "member-1", altText: "member-1" },
  voided: false,
  expiresAt: null,
};
const code = await codeLines("member-1");
const told = Array.from({ length: 80 }, (_, index) => ({
  atMs: index * 1000,
  text: `happening ${index}`,
  tone: "plain" as const,
}));

function screenOf(size: PhoneState["size"], given: Partial<ShownPass>, ...events: PhoneEvent[]): string[] {
  const shown = { ...pass, ...given };
  const drawn = { type: "drawn", message: "member-1", code } as const;
  const toldAll = told.map((one): PhoneEvent => ({ type: "told", told: one, pass: shown }));
  const state = [drawn, ...toldAll, ...events].reduce(
    afterPhoneEvent,
    firstPhoneState({ size, pass: shown }),
  );
  return renderToString(createElement(PhoneScreen, { state }), { columns: size.columns }).split("\n");
}

const key = (text: string): PhoneEvent => ({ type: "key", key: { name: "text", text } });

for (const size of [
  { columns: 80, rows: 24 },
  { columns: 200, rows: 60 },
  { columns: 40, rows: 12 },
]) {
  t.test(`a pass fits ${size.columns}x${size.rows}, with what happened last and the keys`, async (t) => {
    for (const side of [[], [key("b")]]) {
      const lines = screenOf(size, {}, ...side);
      t.equal(lines.length, size.rows);
      t.strictSame(
        lines.filter((line) => [...line].length > size.columns),
        [],
      );
      t.match(lines[0], /Acme · Loyalty card/);
      t.match(lines.at(-2), /happening 79/);
      t.match(lines.at(-1), side.length === 0 ? /b: back/ : /b: front/);
    }
  });
}

t.test("the code is drawn where there is room, and written where there is none", async (t) => {
  const large = screenOf({ columns: 80, rows: 24 }, {}).join("\n");
  t.match(large, /▀|▄|█/);
  t.match(large, /^member-1/m, "with its text");
  const small = screenOf({ columns: 40, rows: 12 }, {}).join("\n");
  t.notMatch(small, /▀|▄|█/);
  t.match(small, /QR: member-1/);
});

t.test("the back has its lines, and a pass that is void says so", async (t) => {
  const lines = screenOf({ columns: 80, rows: 24 }, { voided: true }, key("b"));
  t.match(lines[0], /VOID · back/);
  t.match(lines.join("\n"), /Terms +Not for resale\.\n +Never\./);
});

t.test("texts of others cannot steer the terminal", async (t) => {
  const evil = "\u001b[2J\u009b31m\u202etxt";
  const front = [{ label: evil, value: evil }];
  const lines = screenOf(
    { columns: 80, rows: 24 },
    { organizationName: evil, front, barcode: { format: evil, message: evil, altText: "" } },
  );
  t.notMatch(lines.join(""), /\u001b\[2J|\u009b|\u202e/);
});

t.test("what is no code is not drawn", async (t) => {
  t.equal(await codeLines(""), null);
  t.equal(await codeLines("x".repeat(5000)), null);
});

t.test("keys turn it, ask for an update, delete it and leave", async (t) => {
  const after = (...keys: string[]) =>
    keys.map(key).reduce(afterPhoneEvent, firstPhoneState({ size: { columns: 80, rows: 24 }, pass }));
  t.equal(after("b").side, "back");
  t.equal(after("b", "b").side, "front");
  t.equal(after("u", "u").refreshes, 2);
  t.equal(after("d").left, "deleted");
  t.equal(after("q").left, "kept");
  t.equal(after("x").left, null);
});
