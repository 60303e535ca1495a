import { PasswrightError } from "../../domain/errors.ts";
import { type Message, type MessageStatus, messageStatuses } from "../../domain/messages/message.ts";
import { findMessage, shownMessage } from "../../domain/messages/read.ts";
import { sendMessage } from "../../domain/messages/send.ts";
import { accepted, ok } from "../openapi/answers.ts";
import {
  messageList,
  messageToPass,
  messageToTemplate,
  pendingMessage,
  sentMessage,
} from "../openapi/examples/messages.ts";
import { messageListSchema, messageSchema } from "../openapi/schemas/message.ts";
import { text } from "../openapi/schemas/scalars.ts";
import { listReply, type PageQuery, pageOf, pageParameters, querySchema } from "../query.ts";
import { acceptedReply } from "../replayed.ts";
import { checked, exactlyOneOf, guarded } from "../route.ts";
import type { ServingDeps } from "../serving.ts";

const sendBody = checked<{ pass_id?: string; template_id?: string; header: string; body: string }>({
  title: "MessageSendRequest",
  type: "object",
  additionalProperties: false,
  required: ["header", "body"],
  ...exactlyOneOf("pass_id", "template_id"),
  properties: {
    pass_id: { type: "string", format: "uuid", description: "To this pass only." },
    template_id: { type: "string", format: "uuid", description: "To every active pass of this template." },
    header: { ...text(100), minLength: 1, description: "The notification's title." },
    body: { ...text(500), minLength: 1, description: "Its text." },
  },
});

const listQuery = checked<PageQuery & { pass_id?: string; template_id?: string; status?: MessageStatus }>(
  querySchema({
    ...pageParameters,
    pass_id: { type: "string", format: "uuid", description: "Only messages to this one pass." },
    template_id: { type: "string", format: "uuid", description: "Only broadcasts to this template." },
    status: { type: "string", enum: messageStatuses, description: "Only messages in this status." },
  }),
);

const pageQuery = checked<PageQuery>(querySchema(pageParameters));

export const messageRoutes = [
  guarded({
    method: "POST",
    path: "/api/v1/messages",
    operationId: "sendMessage",
    tag: "Messages",
    summary: "Send a message to one pass, or to every active pass of a template",
    description:
      "Exactly one of `pass_id` and `template_id` must be given. Google Wallet shows the message as a banner on the pass; Apple Wallet notifies the devices that hold it, and shows it on the back. A broadcast reaches the passes that are active when it runs. Where a wallet delivers a message without notifying, the job says so.",
    examples: {
      toPass: { summary: "To one pass", value: messageToPass },
      toTemplate: { summary: "To every active pass of a template", value: messageToTemplate },
    },
    answers: [accepted("Accepted: the message is pending.", messageSchema, pendingMessage)],
    errors: [
      "no_providers",
      { code: "not_found", says: "There is no pass with this id." },
      { code: "invalid_state", says: "The pass is revoked: nobody would see the message." },
    ],
    access: "messages:write",
    idempotent: true,
    enqueues: true,
    body: sendBody,
    async handle({ body, claims, idempotency, traceId }, deps) {
      const { pass_id, template_id } = body;
      const subject =
        pass_id === undefined
          ? ({ kind: "template", id: (template_id ?? "").toLowerCase() } as const)
          : ({ kind: "pass", id: pass_id.toLowerCase() } as const);
      const sent = await sendMessage(deps, {
        tenantId: claims.tenantId,
        subject,
        header: body.header,
        body: body.body,
        idempotency,
        traceId,
      });
      return acceptedReply(sent, deps);
    },
  }),
  guarded({
    method: "GET",
    path: "/api/v1/messages",
    operationId: "listMessages",
    tag: "Messages",
    summary: "List messages, newest first",
    description: "Lists the tenant's messages.",
    answers: [ok("A page of messages.", messageListSchema, messageList)],
    access: "messages:read",
    query: listQuery,
    async handle({ query, claims }, deps) {
      const page = pageOf(query);
      const filter = {
        ...(query.pass_id !== undefined && { passId: query.pass_id.toLowerCase() }),
        ...(query.template_id !== undefined && { templateId: query.template_id.toLowerCase() }),
        ...(query.status !== undefined && { status: query.status }),
      };
      const { items, total } = await deps.messages.list(claims.tenantId, filter, page);
      return listReply(await shown(deps, items), total, page);
    },
  }),
  guarded({
    method: "GET",
    path: "/api/v1/messages/{id}",
    operationId: "getMessage",
    tag: "Messages",
    summary: "Read a message",
    description: "Reads a message and how far it is.",
    answers: [ok("The message.", messageSchema, sentMessage)],
    access: "messages:read",
    async handle({ params, claims }, deps) {
      const message = await findMessage(deps, claims.tenantId, params.id ?? "");
      return { status: 200, body: await shownMessage(deps, message) };
    },
  }),
  guarded({
    method: "GET",
    path: "/api/v1/passes/{id}/messages",
    operationId: "listPassMessages",
    tag: "Messages",
    summary: "List the messages to a pass, newest first",
    description: "Lists what was sent to this one pass; broadcasts are not among it.",
    answers: [ok("A page of messages.", messageListSchema, messageList)],
    access: "messages:read",
    query: pageQuery,
    async handle({ params, query, claims }, deps) {
      const passId = params.id ?? "";
      const page = pageOf(query);
      if ((await deps.passes.find(claims.tenantId, passId)) === null) {
        throw new PasswrightError("not_found", "There is no pass with this id.");
      }
      const { items, total } = await deps.messages.list(claims.tenantId, { passId }, page);
      return listReply(await shown(deps, items), total, page);
    },
  }),
];

function shown(deps: ServingDeps, messages: readonly Message[]) {
  return Promise.all(messages.map((message) => shownMessage(deps, message)));
}
