/** One `"key" = "value";`, or a comment. */
const entry = /\s*(?:\/\*[\s\S]*?\*\/|\/\/[^\n]*|"(?:[^"\\]|\\[\s\S])*"\s*=\s*"(?:[^"\\]|\\[\s\S])*"\s*;)/;

/** What is wrong with a pass.strings, and how to put it right; null: nothing. */
export function passStringsProblem(bytes: Uint8Array): string | null {
  const text = decoded(bytes);
  if (text === null) return "is neither UTF-8 nor UTF-16 with a byte order mark: save it as one of them";
  const entries = new RegExp(entry, "y");
  const end = text.trimEnd().length;
  while (entries.lastIndex < end) {
    const start = entries.lastIndex;
    if (entries.exec(text) !== null) continue;
    const before = text.slice(0, start) + (/^\s*/.exec(text.slice(start))?.[0] ?? "");
    return `is not understood in line ${before.split("\n").length}: every entry is "key" = "value";`;
  }
  return null;
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
