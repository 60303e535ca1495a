import { ids, instants, pageOf } from "./ids.ts";

const text = {
  header: "A free cup is waiting",
  body: "Thank you for ten visits. Show your card at the counter.",
};

export const messageToPass = { pass_id: ids.pass, ...text };

export const messageToTemplate = { template_id: ids.template, ...text };

export const pendingMessage = {
  id: ids.message,
  pass_id: ids.pass,
  ...text,
  status: "pending",
  affected_passes: 1,
  job_id: ids.job,
  created_at: instants.created,
};

export const sentMessage = { ...pendingMessage, status: "sent" };

export const messageList = pageOf(sentMessage);
