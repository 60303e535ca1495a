import type { Key as Pressed } from "ink";
import type { Key, KeyName } from "../key.ts";

const named: readonly (readonly [keyof Pressed, KeyName])[] = [
  ["upArrow", "up"],
  ["downArrow", "down"],
  ["leftArrow", "left"],
  ["rightArrow", "right"],
  ["pageUp", "page up"],
  ["pageDown", "page down"],
  ["home", "home"],
  ["end", "end"],
  ["return", "enter"],
  ["escape", "escape"],
  ["backspace", "backspace"],
  ["delete", "backspace"],
];

/**
 * What was pressed, as keys. Text comes in one piece when it comes fast, and is as many keys then. Ctrl and Alt with a
 * letter are not that letter.
 */
export function keyFrom(text: string, pressed: Pressed): Key[] {
  if (pressed.tab) return [{ name: pressed.shift ? "back tab" : "tab", text: "" }];
  const [, name] = named.find(([flag]) => pressed[flag] === true) ?? [];
  if (name !== undefined) return [{ name, text: "" }];
  if (pressed.ctrl || pressed.meta) return [];
  return Array.from(text, (each): Key => {
    if (each === "\r" || each === "\n") return { name: "enter", text: "" };
    return { name: "text", text: each };
  });
}
