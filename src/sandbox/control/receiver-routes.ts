import { randomBytes } from "node:crypto";
import { type Answer, json, Refused } from "../exchange.ts";
import type { Receiver, Receivers, Script } from "../receiver/receivers.ts";
import { badRequest, headerFields, readObject, text, whole } from "./body.ts";
import type { Route } from "./router.ts";

export type ReceiverRouteParts = { receivers: Receivers; webhookUrl: () => string; nowMs: () => number };

const secretForm = /^.{8,255}$/su;
const longestDelayMs = 600_000;

/** Registering webhook receivers, reading what they received, and scripting how they misbehave. */
export function receiverRoutes(parts: ReceiverRouteParts): Route[] {
  const { receivers } = parts;
  const find = (name = ""): Receiver => {
    const receiver = receivers.find(name);
    if (receiver === undefined) throw new Refused(json(404, { error: "unknown_receiver" }));
    return receiver;
  };
  const describe = ({ name, respond, createdAt }: Receiver) => ({
    name,
    url: `${parts.webhookUrl()}/hooks/${name}`,
    secret_registered: true,
    respond,
    created_at: createdAt,
  });
  const withDeliveries = (receiver: Receiver) => {
    const { total, kept } = receivers.deliveries(receiver.name);
    return { ...describe(receiver), total, deliveries: kept };
  };

  return [
    ["GET", "/receivers", () => json(200, { receivers: receivers.all().map(describe) })],
    [
      "POST",
      "/receivers",
      (request) => {
        const body = readObject(request, ["name", "secret"]);
        const name =
          text(body, "name", /^[A-Za-z0-9_-]{1,64}$/) ?? `receiver-${randomBytes(4).toString("hex")}`;
        const secret = text(body, "secret", secretForm);
        if (secret === undefined) throw badRequest("secret must be given");
        if (receivers.find(name) !== undefined) return json(409, { error: "name_taken" });
        const createdAt = new Date(parts.nowMs()).toISOString();
        const receiver: Receiver = { name, secret, respond: null, createdAt };
        receivers.put(receiver);
        return json(201, describe(receiver));
      },
    ],
    ["GET", "/receivers/{name}", (_request, [name]) => json(200, withDeliveries(find(name)))],
    [
      "PATCH",
      "/receivers/{name}",
      (request, [name]) => {
        const receiver = find(name);
        const body = readObject(request, ["respond", "secret"]);
        const secret = text(body, "secret", secretForm) ?? receiver.secret;
        const respond = "respond" in body ? readScript(body.respond) : receiver.respond;
        const changed = { ...receiver, secret, respond };
        receivers.put(changed);
        return json(200, describe(changed));
      },
    ],
    [
      "DELETE",
      "/receivers/{name}",
      (_request, [name]): Answer => {
        receivers.remove(find(name).name);
        return { status: 204 };
      },
    ],
  ];
}

function readScript(value: unknown): Script | null {
  if (value === null) return null;
  if (typeof value !== "object" || Array.isArray(value))
    throw badRequest("respond must be an object or null");
  const body = value as Record<string, unknown>;
  const unknown = Object.keys(body).find(
    (name) => !["status", "delay_ms", "headers", "fail_first"].includes(name),
  );
  if (unknown !== undefined) throw badRequest(`unknown member: respond.${unknown}`);
  const status = whole(body, "status", [200, 599]);
  const delay = whole(body, "delay_ms", [0, longestDelayMs]);
  const failFirst = whole(body, "fail_first", [1, 1_000_000]);
  const headers = headerFields(body, "headers");
  return {
    ...(status !== undefined && { status }),
    ...(delay !== undefined && { delay_ms: delay }),
    ...(headers !== undefined && { headers }),
    ...(failFirst !== undefined && { fail_first: failFirst }),
  };
}
