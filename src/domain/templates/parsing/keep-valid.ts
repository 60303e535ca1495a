import { isMembers } from "./members.ts";
import type { ObjectShape, Shape } from "./shapes.ts";
import { fits } from "./shapes.ts";

/**
 * What is valid of rendered members: one that the data of a pass has made something else than Wallet reads is left out,
 * an object without a member that it must have is, and an entry of a list. Texts of tokens become the numbers and
 * truth values that belong in their place. What is not known is kept, unless the shape is closed, and so is null, which
 * takes a generated member away.
 * What is the same as in `source`, the members before they were rendered, is as its author wrote it, and not looked at.
 */
export function keepValidMembers(
  value: Members,
  shape: ObjectShape,
  source: Members = {},
): Record<string, unknown> {
  const kept: [string, unknown][] = [];
  for (const [name, item] of Object.entries(value)) {
    const member = Object.hasOwn(shape.members, name) ? shape.members[name] : undefined;
    if (member === undefined && shape.closed) continue;
    const valid = member === undefined || item === null ? item : keepValid(item, member.shape, source[name]);
    if (valid !== undefined) kept.push([name, valid]);
  }
  return Object.fromEntries(kept);
}

type Members = Readonly<Record<string, unknown>>;

function keepValid(value: unknown, shape: Shape, source: unknown): unknown {
  if (value === source) return value;
  const typed = typeof value === "string" ? asTyped(value, shape) : value;
  if (!fits(typed, shape)) return undefined;
  if (shape.is === "list" && Array.isArray(typed)) return keepEntries(typed, shape, source);
  if (shape.is === "object") return keepObject(typed as Members, shape, source);
  return typed;
}

/** An empty list that was not empty is none, and of too many entries the first ones are kept. */
function keepEntries(list: unknown[], shape: Shape & { is: "list" }, source: unknown): unknown {
  const before: unknown[] = Array.isArray(source) ? source : [];
  const kept = list
    .map((item, i) => keepValid(item, shape.of, before[i]))
    .filter((item) => item !== undefined)
    .slice(0, shape.most);
  return kept.length === 0 && list.length > 0 ? undefined : kept;
}

function keepObject(value: Members, shape: ObjectShape, source: unknown): unknown {
  const kept = keepValidMembers(value, shape, isMembers(source) ? source : {});
  const isThere = (name: string): boolean => (kept[name] ?? null) !== null;
  const lacks = shape.required.some((name) => !isThere(name));
  return lacks || shape.oneOf?.every((name) => !isThere(name)) ? undefined : kept;
}

const plainNumber = /^-?\d{1,15}(\.\d{1,15})?$/;

function asTyped(value: string, shape: Shape): unknown {
  if (shape.is === "number" && plainNumber.test(value)) return Number(value);
  if (shape.is === "truth" && /^(true|false)$/.test(value)) return value === "true";
  return value;
}
