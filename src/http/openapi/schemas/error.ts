import { mostOperations } from "../../../domain/batches/batch.ts";
import { largestBalance } from "../../../domain/credits/credits.ts";
import { type ErrorCode, errorKinds } from "../../../domain/errors.ts";
import type { JsonSchema } from "../../route.ts";
import { choice, described, instant, integer, record, text, uri } from "./scalars.ts";

export const errorCode: JsonSchema = {
  title: "ErrorCode",
  description: "A word for programs. More may be added: treat an unknown one by its HTTP status.",
  ...choice(Object.keys(errorKinds) as ErrorCode[]),
};

const description = described("A sentence for people; it may change.", text(1200));

/** What is kept is not shortened; a fault in the data names every field of the template. */
export const longText = text(100_000);

/** Why an operation failed, as jobs, passes and batches keep it. */
export const failureSchema = record("Failure", { error: errorCode, error_description: longText });

const errorMembers = {
  error: errorCode,
  error_description: description,
  trace_id: {
    type: "string",
    pattern: "^[0-9a-f]{32}$",
    maxLength: 32,
    description: "Equal to the header X-Trace-Id. Quote it when you ask for help.",
  },
  details: {
    type: "array",
    maxItems: mostOperations + 100,
    description: "Every violation that a 400 is about; beyond 100, one for each operation of a batch.",
    items: record("Violation", {
      path: described(
        "A JSON pointer into the body, or the name of a parameter or header; empty for the body as a whole.",
        text(256),
      ),
      message: text(1000),
    }),
  },
} as const;

/** What only a 402 has. */
const shortageMembers = {
  required: described(
    "Of a 402: so many credits, or passes of the contract's month, it would have taken.",
    integer(0, mostOperations),
  ),
  balance: described("Of a 402: so many there were.", integer(0, largestBalance)),
  purchase_url: described("Of a 402 of a prepaid tenant: where credits are bought, with POST.", uri),
  resets_at: described("Of a 402 under a contract: when its month is over.", instant),
};

export const errorSchema = record(
  "Error",
  { ...errorMembers, ...shortageMembers },
  { optional: ["details", ...Object.keys(shortageMembers)] },
);

/** RFC 9457, with the members of the error object beside its own. */
export const problemSchema = record(
  "Problem",
  {
    type: described("Where the code is explained.", uri),
    title: described("The code in words.", text(100)),
    status: { type: "integer", const: 400, minimum: 400, maximum: 400 },
    detail: described("The same as error_description.", text(1200)),
    instance: {
      type: "string",
      format: "uri-reference",
      maxLength: 2048,
      description: "The path of the request.",
    },
    ...errorMembers,
  },
  { optional: ["details"], description: "Problem details (RFC 9457) with the members of the error object." },
);

/** How many milliseconds something took at most: longer than any deadline here. */
export const durationMs = integer(0, 2_147_483_647);
