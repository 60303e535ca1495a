import stringWidth from "string-width";

/** How many columns of a terminal a text takes: wide characters two, combining marks none. */
export function widthOf(text: string): number {
  return /^[ -~]*$/.test(text) ? text.length : stringWidth(text);
}

/** A text in one line that does to a terminal nothing but be shown: others may have chosen it. */
export function printable(text: string): string {
  return (
    text
      .replace(/\s+/gu, " ")
      // Control characters, and those that turn the direction of what follows.
      .replace(/[\p{Cc}\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069]/gu, "\ufffd")
  );
}

/** At most so many columns of a text; an ellipsis stands for the rest. What belongs together is not torn apart. */
export function cut(text: string, columns: number): string {
  if (widthOf(text) <= columns) return text;
  let kept = "";
  let width = 0;
  for (const { segment } of new Intl.Segmenter().segment(text)) {
    width += widthOf(segment);
    if (width > columns - 1) break;
    kept += segment;
  }
  return `${kept.trimEnd()}…`;
}

/** A text with blanks up to so many columns. */
export function pad(text: string, columns: number): string {
  return text + " ".repeat(Math.max(0, columns - widthOf(text)));
}
