import { PasswrightError } from "../errors.ts";
import type { Message, MessageStore } from "./message.ts";
import { messageResource } from "./resource.ts";

type Deps = { messages: MessageStore };

/** A message as its GET shows it, the reach of a broadcast counted now. */
export async function shownMessage(deps: Deps, message: Message) {
  const { subject, tenantId } = message;
  const affected = subject.kind === "pass" ? 1 : await deps.messages.reach(tenantId, subject.id);
  return messageResource(message, affected);
}

export async function findMessage(deps: Deps, tenantId: string, messageId: string): Promise<Message> {
  const message = await deps.messages.find(tenantId, messageId);
  if (message === null) throw new PasswrightError("not_found", "There is no message with this id.");
  return message;
}
