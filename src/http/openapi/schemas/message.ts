import { messageStatuses } from "../../../domain/messages/message.ts";
import { choice, described, instant, integer, listOf, record, text, uuid } from "./scalars.ts";

export const messageSchema = record(
  "MessageResponse",
  {
    id: uuid,
    pass_id: described("Of a message to one pass.", uuid),
    template_id: described("Of a broadcast.", uuid),
    header: text(100),
    body: text(500),
    status: choice(messageStatuses),
    affected_passes: described(
      "1 for a single pass; for a broadcast the passes of the template that are active now, counted at every read.",
      integer(0),
    ),
    job_id: uuid,
    created_at: instant,
  },
  { optional: ["pass_id", "template_id"] },
);

export const messageListSchema = listOf("MessageListResponse", messageSchema);
