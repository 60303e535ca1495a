import { pointerTo } from "./findings.ts";

/** Where a text stops being JSON. `offset` counts UTF-16 units from its start. */
export type JsonMistake = { offset: number; message: string };

export type JsonReading =
  | { value: unknown; repeated: { pointer: string; offset: number }[] }
  | { mistake: JsonMistake };

/** Deeper than this, nobody wrote it by hand. */
const deepest = 100;

/**
 * JSON (RFC 8259) as people write it: JSON.parse tells neither where every mistake is, nor that a member stands twice in
 * an object, of which it would silently take the last.
 */
export function readJson(text: string): JsonReading {
  const scanner = new JsonScanner(text);
  try {
    scanner.document();
  } catch (error) {
    if (error instanceof NotJson) return { mistake: error.mistake };
    throw error;
  }
  return { value: JSON.parse(text), repeated: scanner.repeated };
}

/** Line and column of an offset, as editors count them: from 1, a column for each code point. */
export function lineAndColumn(text: string, offset: number): { line: number; column: number } {
  const lines = text.slice(0, offset).split("\n");
  return { line: lines.length, column: [...(lines.at(-1) ?? "")].length + 1 };
}

class NotJson extends Error {
  readonly mistake: JsonMistake;

  constructor(mistake: JsonMistake) {
    super(mistake.message);
    this.mistake = mistake;
  }
}

class JsonScanner {
  readonly repeated: { pointer: string; offset: number }[] = [];
  private readonly text: string;
  private at = 0;

  constructor(text: string) {
    this.text = text;
  }

  document(): void {
    this.value("", 0);
    this.space();
    if (this.at < this.text.length) this.fail(`${this.found()} stands behind the end: remove it`);
  }

  private value(pointer: string, depth: number): void {
    this.space();
    if (depth > deepest) this.fail(`is nested deeper than ${deepest} levels`);
    const next = this.text[this.at];
    if (next === "{") this.object(pointer, depth);
    else if (next === "[") this.array(pointer, depth);
    else if (next === '"') this.string();
    else if (!this.take(/true|false|null|-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?/y)) {
      this.fail(`a value belongs here, and there is ${this.found()}${this.remedy()}`);
    }
  }

  private object(pointer: string, depth: number): void {
    const names = new Set<string>();
    this.at += 1;
    this.space();
    if (this.take(/\}/y)) return;
    do {
      this.space();
      const offset = this.at;
      if (this.text[this.at] !== '"')
        this.fail(`a name in double quotes belongs here, and there is ${this.found()}${this.remedy()}`);
      const name: string = JSON.parse(this.string());
      const member = pointerTo(pointer, name);
      if (names.has(name)) this.repeated.push({ pointer: member, offset });
      names.add(name);
      this.space();
      if (!this.take(/:/y))
        this.fail(`a colon belongs behind ${JSON.stringify(name)}, and there is ${this.found()}`);
      this.value(member, depth + 1);
      this.space();
    } while (this.take(/,/y));
    if (!this.take(/\}/y))
      this.fail(`a comma or } belongs here, and there is ${this.found()}${this.remedy()}`);
  }

  private array(pointer: string, depth: number): void {
    this.at += 1;
    this.space();
    if (this.take(/\]/y)) return;
    let index = 0;
    do this.value(pointerTo(pointer, index++), depth + 1);
    while (this.comma());
    if (!this.take(/\]/y))
      this.fail(`a comma or ] belongs here, and there is ${this.found()}${this.remedy()}`);
  }

  private comma(): boolean {
    this.space();
    return this.take(/,/y);
  }

  private string(): string {
    const start = this.at;
    this.at += 1;
    this.take(/(?:[^"\\\u0000-\u001f]|\\(?:["\\/bfnrt]|u[0-9a-fA-F]{4}))*/y);
    if (this.take(/"/y)) return this.text.slice(start, this.at);
    const next = this.text[this.at];
    if (next === undefined || next === "\n" || next === "\r") this.fail('the text has no closing "', start);
    if (next === "\\") this.fail("this \\ begins no escape that JSON knows: write \\\\ for a backslash");
    return this.fail("this control character must be written as an escape, such as \\n or \\t");
  }

  private space(): void {
    this.take(/[ \t\n\r]*/y);
  }

  /** Steps over what the sticky pattern matches here. */
  private take(pattern: RegExp): boolean {
    pattern.lastIndex = this.at;
    if (!pattern.test(this.text)) return false;
    this.at = pattern.lastIndex;
    return true;
  }

  private found(): string {
    const character = [...this.text.slice(this.at, this.at + 2)][0];
    return character === undefined ? "the end of the file" : character;
  }

  /** What people write who take JSON for JavaScript. */
  private remedy(): string {
    const rest = this.text.slice(this.at);
    if (/^[}\]]/.test(rest) && /,\s*$/.test(this.text.slice(0, this.at)))
      return ": remove the comma before it";
    if (/^(\/[/*]|#)/.test(rest)) return ": JSON has no comments";
    if (/^['“”‘’]/.test(rest)) return ': JSON has only "straight double quotes"';
    return "";
  }

  private fail(message: string, offset = this.at): never {
    throw new NotJson({ offset, message });
  }
}
