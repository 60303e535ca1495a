import { type Answer, json, type Received } from "../exchange.ts";
import { pause } from "../pause.ts";
import type { Receiver, Receivers, Script } from "./receivers.ts";
import { checkServiceSignature, checkStandardSignature } from "./signatures.ts";

export type ReceiverParts = { receivers: Receivers; nowMs: () => number; closing: AbortSignal };

const recordedBodyBytes = 65_536;

/** `POST /hooks/{name}`: 200 when both signatures are right, 401 when not, unless a script says otherwise. */
export async function receive(parts: ReceiverParts, request: Received): Promise<Answer> {
  const name = /^\/hooks\/([A-Za-z0-9_-]{1,64})$/.exec(request.path)?.[1];
  const receiver = name === undefined ? undefined : parts.receivers.find(name);
  if (receiver === undefined) return json(404, { error: "unknown_receiver" });
  if (request.method !== "POST") return json(405, { error: "method_not_allowed" }, { allow: "POST" });

  const { secret } = receiver;
  const now = parts.nowMs();
  const signatures = {
    x_service_signature: checkServiceSignature(secret, request.headers, request.body),
    standard_webhooks: checkStandardSignature(secret, request.headers, request.body, now),
  };
  const genuine = signatures.x_service_signature.valid && signatures.standard_webhooks.valid;
  const script = nextScript(parts.receivers, receiver);
  const status = script?.status ?? (genuine ? 200 : 401);
  parts.receivers.record(receiver.name, {
    at: new Date(now).toISOString(),
    headers: request.headers,
    body: request.body.subarray(0, recordedBodyBytes).toString("utf8"),
    body_bytes: request.body.length,
    signatures,
    status,
  });
  await pause(script?.delay_ms ?? 0, parts.closing);
  return json(status, { received: status < 300, signatures }, script?.headers);
}

/** The script for this delivery, counted down where it is for the first few only. */
function nextScript(receivers: Receivers, receiver: Receiver): Script | undefined {
  const { respond } = receiver;
  if (respond === null) return undefined;
  if (respond.fail_first === undefined) return respond;
  const left = respond.fail_first - 1;
  receivers.put({ ...receiver, respond: left > 0 ? { ...respond, fail_first: left } : null });
  return { status: 500, ...respond };
}
