import type { JsonSchema } from "../../route.ts";

// The document's small parts. What follows from a format (the length of a UUID, the width of an integer) is added when
// the document is made.

export const uuid = { type: "string", format: "uuid" } as const;

/** ISO 8601 in UTC with milliseconds. */
export const instant = { type: "string", format: "date-time", maxLength: 24 } as const;

export const instantOrNull = { type: ["string", "null"], format: "date-time", maxLength: 24 } as const;

/** What a caller wrote: also with characters that a URI would have to encode (RFC 3987). */
export const iri = { type: "string", format: "iri", maxLength: 2048 } as const;

export const uri = { type: "string", format: "uri", maxLength: 2048 } as const;

export const boolean = { type: "boolean" } as const;

/** Any characters, up to a number of code points: the one kind of string without a rule of its own. */
export function text(maxLength: number) {
  return { type: "string", maxLength, contentMediaType: "text/plain" } as const;
}

export function textOrNull(maxLength: number) {
  return { ...text(maxLength), type: ["string", "null"] } as const;
}

export function choice<const Words extends readonly string[]>(words: Words) {
  return { type: "string", enum: words } as const;
}

export function integer(minimum: number, maximum: number = Number.MAX_SAFE_INTEGER) {
  return { type: "integer", minimum, maximum } as const;
}

/** An object whose members are all present, but for those named in `optional`. A title makes it a component. */
export function record(
  title: string,
  properties: Readonly<Record<string, JsonSchema>>,
  { optional = [], description }: { optional?: readonly string[]; description?: string } = {},
): JsonSchema {
  return {
    title,
    ...(description !== undefined && { description }),
    type: "object",
    required: Object.keys(properties).filter((name) => !optional.includes(name)),
    properties,
  };
}

/** A schema with words about it. */
export function described<Schema extends JsonSchema>(description: string, schema: Schema) {
  return { ...schema, description };
}

/** A page of a list, as every list of the API answers. */
export function listOf(title: string, items: JsonSchema): JsonSchema {
  return record(title, {
    data: { type: "array", maxItems: 100, items },
    total: described("How many there are on all pages.", integer(0)),
    page: described("The page that was asked for.", integer(1, 1_000_000_000)),
    page_size: described("How many entries a page has at most.", integer(1, 100)),
  });
}
