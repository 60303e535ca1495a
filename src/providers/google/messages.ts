import { PasswrightError } from "../../domain/errors.ts";
import { isObject, type JsonObject } from "./author-part.ts";
import { createOneAtATime } from "./one-at-a-time.ts";
import type { MessageText, WalletApi, WalletTarget } from "./wallet-api.ts";

/** «The maximum number of messages is 10» on each class and object: https://developers.google.com/wallet/reference/rest/v1/Message */
const mostMessages = 10;

export type Messages = {
  /**
   * Has the message stand on what the target names, once, however often it is asked for; one of that id with another text
   * becomes this one. The oldest message goes where there are ten. `not_found`: nothing bears the target's id.
   */
  show(
    target: WalletTarget,
    message: MessageText,
    signal: AbortSignal,
  ): Promise<"shown" | "shown_silently" | "not_found">;
};

/**
 * Google adds what it is told to add, an id that is there already included, so whoever repeats an attempt whose answer was
 * lost has to look first. To take a message away, or to change one, the whole list is replaced; between our own calls
 * nobody else of this process writes one.
 */
export function createMessages(api: WalletApi): Messages {
  const oneAtATime = createOneAtATime();

  async function show(target: WalletTarget, message: MessageText, signal: AbortSignal) {
    const resource = await api.read(target, signal);
    if (resource === null) return "not_found";
    const messages = Array.isArray(resource.messages) ? resource.messages.filter(isObject) : [];
    const standing = messages.find(({ id }) => id === message.id);
    if (standing !== undefined) return restate(target, { messages, standing, message }, signal);
    if (messages.length >= mostMessages) {
      const written = await write(target, messages.slice(1 - mostMessages), signal);
      if (written === "not_found") return written;
    }
    return add(target, message, signal);
  }

  async function add(target: WalletTarget, message: MessageText, signal: AbortSignal) {
    const notifying = { ...message, messageType: "TEXT_AND_NOTIFY" as const };
    const answer = await api.addMessage({ ...target, message: notifying }, signal);
    if (answer === "added") return "shown";
    if (answer === "not_found") return answer;
    // Three notifications a pass and day; what is more is shown without one:
    // https://developers.google.com/wallet/generic/use-cases/trigger-push-notifications
    const silent = { ...message, messageType: "TEXT" as const };
    return (await api.addMessage({ ...target, message: silent }, signal)) === "added"
      ? "shown_silently"
      : "not_found";
  }

  async function restate(
    target: WalletTarget,
    { messages, standing, message }: { messages: JsonObject[]; standing: JsonObject; message: MessageText },
    signal: AbortSignal,
  ) {
    const isSame = standing.header === message.header && standing.body === message.body;
    if (!isSame) {
      const restated = messages.map((one) => (one === standing ? { ...standing, ...message } : one));
      if ((await write(target, restated, signal)) === "not_found") return "not_found";
    }
    return standing.messageType === "TEXT_AND_NOTIFY" ? "shown" : "shown_silently";
  }

  async function write(target: WalletTarget, messages: JsonObject[], signal: AbortSignal) {
    const { id, ...where } = target;
    // A class goes back to its review with every change; generic ones have none.
    const isReviewed = where.collection.endsWith("Class") && where.collection !== "genericClass";
    const body = { id, messages, ...(isReviewed && { reviewStatus: "UNDER_REVIEW" }) };
    return (await api.patch({ ...where, body }, signal)).outcome;
  }

  return {
    show: (target, message, signal) =>
      oneAtATime(`${target.credentials.apiUrl} ${target.collection} ${target.id}`, async () => {
        if (signal.aborted) {
          throw new PasswrightError("provider_unavailable", "Google did not answer in time", {
            cause: signal.reason,
          });
        }
        return show(target, message, signal);
      }),
  };
}
