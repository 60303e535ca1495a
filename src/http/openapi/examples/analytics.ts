import { ids, instants, pageOf } from "./ids.ts";

export const eventList = pageOf({
  id: ids.event,
  event_type: "pass.installed",
  pass_id: ids.pass,
  template_id: ids.template,
  message_id: null,
  occurred_at: instants.finished,
});

const counts = { "pass.created": 2, "pass.activated": 2, "pass.viewed": 5 };

export const eventSummary = {
  from: "2026-10-22T00:00:00.000Z",
  to: "2026-11-21T23:59:59.999Z",
  days: [{ date: "2026-11-21", counts }],
  totals: counts,
  active_passes: 2,
};
