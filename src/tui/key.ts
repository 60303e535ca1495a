/** A key as the terminal names it; `text` is what it types. */
export type Key = { name: KeyName; text: string };

export type KeyName =
  | "up"
  | "down"
  | "left"
  | "right"
  | "page up"
  | "page down"
  | "home"
  | "end"
  | "enter"
  | "escape"
  | "tab"
  | "back tab"
  | "backspace"
  | "text";
