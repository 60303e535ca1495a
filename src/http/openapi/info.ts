import type { Tag } from "../route.ts";

const conventions = `
Creates and manages passes in Apple Wallet and Google Wallet, for many tenants.

## Errors
Every failure has one shape: \`error\`, a code for programs; \`error_description\`, a sentence for people; \`trace_id\`, to
quote when you ask for help; and for rejected input \`details\` with every violation. A 400 of the billing operations is
problem details (RFC 9457) with the same members beside its own. Checks come in this order: path (404), method (405,
with \`Allow\`), rate limit, token (401), scope (403), an id that is none (404), body and query (400), the resource (404),
its state (409), ceilings (429), credits (402). Another tenant's resource is answered like one that does not exist.

## Accepted work
Creating, updating and revoking passes, batches and messages answer 202: written down, never lost, carried out as soon
as possible. \`Location\` names the job; \`GET /api/v1/jobs/{id}?wait=20\` waits for its end, and webhooks tell it unasked.

## Sending again
Every operation that changes something takes an \`Idempotency-Key\`: for 24 hours the same key and body get the first
answer, byte for byte, with \`Idempotent-Replayed: true\`. Only answers of success are kept.

## Lists
\`page\` counts from 1 and \`page_size\` goes up to 100; the answer has \`data\`, \`total\`, \`page\` and \`page_size\`. Newest comes
first unless said otherwise. Unknown query parameters are ignored; unknown members of a body are not.

## Formats
Bodies are JSON objects in UTF-8. Ids are lower-case UUIDs, of version 7. Instants are ISO 8601 in UTC with
milliseconds. Lengths count Unicode code points. \`HEAD\` works wherever \`GET\` does. A valid W3C \`traceparent\` becomes
the \`X-Trace-Id\` of the answer, and goes through the logs of all that the request sets off.

## Versions
The version is in the path. Within v1 members, error codes and event types may be added: ignore what you do not know.
`;

/** What the document says of the service as a whole. */
export function infoOf(version: string): Record<string, unknown> {
  return {
    title: "Passwright",
    version,
    summary: "Passes for Apple Wallet and Google Wallet",
    description: conventions.trim(),
    license: { name: "Apache-2.0", identifier: "Apache-2.0" },
  };
}

const tagDescriptions: Readonly<Record<Tag, string>> = {
  Access: "Tokens, and the keys that verify them.",
  Passes: "One pass is one card of one person, in one wallet or both.",
  Batches: "Up to 10,000 operations on passes in one request.",
  Jobs: "How far accepted work is.",
  Messages: "Notifications on passes.",
  Templates: "What passes are made from. Operators write them; here they are read.",
  Webhooks: "Where to be told of events; what is sent stands below the operations.",
  Analytics: "What happened to passes, one by one and counted.",
  Billing: "Credits for passes, bought at the payment provider's own page.",
  "Apple Wallet": "What Apple Wallet on a phone says and asks. Its statuses are Apple's.",
  "Google Wallet": "What Google Wallet says of passes.",
  "Public pages": "What the holder of a pass sees. No token: the address is the key.",
  Service: "The service about itself.",
};

export const tags = Object.entries(tagDescriptions).map(([name, description]) => ({ name, description }));
