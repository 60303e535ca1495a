/** One `"key" = "value";`, or a comment. */
const entry =
  /\s*(?:\/\*[\s\S]*?\*\/|\/\/[^\n]*|"((?:[^"\\]|\\[\s\S])*)"\s*=\s*"((?:[^"\\]|\\[\s\S])*)"\s*;)/;

export type PassStringsReading =
  | { text: string; keys: { key: string; value: string; line: number }[] }
  | { problem: string };

/** A pass.strings with the texts that it translates, or what is wrong with it and how to put it right. */
export function readPassStrings(bytes: Uint8Array): PassStringsReading {
  const text = decoded(bytes);
  if (text === null) {
    return { problem: "is neither UTF-8 nor UTF-16 with a byte order mark: save it as one of them" };
  }
  const entries = new RegExp(entry, "y");
  const keys: { key: string; value: string; line: number }[] = [];
  const end = text.trimEnd().length;
  while (entries.lastIndex < end) {
    const start = entries.lastIndex;
    const line = lineOf(text, start);
    const found = entries.exec(text);
    if (found === null)
      return { problem: `is not understood in line ${line}: every entry is "key" = "value";` };
    const [, key, value = ""] = found;
    if (key !== undefined) keys.push({ key: unescaped(key), value: unescaped(value), line });
  }
  return { text, keys };
}

/**
 * UTF-16 with a byte order mark, as Wallet's documentation asks for it. Most significant byte first, since there are readers
 * (KDE's KPkPass) that do not look at the mark.
 */
export function encodedPassStrings(text: string): Uint8Array {
  return Buffer.from(`\ufeff${text}`, "utf16le").swap16();
}

/** The line in which the next entry begins. */
function lineOf(text: string, start: number): number {
  const before = text.slice(0, start) + (/^\s*/.exec(text.slice(start))?.[0] ?? "");
  return before.split("\n").length;
}

const escapes: Readonly<Record<string, string>> = { n: "\n", r: "\r", t: "\t" };

function unescaped(text: string): string {
  return text.replace(/\\(?:[uU]([\dA-Fa-f]{4})|([\s\S]))/g, (_match, code?: string, letter = "") =>
    code === undefined ? (escapes[letter] ?? letter) : String.fromCharCode(Number.parseInt(code, 16)),
  );
}

function decoded(bytes: Uint8Array): string | null {
  const encoding =
    bytes[0] === 0xff && bytes[1] === 0xfe
      ? "utf-16le"
      : bytes[0] === 0xfe && bytes[1] === 0xff
        ? "utf-16be"
        : "utf-8";
  try {
    return new TextDecoder(encoding, { fatal: true }).decode(bytes);
  } catch {
    return null;
  }
}
