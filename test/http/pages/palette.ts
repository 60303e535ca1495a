import t from "tap";
import {
  contrast,
  isColour,
  neutralColours,
  type Palette,
  paletteOf,
  softInk,
} from "../../../src/http/pages/palette.ts";

const colours = (background_color: string, foreground_color: string, label_color: string) => ({
  background_color,
  foreground_color,
  label_color,
});

/** Corners and a grid of the colour cube: every hue, pale and dark. */
function* colourGrid(): Generator<string> {
  const steps = ["00", "33", "77", "bb", "ff"];
  for (const red of steps)
    for (const green of steps) for (const blue of steps) yield `#${red}${green}${blue}`;
}

t.test("colours that can be read are taken as they are", async (t) => {
  const palette = paletteOf(colours("#5B2A1E", "#ffffff", "#f0c9a8"));
  t.match(palette, { background: "#5b2a1e", foreground: "#ffffff", label: "#f0c9a8" });
});

t.test("what is not #rrggbb is refused and replaced by the neutral colour", async (t) => {
  const bad = [
    "red",
    "#fff",
    "#12345",
    "#1234567",
    "#12345g",
    " #123456",
    "#123456\n",
    "rgb(1,2,3)",
    "#000000;}body{display:none}",
    "</style><script>",
    "url(https://evil.example)",
    "",
  ];
  const neutral = paletteOf(neutralColours);
  for (const value of bad) {
    t.notOk(isColour(value), JSON.stringify(value));
    t.same(paletteOf(colours(value, value, value)), neutral, JSON.stringify(value));
  }
});

t.test("every colour of every palette is #rrggbb", async (t) => {
  const all = [...colourGrid()].flatMap((background) =>
    Object.values(paletteOf(colours(background, "#808080", "#ff0000"))),
  );
  t.same(
    all.filter((colour) => !/^#[0-9a-f]{6}$/.test(colour)),
    [],
  );
});

t.test("text of a pass can be read on any background, whatever the template says", async (t) => {
  for (const background of colourGrid()) {
    const palette = paletteOf(colours(background, background, "#888888"));
    const least = Math.min(
      contrast(palette.background, palette.foreground),
      contrast(palette.background, palette.label),
    );
    if (least < 4.5) t.fail(`${background}: ${least}`);
  }
});

t.test("text around a pass can be read on every page in both schemes", async (t) => {
  const pages: [keyof typeof softInk, keyof Palette][] = [
    ["light", "pageLight"],
    ["light", "glowLight"],
    ["dark", "pageDark"],
    ["dark", "glowDark"],
  ];
  for (const background of colourGrid()) {
    const palette = paletteOf(colours(background, "#ffffff", "#ffffff"));
    for (const [scheme, surface] of pages) {
      const measured = contrast(palette[surface], softInk[scheme]);
      if (measured < 4.5) t.fail(`${background} ${surface}: ${measured}`);
    }
  }
});

t.test("contrast is WCAG's", async (t) => {
  t.equal(contrast("#000000", "#ffffff"), 21);
  t.equal(contrast("#777777", "#ffffff").toFixed(2), "4.48");
  t.equal(contrast("#0000ff", "#ffffff").toFixed(2), "8.59");
});
